/// Lets what comes thick and fast gather, so that a flood is read in portions.
///
/// What is read of a flood comes into force together, as one plan for the mixer, which takes no more than one in a cycle. What
/// comes alone is read at once; what comes right after it waits for the rest of a span: a fifth of a cycle, at least a quarter
/// of a millisecond and at most one. A flood waits for half a cycle, at most two and a half milliseconds. But what is there
/// shortly before a cycle is read in time for it; what comes after that is a matter of the vigil.
///
/// Control thread only.
struct Gathering {
  /// The most packets that are read at a time.
  static let limit = 256
  /// As many packets as this make a flood: more of them will come before the span is over.
  private static let flood = 8
  /// And as many packets a second a dense one: no hand is among it that would notice a cycle, and each look costs.
  private static let density = 15_000.0
  /// For how many seconds the density counts. A stall lets packets pile up, which makes no flood.
  private static let memory = 0.02

  private var lastReading = -Double.infinity
  private var lastNote = -Double.infinity
  /// Packets a second, of late.
  private var rate = 0.0
  /// How many packets the last reading brought.
  private var portion = 0
  /// Whether more is sure to come: nobody has to be woken to be told so.
  private(set) var isFlooded = false
  /// Whether it is a dense flood.
  var isDense: Bool { rate >= Self.density }

  /// How long what waits now is left to gather, in seconds.
  ///
  /// - Parameters:
  ///   - seconds: what time it is.
  ///   - cycle: how long a cycle of the server is; 0 where there is none.
  ///   - timeToCycle: when the next one begins, in seconds from that time; nil where nobody knows.
  ///   - lead: how long before it there has to be a reading, in seconds.
  func rest(at seconds: Double, cycle: Double, timeToCycle: Double?, lead: Double) -> Double {
    let span = isFlooded ? min(max(cycle / 2, 0.000_25), 0.002_5) : min(max(cycle / 5, 0.000_25), 0.001)
    let rest = max(0, lastReading + span - seconds)
    guard let timeToCycle, timeToCycle >= 0 else { return rest }
    // A flood that has been read for that cycle already would be read packet by packet until then.
    guard !isFlooded || lastReading <= seconds + timeToCycle - lead else { return rest }
    return min(rest, max(0, timeToCycle - lead))
  }

  /// So many packets were read.
  mutating func noteReading(at seconds: Double, packets: Int) {
    portion = 0
    noteFurther(at: seconds, packets: packets)
  }

  /// So many packets were read right after a reading, in a vigil.
  mutating func noteFurther(at seconds: Double, packets: Int) {
    portion += packets
    isFlooded = portion >= Self.flood
    rate = (rate * Self.memory + Double(packets)) / (Self.memory + max(0, seconds - lastNote))
    lastNote = seconds
    // What was left over does not wait.
    if packets > 0 { lastReading = packets < Self.limit ? seconds : -.infinity }
  }
}
