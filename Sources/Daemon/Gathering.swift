/// Lets what comes thick and fast gather, so that a flood is read in portions.
///
/// All that is read at once comes into force at once, and makes one plan for the mixer, which takes no more than one in a
/// cycle. What comes alone is read at once; what comes right after it waits for the rest of a span that is a fifth of a
/// cycle of 64 frames at 48 kHz.
///
/// Control thread only.
struct Gathering {
  /// Seconds from one reading to the next, at least.
  static let span = 0.00025

  private var lastReading = -Double.infinity

  /// How long what waits now is left to gather, in seconds, at a time in seconds.
  func rest(at seconds: Double) -> Double { max(0, lastReading + Self.span - seconds) }

  /// Something was read.
  mutating func noteReading(at seconds: Double) { lastReading = seconds }
}
