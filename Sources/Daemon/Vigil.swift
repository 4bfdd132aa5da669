/// The last moments before a cycle, which the control thread spends awake while somebody has a hand in the sound: who has to
/// be woken for a message first is too late for that cycle.
///
/// A vigil begins before the cycle is expected, and ends when the audio thread has begun it. By how much cycles come earlier
/// or later than expected depends on the machine: next to nothing on hardware, a quarter of a millisecond on a virtual
/// machine. Both are learnt in steps up and down whose ratio is the share of cycles that may be missed (a quantile by
/// stochastic approximation, Robbins and Monro 1951). Of short cycles no more than a third is spent so before it is time.
///
/// Control thread only.
struct Vigil {
  /// What it takes to be woken and to bring a message into force, in seconds.
  private static let waking = 0.000_15
  /// How long after a message more are expected of the same hand, in seconds.
  private static let attention = 1.0
  /// What a cycle that was missed adds, and what one that was met takes away, in seconds: one in two hundred is missed.
  private static let (raise, fall) = (0.000_02, 0.000_000_1)
  /// How uneven cycles may be and still all be met, in seconds.
  private static let limit = 0.000_3

  /// How much earlier and later than expected a cycle may begin and be met, in seconds.
  private(set) var (earliness, lateness) = (0.000_05, 0.000_1)
  private var lastMessage = -Double.infinity
  /// The first frame of the newest cycle at the last look, if that was in a time of attention.
  private var begun: UInt64?
  /// Whether the cycle after that one was waited for in vain.
  private var isOverdue = false

  /// How long before a cycle a vigil begins, in seconds.
  ///
  /// - Parameter cycle: how long a cycle is.
  func lead(cycle: Double) -> Double { min(Self.waking + earliness, cycle / 3) }

  /// Something was read.
  mutating func noteMessage(at seconds: Double) { lastMessage = seconds }

  /// When to keep the next one: in how many seconds it begins, at once from 0 on, and ends at the latest; nil where no hand is
  /// at work, or nobody knows when the next cycle comes.
  ///
  /// - Parameters:
  ///   - seconds: what time it is.
  ///   - timeToCycle: when a cycle is expected, in seconds from that time.
  ///   - cycle: how long a cycle is, in seconds.
  func span(at seconds: Double, timeToCycle: Double?, cycle: Double) -> (start: Double, end: Double)? {
    guard seconds - lastMessage < Self.attention, let timeToCycle else { return nil }
    let end = timeToCycle + min(lateness, cycle / 3)
    return end > 0 ? (timeToCycle - lead(cycle: cycle), end) : nil
  }

  /// A look outside of vigils: a cycle that has begun since the last one has come too early for its vigil.
  mutating func look(at seconds: Double, cycle: UInt64) {
    guard seconds - lastMessage < Self.attention else {
      begun = nil
      return
    }
    guard begun != cycle else { return }
    if begun != nil, !isOverdue { earliness = min(Self.limit, earliness + Self.raise) }
    (begun, isOverdue) = (cycle, false)
  }

  /// A vigil is over that began in one cycle, and ended in the next if that came in time.
  mutating func end(from former: UInt64, in cycle: UInt64) {
    (begun, isOverdue) = (cycle, cycle == former)
    if isOverdue {
      lateness = min(Self.limit, lateness + Self.raise)
    } else {
      lateness = max(0, lateness - Self.fall)
      earliness = max(0, earliness - Self.fall)
    }
  }
}
