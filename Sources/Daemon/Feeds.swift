import SessionPolicy

/// Turns who feeds each session into events of automatic activation (§9). Control thread only.
struct Feeds {
  private struct Feed {
    var isConnected = false
    var hasLostClient = false
    /// When the session is given up, if its last client does not return until then.
    var deadline: Double?
  }

  private var feeds: [SessionID: Feed] = [:]

  /// What has changed for a session.
  ///
  /// - Parameters:
  ///   - isConnected: whether some client is connected to its inputs.
  ///   - hasLostClient: whether the last one has disappeared, and was not merely disconnected.
  mutating func update(
    _ session: Session, isConnected: Bool, hasLostClient: Bool, at seconds: Double
  ) -> [Event] {
    var feed = feeds[session.id] ?? Feed()
    defer { feeds[session.id] = feed }
    if isConnected || !hasLostClient {
      feed.deadline = nil
    } else if !feed.hasLostClient {
      // News of the lost wire may have come before.
      feed.deadline = seconds + session.automatic.linger / 1000
    }
    feed.hasLostClient = hasLostClient
    guard feed.isConnected != isConnected else { return [] }
    feed.isConnected = isConnected
    return [.setConnected(session.id, isConnected)]
  }

  /// Whether some client was connected to a session's inputs at last.
  func isConnected(_ session: SessionID) -> Bool { feeds[session]?.isConnected ?? false }

  /// The sessions whose clients have been gone for too long.
  mutating func expire(at seconds: Double) -> [Event] {
    let late = feeds.filter { $0.value.deadline.map { $0 <= seconds } ?? false }.keys.sorted()
    for session in late { feeds[session]?.deadline = nil }
    return late.map { .clientsLost($0) }
  }

  /// When the next session is given up.
  var nextDeadline: Double? { feeds.values.compactMap(\.deadline).min() }

  /// Forgets the sessions that are closed.
  mutating func keep(_ sessions: some Sequence<SessionID>) {
    let open = Set(sessions)
    feeds = feeds.filter { open.contains($0.key) }
  }
}
