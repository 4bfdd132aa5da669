/// A moving factor of a gain, from the first frame of a segment on: a position `from + step × (offset + i)` at frame `i`.
struct MovingFactor {
  var from: Float = 0
  var step: Float = 0
  var offset: Int32 = 0

  @_noLocks @_noAllocation
  func value(at index: Int32) -> Float { from + step * Float(offset &+ index) }
}

/// The gain of one channel over a segment of frames in which no ramp begins or ends: the cube of a product of positions,
/// of which some rest and some move.
///
/// The product is always taken in the same order, resting factors first, so that the same frame gets the same gain
/// whatever segments the periods cut.
struct GainCurve {
  private(set) var resting: Float = 1
  private(set) var movingCount = 0
  private var moving = InlineArray<8, MovingFactor>(repeating: MovingFactor())

  @_noLocks @_noAllocation
  init() {}

  /// Multiplies by a ramp, and shortens the segment if the ramp ends in it.
  @_noLocks @_noAllocation
  mutating func multiply(by ramp: Ramp, at frame: UInt64, until end: inout UInt64) {
    if ramp.isMoving(at: frame) {
      moving[movingCount] = MovingFactor(from: ramp.from, step: ramp.step, offset: ramp.offset(at: frame))
      movingCount &+= 1
      end = min(end, ramp.end)
    } else {
      resting *= ramp.target
    }
  }

  /// The moving factor of an index below `movingCount`.
  @_noLocks @_noAllocation
  func movingFactor(_ index: Int) -> MovingFactor { moving[index] }

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
      position *= moving[factor].value(at: index)
      factor &+= 1
    }
    return position * position * position
  }
}
