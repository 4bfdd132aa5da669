import SessionPolicy

/// The address space: one table through which everything is read and written.
public enum AddressTable {
  /// Every row, in the order in which a pattern reaches them.
  public static let endpoints: [Endpoint] =
    Endpoint.host + Endpoint.routes + Endpoint.sessionActs + Endpoint.sessions + Endpoint.daemon

  static let rows = EndpointIndex(endpoints)

  /// Reads or writes what a message addresses, as part of the event that has begun in `state`.
  ///
  /// A message that is refused changes nothing (but for A8) and holds back nothing else of its event.
  /// - Returns: values that were read, refusals, and what the daemon is asked for, in their order.
  public static func apply(
    _ message: Message, to state: inout PolicyState, environment: some Environment = SilentEnvironment(),
    reader: ReaderID = .only
  ) -> [Reply] {
    do {
      if AddressPattern.isPattern(message.address) {
        let targets = try targets(of: message.address, in: state, reading: message.arguments.isEmpty)
        var replies: [Reply] = []
        for target in targets {
          do {
            replies += try apply(message.arguments, to: target, &state, environment, reader)
          } catch {
            replies.append(.refused(address: target.address, error))
          }
        }
        return replies
      }
      return try apply(
        message.arguments, to: resolve(message.address, in: state), &state, environment, reader)
    } catch {
      return [.refused(address: message.address, error)]
    }
  }

  private static func apply(
    _ arguments: [Argument], to target: Target, _ state: inout PolicyState, _ environment: some Environment,
    _ reader: ReaderID
  ) throws(Refusal) -> [Reply] {
    if arguments.isEmpty, let read = target.endpoint.read {
      let scope = Scope(state: state, index: target.index, environment: environment, reader: reader)
      return [.value(Message(target.address, read(scope)))]
    }
    switch try action(arguments, target, state, environment, reader) {
    case .event(let event): return try perform(event, &state)
    case .request(let request): return [.request(request)]
    case .eventAndRequest(let event, let request): return try perform(event, &state) + [.request(request)]
    }
  }

  private static func perform(_ event: Event, _ state: inout PolicyState) throws(Refusal) -> [Reply] {
    guard let ignored = try state.apply(event) else { return [] }
    return [.ignoredRemote(ignored)]
  }

  /// What the arguments come to. All of them are judged before anything is done.
  ///
  /// Not a part of `apply`, so that the scope's copy of the state is gone before the state is changed: a state that is
  /// held twice would be copied as a whole.
  @inline(never)
  private static func action(
    _ arguments: [Argument], _ target: Target, _ state: PolicyState, _ environment: some Environment,
    _ reader: ReaderID
  ) throws(Refusal) -> Action {
    guard let write = target.endpoint.write else {
      throw Refusal(.forbidden, "\(target.endpoint.address) can only be read")
    }
    var words = Words(arguments)
    let scope = Scope(state: state, index: target.index, environment: environment, reader: reader)
    let action = try write(scope, &words)
    try words.end()
    return action
  }

  // MARK: Resolution

  /// An endpoint and what it is about.
  struct Target {
    let endpoint: Endpoint
    let index: Int
    let address: String
  }

  private static func resolve(_ address: String, in state: PolicyState) throws(Refusal) -> Target {
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
  private static func targets(
    of pattern: String, in state: PolicyState, reading: Bool
  ) throws(Refusal) -> [Target] {
    let parsed = AddressPattern(pattern)
    var targets: [Target] = []
    for endpoint in endpoints where endpoint.access != .act && !(reading && !endpoint.isReadable) {
      let names: [String]
      switch endpoint.subject {
      case .one:
        if parsed.matches(endpoint.address) {
          targets.append(Target(endpoint: endpoint, index: 0, address: endpoint.address))
        }
        continue
      case .session: names = state.sessions.map(\.name)
      case .route: names = state.outputRoutes.map(\.name)
      case .input: names = state.inputRoutes.map(\.name)
      }
      guard parsed.mayMatch(endpoint.parts, at: 2) else { continue }
      for (index, name) in names.enumerated() where parsed.matches(part: 2, name) {
        targets.append(Target(endpoint: endpoint, index: index, address: endpoint.address(of: name)))
      }
    }
    guard !targets.isEmpty else {
      throw Refusal(.badAddress, "nothing matches the pattern \(pattern)")
    }
    return targets
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
    var trial = state
    trial.beginEvent(at: 0)
    for name in sessions.sorted() where trial.sessionID(named: name) == nil {
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
