import SessionPolicy

/// What an event has done to the levels of sessions: by far the most of what faders send, and it decides nothing.
///
/// It says nothing about a state: states are equal whatever was done last.
public struct LevelChanges: Sendable {
  /// How often the event has set the volume or the pan of a session.
  public private(set) var count = 0
  /// Whose they were; of no use where `isMixed`.
  public private(set) var sessions = SessionPlaces()
  /// Whether something else has been tried, too.
  public private(set) var isMixed = false

  /// Something is tried as a part of the event. What is refused may leave its traces, too (A8).
  mutating func note(_ event: Event, in state: PolicyState) {
    switch event {
    case .set(let session, .volume), .set(let session, .pan):
      guard let place = state.index(of: session) else { fallthrough }
      noteLevel(ofSessionAt: place)
    default: isMixed = true
    }
  }

  /// A level is set as a part of the event.
  mutating func noteLevel(ofSessionAt place: Int) {
    count += 1
    sessions.insert(place)
  }

  mutating func removeAll() {
    isMixed = false
    guard count > 0 else { return }
    count = 0
    sessions.removeAll()
  }
}

extension LevelChanges: Hashable {
  public static func == (first: LevelChanges, second: LevelChanges) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
