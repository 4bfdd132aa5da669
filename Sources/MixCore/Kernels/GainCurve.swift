/// The gain of one channel over a segment of frames in which no ramp begins or ends: the cube of a product of positions,
/// of which some rest and some move.
///
/// The product is always taken in the same order, resting factors first, so that the same frame gets the same gain
/// whatever segments the periods cut.
package struct GainCurve {
  private(set) var resting: Float = 1
  private(set) var movingCount = 0
  private var moving = InlineArray<8, Loops.MovingFactor>(repeating: (0, 0, 0))

  @_noLocks @_noAllocation
  package init() {}

  /// Multiplies by a ramp, and shortens the segment if the ramp ends in it.
  @_noLocks @_noAllocation
  mutating func multiply(by ramp: Ramp, at frame: UInt64, until end: inout UInt64) {
    if ramp.isMoving(at: frame) {
      moving[movingCount] = (ramp.from, ramp.step, ramp.offset(at: frame))
      movingCount &+= 1
      end = min(end, ramp.end)
    } else {
      resting *= ramp.target
    }
  }

  /// The moving factor of an index below `movingCount`.
  @_noLocks @_noAllocation
  func movingFactor(_ index: Int) -> Loops.MovingFactor { moving[index] }

  /// Gives all moving factors to a closure; they are there as long as it runs.
  @_noLocks @_noAllocation
  func withMovingFactors(_ body: (UnsafePointer<Loops.MovingFactor>) -> Void) {
    withUnsafePointer(to: moving) { body(UnsafeRawPointer($0).assumingMemoryBound(to: Loops.MovingFactor.self)) }
  }

  /// Whether it is exact silence all along.
  var isSilent: Bool {
    @_noLocks @_noAllocation get { resting == 0 }
  }

  /// The gain at one frame of the segment.
  @_noLocks @_noAllocation
  func gain(at index: Int32) -> Float {
    var position = resting
    var factor = 0
    while factor < movingCount {
      let (from, step, offset) = moving[factor]
      position *= from + step * Float(offset &+ index)
      factor &+= 1
    }
    return position * position * position
  }
}
