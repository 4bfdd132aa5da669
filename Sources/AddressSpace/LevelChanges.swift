import SessionPolicy

/// What an event has done to the levels of sessions: by far the most of what faders send, and it decides nothing.
///
/// It says nothing about a state: states are equal whatever was done last.
public struct LevelChanges: Sendable {
  /// The sessions that are named; those of more changes are not.
  public static let capacity = 32

  /// How often the event has set the volume or the pan of a session.
  public private(set) var count = 0
  /// Whose they were, change by change, up to the capacity; of no use where `isMixed`.
  public private(set) var sessions: [SessionID] = []
  /// Whether something else has been tried, too.
  public private(set) var isMixed = false

  /// Something is tried as a part of the event. What is refused may leave its traces, too (A8).
  mutating func note(_ event: Event) {
    guard case .set(let session, let attribute) = event else {
      isMixed = true
      return
    }
    switch attribute {
    case .volume, .pan: noteLevel(of: session)
    default: isMixed = true
    }
  }

  /// A level is set as a part of the event.
  mutating func noteLevel(of session: SessionID) {
    count += 1
    if !isMixed, count <= Self.capacity { sessions.append(session) }
  }

  mutating func removeAll() {
    isMixed = false
    guard count > 0 else { return }
    count = 0
    sessions.removeAll(keepingCapacity: true)
  }
}

extension LevelChanges: Hashable {
  public static func == (first: LevelChanges, second: LevelChanges) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
