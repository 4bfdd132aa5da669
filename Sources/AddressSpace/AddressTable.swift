import SessionPolicy

/// The address space: one table through which everything is read and written.
public enum AddressTable {
  /// Every row, in the order in which a pattern reaches them.
  public static let endpoints: [Endpoint] =
    Endpoint.host + Endpoint.routes + Endpoint.sessionActs + Endpoint.sessions + Endpoint.scenes
    + Endpoint.clients + Endpoint.daemon

  static let rows = EndpointIndex(endpoints)

  /// The rows that are remembered beyond the end of the daemon.
  static let remembered = endpoints.filter(\.isRemembered)

  /// The addresses of the rows, cut at their slashes.
  private static let forms = endpoints.map { AddressPattern.Parts($0.address) }

  /// Reads or writes what a message addresses, as part of the event that has begun in `state`.
  ///
  /// A message that is refused changes nothing (but for A8) and holds back nothing else of its event.
  /// - Returns: values that were read, refusals, and what the daemon is asked for, in their order.
  public static func apply(
    _ message: Message, to state: inout ControlState, environment: some Environment = SilentEnvironment(),
    reader: ReaderID = .only
  ) -> [Reply] {
    do throws(Refusal) {
      if let target = state.knownTarget(of: message.address) {
        return apply(message.arguments, to: target, &state, environment, reader)
      }
      if AddressPattern.isPattern(message.address) {
        let isReading = message.arguments.isEmpty
        try state.prepareToReach()
        let targets = try targets(of: message.address, in: state.policy, reading: isReading)
        try state.reach(targets.count)
        guard isReading else {
          return targets.flatMap { apply(message.arguments, to: $0, &state, environment, reader) }
        }
        return read(targets, in: state, environment, reader)
      }
      let target = try state.target(of: message.address)
      return apply(message.arguments, to: target, &state, environment, reader)
    } catch {
      return [.refused(address: message.address, error)]
    }
  }

  /// What many endpoints read.
  private static func read(
    _ targets: [Target], in state: ControlState, _ environment: some Environment, _ reader: ReaderID
  ) -> [Reply] {
    var values = AddressReader(state, environment: environment)
    return targets.compactMap { target in
      ValueSource(target.endpoint).map { source in
        .value(Message(target.address, values.value(from: source, at: target.index, reader: reader)))
      }
    }
  }

  /// Applies the press of a fader or a button as `apply` does with the message that it is, if its address has led somewhere
  /// lately and nothing else has to be looked at; `nil` if it has to go the long way.
  ///
  /// - Parameter bytes: the packet that it lies in.
  public static func apply(_ press: Press, in bytes: Span<UInt8>, to state: inout ControlState) -> [Reply]? {
    if state.setLevel(by: press, in: bytes) { return [] }
    guard let event = state.event(of: press, in: bytes) else { return nil }
    do throws(Refusal) {
      return try perform(event, &state)
    } catch {
      return [.refused(address: press.address(in: bytes), error)]
    }
  }

  static func apply(
    _ arguments: [Argument], to target: Target, _ state: inout ControlState, _ environment: some Environment,
    _ reader: ReaderID
  ) -> [Reply] {
    // Whoever sets something has the say, not the scene that is on its way.
    if !state.crossfade.isEmpty, !arguments.isEmpty, target.endpoint.access != .act {
      state.crossfade.drop(target.settled(in: state.policy))
    }
    do throws(Refusal) {
      switch try action(arguments, target, state, environment, reader) {
      case .value(let values): return [.value(Message(target.address, values))]
      case .event(let event): return try perform(event, &state)
      case .request(let request): return [.request(request)]
      case .eventAndRequest(let event, let request): return try perform(event, &state) + [.request(request)]
      case .recall(let scene, let seconds, let patterns):
        return recall(scene, seconds: seconds, patterns, &state, environment, reader)
      case .store(let name): return store(name, &state, environment)
      case .setSafe(let patterns):
        state.scenes.safe = patterns
        return []
      }
    } catch {
      return [.refused(address: target.address, error)]
    }
  }

  static func perform(_ event: Event, _ state: inout ControlState) throws(Refusal) -> [Reply] {
    state.levelChanges.note(event, in: state.policy)
    let ignored = try state.policy.apply(event)
    return ignored.map { [.ignoredRemote($0)] } ?? []
  }

  /// What the arguments come to. All of them are judged before anything is done.
  ///
  /// Not a part of `apply`, so that the scope's copy of the state is gone before the state is changed: a state that is
  /// held twice would be copied as a whole.
  @inline(never)
  static func action(
    _ arguments: [Argument], _ target: Target, _ state: ControlState, _ environment: some Environment,
    _ reader: ReaderID
  ) throws(Refusal) -> Action {
    let scope = Scope(
      state: state.policy, scenes: state.scenes, index: target.index, environment: environment, reader: reader)
    if arguments.isEmpty, let read = target.endpoint.read { return .value(read(scope)) }
    guard let write = target.endpoint.write else {
      throw Refusal(.forbidden, "\(target.endpoint.address) can only be read")
    }
    var words = Words(arguments)
    let action = try write(scope, &words)
    try words.end()
    return action
  }

  /// Whether a message can change nothing but what its own client is told.
  public static func onlyReads(_ message: Message) -> Bool {
    if ["/sync", "/subscribe", "/unsubscribe", "/renew"].contains(message.address) { return true }
    if message.address.hasPrefix("/client/") { return true }
    if message.address.hasPrefix("/eider/") { return message.address != "/eider/quit" }
    guard message.arguments.isEmpty else { return false }
    if AddressPattern.isPattern(message.address) { return true }
    let parts = AddressParts(message.address)
    let endpoint = rows.endpoint(at: message.address) ?? parts.flatMap { rows.endpoint($0.subject, $0.attribute) }
    return endpoint?.isReadable ?? true
  }

  /// What an address, or every address of a pattern, reads; an empty list if there is nothing to read.
  public static func read(
    _ address: String, in state: ControlState, environment: some Environment = SilentEnvironment(),
    reader: ReaderID = .only
  ) -> [Message] {
    var copy = state
    return apply(Message(address), to: &copy, environment: environment, reader: reader).compactMap { reply in
      if case .value(let message) = reply { message } else { nil }
    }
  }

  // MARK: Resolution

  /// An endpoint and what it is about.
  struct Target: Sendable {
    let endpoint: Endpoint
    let index: Int
    let address: String

    /// The address under which a crossfade knows it: the volume of the host is that of a route.
    func settled(in state: PolicyState) -> String {
      guard endpoint.address == "/host/volume", let route = state.volumeRouteName else { return address }
      return "/route/\(route)/volume"
    }
  }

  static func resolve(_ address: String, in state: PolicyState) throws(Refusal) -> Target {
    if let endpoint = rows.endpoint(at: address) { return Target(endpoint: endpoint, index: 0, address: address) }
    guard let parts = AddressParts(address) else { throw badAddress(address) }
    let index: Int
    switch parts.subject {
    case .session:
      guard let found = state.sessionID(named: parts.name).flatMap(state.index) else { throw noSuchSession(parts.name) }
      index = found
    case .route:
      guard let found = state.outputRoute(named: parts.name) else { throw noSuchRoute(parts.name) }
      index = found
    case .input:
      guard let found = state.inputRoute(named: parts.name) else { throw noSuchRoute(parts.name) }
      index = found
    case .one: throw badAddress(address)
    }
    guard let endpoint = rows.endpoint(parts.subject, parts.attribute) else { throw badAddress(address) }
    return Target(endpoint: endpoint, index: index, address: address)
  }

  /// Every match of a pattern: in the order of the table, then of the opening of sessions. Acts are never matched, and
  /// who reads matches only what can be read.
  static func targets(
    of pattern: String, in state: PolicyState, reading: Bool
  ) throws(Refusal) -> [Target] {
    let parsed = AddressPattern(pattern)
    var targets: [Target] = []
    // Names are tried once, not once for each endpoint.
    var known: [Endpoint.Subject: [(index: Int, name: String)]] = [:]
    func subjects(_ subject: Endpoint.Subject) -> [(index: Int, name: String)] {
      if let found = known[subject] { return found }
      let names: [String] =
        switch subject {
        case .one: []
        case .session: state.sessions.map(\.name)
        case .route: state.outputRoutes.map(\.name)
        case .input: state.inputRoutes.map(\.name)
        }
      let found = names.enumerated().filter { parsed.matches(part: 2, $1) }.map { (index: $0, name: $1) }
      known[subject] = found
      return found
    }
    for (endpoint, form) in zip(endpoints, forms)
    where endpoint.access != .act && !(reading && !endpoint.isReadable) {
      if endpoint.subject == .one {
        guard parsed.matches(form) else { continue }
        targets.append(Target(endpoint: endpoint, index: 0, address: endpoint.address))
      } else if parsed.mayMatch(form, at: 2) {
        targets += subjects(endpoint.subject).map { index, name in
          Target(endpoint: endpoint, index: index, address: endpoint.address(of: name))
        }
      }
    }
    guard !targets.isEmpty else {
      throw Refusal(.badAddress, "nothing matches the pattern \(pattern)")
    }
    return targets
  }

  /// How many endpoints a message reaches: one, or every match of a pattern.
  public static func matchCount(of message: Message, in state: PolicyState) -> Int {
    guard AddressPattern.isPattern(message.address) else { return 1 }
    return (try? targets(of: message.address, in: state, reading: message.arguments.isEmpty))?.count ?? 0
  }

  static func badAddress(_ address: String) -> Refusal {
    Refusal(.badAddress, "there is no address \(address)")
  }

  static func noSuchSession(_ name: String) -> Refusal {
    Refusal(.noSuchSession, "no session named \"\(name)\" is open")
  }

  static func noSuchRoute(_ name: String) -> Refusal {
    Refusal(.noSuchRoute, "there is no route named \"\(name)\"")
  }
}

extension AddressTable {
  /// Why what a preset or scene writes would be refused whatever the state is, or `nil`.
  ///
  /// - Parameters:
  ///   - sessions: the names that count as open.
  ///   - state: a host with the routes that count as known.
  public static func complaint(about message: Message, sessions: Set<String>, in state: PolicyState) -> Refusal? {
    var trial = ControlState(policy: state)
    trial.beginEvent(at: 0)
    for name in sessions.sorted() where trial.policy.sessionID(named: name) == nil {
      _ = try? trial.apply(.open(name: name, category: .playAndRecord))
    }
    for reply in apply(message, to: &trial) {
      guard case .refused(_, let refusal) = reply else { continue }
      switch refusal.code {
      case .badAddress, .badArguments, .outOfRange, .badName, .noSuchSession, .noSuchRoute, .forbidden: return refusal
      default: continue
      }
    }
    return nil
  }
}
