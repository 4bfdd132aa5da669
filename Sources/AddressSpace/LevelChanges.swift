import SessionPolicy

/// What an event has done to the levels of sessions: by far the most of what faders send, and it decides nothing.
///
/// It says nothing about a state: states are equal whatever was done last.
public struct LevelChanges: Sendable {
  /// The sessions that are named; those of more changes are not.
  public static let capacity = 32

  /// How many parts of the event have set the volume or the pan of a session, and done nothing else.
  public private(set) var count = 0
  /// The sessions of the first of them, once for each.
  public private(set) var sessions: [SessionID] = []

  /// A part of the event has been done.
  mutating func note(_ event: Event) {
    guard case .set(let session, let attribute) = event else { return }
    switch attribute {
    case .volume, .pan: break
    default: return
    }
    count += 1
    if count <= Self.capacity { sessions.append(session) }
  }

  mutating func removeAll() {
    guard count > 0 else { return }
    count = 0
    sessions.removeAll(keepingCapacity: true)
  }
}

extension LevelChanges: Hashable {
  public static func == (first: LevelChanges, second: LevelChanges) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
