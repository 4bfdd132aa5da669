import SessionPolicy

/// All that messages can change: the policy and the scenes.
///
/// An event is begun, messages are applied to it (`AddressTable.apply`), and its end says what is to be told.
public struct ControlState: Hashable, Sendable {
  public internal(set) var policy: PolicyState
  public internal(set) var scenes: SceneBook
  /// The scenes that the present event has recalled.
  var recalled: [String] = []
  /// Where addresses led.
  private var memory = AddressMemory()
  /// How many addresses the patterns of the present event have reached.
  private var reached = 0

  /// How many addresses the patterns of one event may reach: more than there are on a host with a thousand sessions, but
  /// so few that no packet can hold up its reader.
  public static let mostReached = 1 << 17

  public init(policy: PolicyState, scenes: SceneBook = SceneBook()) {
    self.policy = policy
    self.scenes = scenes
  }

  /// Begins an event that happens at `time` (seconds, never less than that of the event before).
  public mutating func beginEvent(at time: Double) {
    policy.beginEvent(at: time)
    recalled.removeAll()
    reached = 0
  }

  /// Applies what has happened to the machine itself, as a part of the present event.
  public mutating func apply(_ event: Event) throws(Refusal) { try policy.apply(event) }

  /// Where an address without wild cards leads.
  mutating func place(of address: String) throws(Refusal) -> AddressMemory.Place {
    if let place = memory.place(of: address, in: policy) { return place }
    return memory.note(try AddressTable.resolve(address, in: policy), in: policy)
  }

  /// Where an address leads, if it is known.
  func knownPlace(of address: String) -> AddressMemory.Place? { memory.place(of: address, in: policy) }

  /// A pattern is to be matched. Throws `tooMany` if those of the present event have reached too much already.
  func prepareToReach() throws(Refusal) {
    guard reached < Self.mostReached else {
      throw Refusal(
        .tooMany, "the patterns of one bundle may reach \(Self.mostReached) addresses; send the rest by itself")
    }
  }

  /// A pattern of the present event reaches so many addresses. Throws `tooMany` if they and those before are too many; the
  /// event's further patterns are too many then as well, so that matching them costs nothing.
  mutating func reach(_ count: Int) throws(Refusal) {
    reached = min(Self.mostReached, reached) + count
    if reached > Self.mostReached { try prepareToReach() }
  }

  /// Ends the event and says what listeners are told of it, in the order of the policy.
  public mutating func endEvent() -> [Message] {
    policy.endEvent().map(\.message) + recalled.map { Message("/scene/recalled", .string($0)) }
  }

  /// Releases an idle session: an event of its own, at its time.
  public mutating func releaseIdle(_ id: SessionID, at time: Double) -> [Message] {
    policy.releaseIdle(id, at: time).map(\.message)
  }
}
