/// Lets what comes thick and fast gather, so that a flood is read in portions.
///
/// All that is read at once comes into force at once, and makes one plan for the mixer, which takes no more than one in a
/// cycle. What comes alone is read at once; what comes right after it waits for the rest of a span: a fifth of a cycle, at
/// least a quarter of a millisecond and at most one. But what is there shortly before a cycle is read, to be in time for it.
///
/// Control thread only.
struct Gathering {
  /// What it takes to read a portion and bring it into force, in seconds, with some to spare.
  static let haste = 0.000_15

  private var lastReading = -Double.infinity

  /// How long what waits now is left to gather, in seconds.
  ///
  /// - Parameters:
  ///   - seconds: what time it is.
  ///   - cycle: how long a cycle of the server is; 0 where there is none.
  ///   - timeToCycle: when the next one begins, in seconds from that time; nil where nobody knows.
  func rest(at seconds: Double, cycle: Double, timeToCycle: Double?) -> Double {
    let rest = max(0, lastReading + min(max(cycle / 5, 0.000_25), 0.001) - seconds)
    if let timeToCycle, (0...rest + Self.haste).contains(timeToCycle) { return 0 }
    return rest
  }

  /// Something was read.
  mutating func noteReading(at seconds: Double) { lastReading = seconds }
}
