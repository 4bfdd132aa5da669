/// Lets what comes thick and fast gather, so that a flood is read in portions.
///
/// What is read of a flood comes into force together, as one plan for the mixer, which takes no more than one in a cycle. What
/// comes alone is read at once; what comes right after it waits for the rest of a span: a fifth of a cycle, at least a quarter
/// of a millisecond and at most one. A flood waits for half a cycle, at most two and a half milliseconds. But what is there
/// shortly before a cycle is read in time for it, and of a thin flood what has come since, too.
///
/// Control thread only.
struct Gathering {
  /// What it takes to wake up, read a portion and bring it into force, in seconds, with some to spare.
  static let haste = 0.000_2
  /// The same for what a flood brings after that, unless it is a dense one.
  static let lastCall = 0.000_09
  /// The most packets that are read at a time.
  static let limit = 256
  /// As many packets as this make a flood: more of them will come before the span is over.
  private static let flood = 8
  /// And as many a dense one: no hand is among it that would notice a cycle, and each further look costs.
  private static let density = 32

  private var lastReading = -Double.infinity
  /// Whether more is sure to come: nobody has to be woken to be told so.
  private(set) var isFlooded = false
  private var isDense = false

  /// How long what waits now is left to gather, in seconds.
  ///
  /// - Parameters:
  ///   - seconds: what time it is.
  ///   - cycle: how long a cycle of the server is; 0 where there is none.
  ///   - timeToCycle: when the next one begins, in seconds from that time; nil where nobody knows.
  func rest(at seconds: Double, cycle: Double, timeToCycle: Double?) -> Double {
    let span = isFlooded ? min(max(cycle / 2, 0.000_25), 0.002_5) : min(max(cycle / 5, 0.000_25), 0.001)
    let rest = max(0, lastReading + span - seconds)
    guard let timeToCycle, timeToCycle >= 0 else { return rest }
    // A flood that has been read for that cycle already would be read packet by packet until then: it is looked at once more.
    let isRead = isFlooded && !isDense && lastReading > seconds + timeToCycle - Self.haste
    let haste = isRead ? Self.lastCall : Self.haste
    guard !isFlooded || lastReading <= seconds + timeToCycle - haste else { return rest }
    return min(rest, max(0, timeToCycle - haste))
  }

  /// So many packets were read.
  mutating func noteReading(at seconds: Double, packets: Int) {
    isFlooded = packets >= Self.flood
    isDense = packets >= Self.density
    // What was left over does not wait.
    if packets > 0 { lastReading = packets < Self.limit ? seconds : -.infinity }
  }
}
