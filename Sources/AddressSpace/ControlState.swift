import SessionPolicy

/// All that messages can change: the policy and the scenes.
///
/// An event is begun, messages are applied to it (`AddressTable.apply`), and its end says what is to be told. Beside
/// that the host has events of its own (`nextOwnEvent`): idle sessions are released, and scenes arrive.
public struct ControlState: Hashable, Sendable {
  public internal(set) var policy: PolicyState
  public internal(set) var scenes: SceneBook
  /// What recalls have still to do.
  var crossfade = Crossfade()
  /// The scenes that the present event has recalled.
  var recalled: [String] = []
  /// Where addresses led.
  private var memory = AddressMemory()
  /// What the present event has done to levels of sessions.
  public internal(set) var levelChanges = LevelChanges()
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
    moveGlides(to: time)
    policy.beginEvent(at: time)
    recalled.removeAll()
    levelChanges.removeAll()
    reached = 0
  }

  /// Applies what has happened to the machine itself, as a part of the present event.
  public mutating func apply(_ event: Event) throws(Refusal) {
    levelChanges.note(event, in: policy)
    try policy.apply(event)
  }

  /// Where an address without wild cards leads.
  mutating func target(of address: String) throws(Refusal) -> AddressTable.Target {
    if let target = knownTarget(of: address) { return target }
    let target = try AddressTable.resolve(address, in: policy)
    memory.note(target, in: policy)
    return target
  }

  /// Where an address leads, if it is known.
  func knownTarget(of address: String) -> AddressTable.Target? { memory.target(of: address, in: policy) }

  /// What a press comes to, if it is known where its address leads and nothing but that is needed.
  ///
  /// - Parameter bytes: the packet that it lies in.
  func event(of press: Press, in bytes: Span<UInt8>) -> Event? {
    // Where a scene is on its way it has to let go of what is set.
    crossfade.isEmpty ? memory.event(of: press, in: bytes, policy) : nil
  }

  /// Does what a press does, if it is known that it sets a level and nothing else. Returns whether it was.
  ///
  /// - Parameter bytes: the packet that it lies in.
  mutating func setLevel(by press: Press, in bytes: Span<UInt8>) -> Bool {
    guard crossfade.isEmpty, let change = memory.levelChange(of: press, in: bytes, policy) else { return false }
    levelChanges.noteLevel(ofSessionAt: change.index)
    policy.setLevel(change.level, ofSessionAt: change.index, to: change.value)
    return true
  }

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

  /// The machine has other routes, as a part of the present event.
  public mutating func setRoutes(outputs: [OutputRoute], inputs: [InputRoute]) {
    policy.setRoutes(outputs: outputs, inputs: inputs)
    // What they are called has moved.
    memory = AddressMemory()
  }

  /// There are other scenes. The one that was recalled last stays so while it exists.
  public mutating func setScenes(_ list: [Scene], safe: [String]? = nil) {
    scenes.scenes = list
    if let safe { scenes.safe = safe }
    if scenes.scene(named: scenes.current) == nil { scenes.current = "" }
  }

  /// This scene counts as the one that was recalled last, if it exists. Nothing else changes.
  public mutating func setCurrentScene(_ name: String) {
    if scenes.scene(named: name) != nil { scenes.current = name }
  }

  /// Ends the event and says what listeners are told of it, in the order of the policy.
  public mutating func endEvent() -> [Message] {
    let notices = policy.endEvent()
    if notices.isEmpty, recalled.isEmpty { return [] }
    return notices.map(\.message) + recalled.map { Message("/scene/recalled", .string($0)) }
  }
}

/// What the host does by itself.
extension ControlState {
  /// What an event of the host's own has come to.
  public struct OwnEvent: Sendable {
    /// Seconds.
    public let time: Double
    /// It is as if somebody had sent these.
    public let messages: [Message]
    /// What the messages are answered, and to whom.
    public var replies: [(reply: Reply, reader: ReaderID)] = []
    /// What listeners are told.
    public var notices: [Message] = []
  }

  /// When the host does something by itself next, in seconds.
  public var nextOwnEvent: Double? {
    switch (crossfade.closings.first?.time, policy.nextIdleReleaseTime) {
    case (let closing?, let release?): min(closing, release)
    case (let closing, let release): closing ?? release
    }
  }

  /// Does what is due first by a time: an event of its own, at its time, but not before the last event.
  public mutating func performOwnEvent(until time: Double) -> OwnEvent? {
    guard let next = nextOwnEvent, next <= time else { return nil }
    // A time that is set late is over when it is set, not before.
    let moment = max(next, policy.lastEventTime)
    if let release = policy.nextIdleRelease, release.time == next, crossfade.closings.first?.time != next {
      moveGlides(to: moment)
      let message = Message("/session/\(release.session.name)/active", .bool(false), .string("notifyOthers"))
      let notices = policy.releaseIdle(release.session.id, at: moment).map(\.message)
      return OwnEvent(time: moment, messages: [message], notices: notices)
    }
    let due = crossfade.closings.filter { $0.time == next }
    crossfade.closings.removeAll { $0.time == next }
    var event = OwnEvent(time: moment, messages: due.map(\.message))
    beginEvent(at: moment)
    for closing in due {
      event.replies += AddressTable.apply(closing.message, to: &self, reader: closing.reader).map {
        ($0, closing.reader)
      }
    }
    event.notices = endEvent()
    return event
  }

  /// Whether a scene is on its way, or somebody has taken something of it into his hand that is not told yet
  /// (`takeRetaken`).
  public var hasSceneOnItsWay: Bool { !crossfade.isEmpty || !crossfade.retaken.isEmpty }

  /// Whether numbers are on their way.
  public var isGliding: Bool { !crossfade.glides.isEmpty }

  /// When the first of the numbers that are on their way arrives, in seconds.
  public var nextArrival: Double? { crossfade.glides.lazy.map(\.end).min() }

  /// Brings the numbers that are on their way to where they are at a time. That is no event: it decides nothing.
  public mutating func moveGlides(to time: Double) {
    guard isGliding else { return }
    let glides = crossfade.glides
    crossfade.glides = glides.compactMap { glide in
      // Its session or route may be gone, or somebody else may have set it.
      guard let target = try? AddressTable.resolve(glide.address, in: policy),
        AddressTable.value(at: target, in: self, SilentEnvironment()) == glide.last
      else {
        crossfade.retaken.insert(glide.address)
        return nil
      }
      AddressTable.write([.double(glide.value(at: time))], at: target, &self, SilentEnvironment())
      guard time < glide.end else { return nil }
      var moved = glide
      moved.last = AddressTable.value(at: target, in: self, SilentEnvironment())
      return moved
    }
  }

  /// Where the scenes that are on their way lead: the policy as it will be when they have arrived, if nothing else
  /// happens; `nil` where none is on its way.
  public var destination: PolicyState? {
    guard !crossfade.isEmpty else { return nil }
    var copy = self
    copy.crossfade = Crossfade()
    for glide in crossfade.glides {
      guard let target = try? AddressTable.resolve(glide.address, in: copy.policy) else { continue }
      AddressTable.write([.double(glide.to)], at: target, &copy, SilentEnvironment())
    }
    for closing in crossfade.closings { _ = AddressTable.apply(closing.message, to: &copy) }
    return copy.policy
  }

  /// Every value that is remembered beyond the end of the daemon, as it is set.
  public var remembered: [Message] {
    rememberedOfHost + policy.sessions.indices.flatMap { remembered(ofSessionAt: $0) }
  }

  /// Those of the host and of its output routes.
  public var rememberedOfHost: [Message] {
    AddressTable.remembered.flatMap { endpoint -> [Message] in
      switch endpoint.subject {
      case .one: return [remembered(endpoint, at: 0, endpoint.address)]
      case .route:
        return policy.outputRoutes.indices.map { index in
          remembered(endpoint, at: index, endpoint.address(of: policy.outputRoutes[index].name))
        }
      case .session, .input: return []
      }
    }
  }

  /// Those of a session: they depend on nothing but itself.
  public func remembered(ofSessionAt index: Int) -> [Message] {
    let name = policy.sessions[index].name
    return AddressTable.remembered.filter { $0.subject == .session }.map { endpoint in
      remembered(endpoint, at: index, endpoint.address(of: name))
    }
  }

  private func remembered(_ endpoint: Endpoint, at index: Int, _ address: String) -> Message {
    let target = AddressTable.Target(endpoint: endpoint, index: index, address: address)
    let value = AddressTable.value(at: target, in: self, SilentEnvironment())
    return Message(address, value.isEmpty ? [.string("none")] : value)
  }

  /// Takes the addresses whose way somebody has changed since the last time: by a further recall, or by hand.
  public mutating func takeRetaken() -> Set<String> {
    defer { crossfade.retaken.removeAll() }
    return crossfade.retaken
  }
}
