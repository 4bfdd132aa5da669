/// Converts between frames and nanoseconds by one moment at which both are known and the rate between them: what lies
/// far from that moment is off by the drift of the sound card, but never by the jitter of a single cycle's length.
public struct FrameClock: Hashable, Sendable {
  /// A frame …
  public var frame: UInt64
  /// … and when it is, on a clock that the caller chooses.
  public var nanoseconds: Int64
  /// Frames per second.
  public var rate: Int

  public init(frame: UInt64, nanoseconds: Int64, rate: Int) {
    self.frame = frame
    self.nanoseconds = nanoseconds
    self.rate = rate
  }

  /// The frame nearest to a time; 0 for what was before it.
  public func frame(at time: Int64) -> UInt64 {
    let distance = (Double(time) - Double(nanoseconds)) * Double(rate) / 1e9
    let result = Double(frame) + distance.rounded()
    guard abs(distance) < 4e15 else { return result > 0 ? .max : 0 }
    let (sum, isOutside) = frame.addingSigned(Int64(distance.rounded()))
    return isOutside ? 0 : sum
  }

  /// When a frame is.
  public func nanoseconds(of frame: UInt64) -> Int64 {
    let distance = Double(Int64(bitPattern: frame &- self.frame)) * 1e9 / Double(rate)
    return nanoseconds + Int64(distance.rounded())
  }

  /// The frame of 64 bits that libjack's 32 bits mean: the one nearest to a frame that is known. Wait-free.
  @_noLocks @_noAllocation
  static func extend(_ frame: UInt32, near known: UInt64) -> UInt64 {
    let distance = Int32(bitPattern: frame &- UInt32(truncatingIfNeeded: known))
    return known &+ UInt64(bitPattern: Int64(distance))
  }

  /// The first frame of 64 bits from `earliest` on that libjack's 32 bits can mean.
  static func extend(_ frame: UInt32, from earliest: UInt64) -> UInt64 {
    earliest + UInt64(frame &- UInt32(truncatingIfNeeded: earliest))
  }
}

extension UInt64 {
  fileprivate func addingSigned(_ distance: Int64) -> (UInt64, Bool) {
    distance < 0
      ? subtractingReportingOverflow(distance.magnitude) : addingReportingOverflow(UInt64(distance))
  }
}
