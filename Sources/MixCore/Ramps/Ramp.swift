/// A value that moves in a straight line from where it is to a target, between two exact frames.
///
/// It is evaluated from the number of frames since its start, never by adding up steps, so that it is the same wherever
/// the borders of the periods fall. From `start + length` on it is exactly `target`.
struct Ramp {
  /// The first frame of the ramp, where it still has the value `from`.
  private(set) var start: UInt64 = 0
  /// Frames from `start` until it has arrived.
  private(set) var length: UInt32 = 0
  private(set) var from: Float
  private(set) var step: Float = 0
  private(set) var target: Float

  /// A value at rest.
  @_noLocks @_noAllocation
  init(_ value: Float) {
    from = value
    target = value
  }

  /// The frame from which on it rests at its target.
  var end: UInt64 {
    @_noLocks @_noAllocation get { start &+ UInt64(length) }
  }

  @_noLocks @_noAllocation
  func isMoving(at frame: UInt64) -> Bool { frame < end }

  @_noLocks @_noAllocation
  func value(at frame: UInt64) -> Float {
    if frame >= end { return target }
    return from + step * Float(offset(at: frame))
  }

  /// Frames since the start.
  @_noLocks @_noAllocation
  func offset(at frame: UInt64) -> Int32 {
    frame <= start ? 0 : Int32(truncatingIfNeeded: frame &- start)
  }

  /// Sets out for a new target from where it is at `frame`, to arrive after `fade` frames. On the way to that target
  /// already, it goes on as it does.
  @_noLocks @_noAllocation
  mutating func move(to newTarget: Float, at frame: UInt64, over fade: UInt32) {
    if newTarget == target { return }
    start(for: newTarget, at: frame, over: fade)
  }

  /// Starts from where it is at `frame`, to arrive after `fade` frames, though it be on the way to that target already.
  /// At rest there it stays.
  @_noLocks @_noAllocation
  mutating func restart(to newTarget: Float, at frame: UInt64, over fade: UInt32) {
    if newTarget == target && !isMoving(at: frame) { return }
    start(for: newTarget, at: frame, over: fade)
  }

  /// On its way already, it arrives after `fade` frames at the latest.
  @_noLocks @_noAllocation
  mutating func hurry(at frame: UInt64, over fade: UInt32) {
    if end > frame &+ UInt64(fade) { start(for: target, at: frame, over: fade) }
  }

  @_noLocks @_noAllocation
  private mutating func start(for newTarget: Float, at frame: UInt64, over fade: UInt32) {
    let now = value(at: frame)
    if fade == 0 || now == newTarget {
      snap(to: newTarget)
      return
    }
    self.start = frame
    length = fade
    from = now
    target = newTarget
    step = (newTarget - now) / Float(Int32(bitPattern: fade))
    // On a very long ramp rounding can carry the last frames past the target; a step a hair smaller does not.
    let last = from + step * Float(Int32(bitPattern: fade &- 1))
    if (newTarget - last) * step < 0 { step *= 1 - 0x1p-22 }
  }

  /// Rests at a value from now on.
  @_noLocks @_noAllocation
  mutating func snap(to value: Float) {
    start = 0
    length = 0
    from = value
    step = 0
    target = value
  }
}
