/// Bounds how many `/error` answers one host gets, so that a flood is never answered by a flood.
///
/// In no span of a second are there more than `answersPerSecond` to one host. Time is passed in: any clock that never
/// runs backwards, in nanoseconds.
public struct ErrorRateLimit: Sendable {
  public static let answersPerSecond = 20
  /// Hosts that are kept in mind. When more than these got errors within one second, further ones get none.
  public static let hostLimit = 256

  private static let second: UInt64 = 1_000_000_000

  /// The times of the last answers to each host, at most `answersPerSecond`, oldest first.
  private var answers: [HostAddress: [UInt64]] = [:]
  /// When it was found that no host can be forgotten, and for how long it is not worth looking again.
  private var lastSweep: UInt64?
  private static let sweepInterval = second / 20

  public init() {}

  /// Whether an error may be answered now; if so it counts as answered.
  public mutating func allows(_ host: HostAddress, at nanoseconds: UInt64) -> Bool {
    if answers[host] == nil, answers.count >= Self.hostLimit, !makeRoom(at: nanoseconds) { return false }
    var times = answers[host] ?? []
    if times.count == Self.answersPerSecond {
      guard nanoseconds &- times[0] >= Self.second else { return false }
      times.removeFirst()
    }
    times.append(nanoseconds)
    answers[host] = times
    return true
  }

  /// Forgets the hosts that had no answer within the last second.
  private mutating func makeRoom(at nanoseconds: UInt64) -> Bool {
    if let lastSweep, nanoseconds &- lastSweep < Self.sweepInterval { return false }
    lastSweep = nanoseconds
    answers = answers.filter { nanoseconds &- ($0.value.last ?? 0) < Self.second }
    return answers.count < Self.hostLimit
  }
}
