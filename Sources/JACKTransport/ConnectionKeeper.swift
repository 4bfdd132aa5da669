/// Decides which connections are made at Eider's ports: a pure function of what is wanted and of what happens in the
/// graph. It makes the wanted ones when their ports appear, never again one that a person took away (until that client
/// or the server restarts), and leaves alone those that people make besides.
///
/// Feed it every notification (`note`), tell it what is wanted (`set`, `remove`), carry out its `takeActions`.
public struct ConnectionKeeper {
  /// Whose ports are connected. Names are those of sessions and routes.
  public enum End: Hashable, Sendable {
    /// A session's inputs, fed by other programs.
    case session(String)
    /// An output route, which feeds the hardware.
    case output(String)
    /// An input route, fed by the hardware.
    case input(String)

    /// Which way the ports of the others look.
    var otherDirection: PortDirection {
      switch self {
      case .session, .input: .output
      case .output: .input
      }
    }
  }

  /// What is to be done in the graph.
  public enum Action: Hashable, Sendable {
    case connect(PortConnection)
    case disconnect(PortConnection)
  }

  /// Who feeds a session.
  public struct Feed: Hashable, Sendable {
    /// The clients that are connected to its inputs, by whomever.
    public var clients: Set<String> = []
    /// Whether nobody feeds it because the last client that did has disappeared (and not because a person
    /// disconnected it).
    public var hasLostClient = false
  }

  /// What is wanted of an end.
  struct Wish {
    var ownPorts: [String]
    let selection: PortSelection
  }

  /// Eider's own client, whose ports no pattern matches.
  let client: String
  var wishes: [End: Wish] = [:]
  /// By end, the ports of others that it means, by full name, with the numbers of the patterns that match.
  var matched: [End: [String: [Int]]] = [:]
  /// The ends of own ports, by full name.
  var ends: [String: End] = [:]
  var ports: [String: JACKPort] = [:]
  /// The clients of ports where they are not what stands before the first colon, until these clients go.
  var owners: [String: String] = [:]
  var connections: Set<PortConnection> = []
  /// Connections that the keeper has asked for and not seen yet.
  var asked: Set<PortConnection> = []
  /// Connections that exist because the keeper asked for them.
  var made: Set<PortConnection> = []
  /// Connections that the keeper is taking away.
  var releasing: Set<PortConnection> = []
  /// Connections that somebody else took away, and when.
  var removed: [PortConnection: UInt64] = [:]
  /// By session, the client that was disconnected last, and when.
  var emptied: [String: (client: String, time: UInt64)] = [:]
  var feeds: [String: Feed] = [:]
  /// Ends for which a port has appeared since the last actions.
  var changed: Set<End> = []

  /// A keeper for the ports of the client of this name, which wants nothing yet and knows no port.
  public init(client: String) { self.client = client }

  // MARK: What is wanted

  /// What an end wants: its own ports (full names, one a channel) connected to the selected ones of others. Replaces
  /// what it wanted before.
  public mutating func set(_ end: End, ownPorts: [String], selection: PortSelection) {
    for port in wishes[end]?.ownPorts ?? [] { ends[port] = nil }
    for port in ownPorts { ends[port] = end }
    wishes[end] = Wish(ownPorts: ownPorts, selection: selection)
    matchAll(end)
    if case .session(let name) = end, feeds[name] == nil { updateFeed(name) }
  }

  /// Nothing more is wanted of an end. Its connections stay until its ports go.
  public mutating func remove(_ end: End) {
    for port in wishes[end]?.ownPorts ?? [] { ends[port] = nil }
    wishes[end] = nil
    matched[end] = nil
    changed.remove(end)
    if case .session(let name) = end {
      feeds[name] = nil
      emptied[name] = nil
    }
  }

  // MARK: What is known

  /// Whether both ports of a connection exist, as far as the keeper has been told.
  public func knowsPorts(of connection: PortConnection) -> Bool {
    ports[connection.source] != nil && ports[connection.destination] != nil
  }

  /// The ports of others that an end means and that exist, in the order of its channels.
  public func targets(of end: End) -> [String] {
    (matched[end] ?? [:]).sorted {
      let (a, b) = ($0.value.first ?? 0, $1.value.first ?? 0)
      return a != b ? a < b : NaturalOrder.isBefore($0.key, $1.key)
    }.map(\.key)
  }

  /// Whether each pattern of a route matches a port that exists (policy §10: available).
  public func isAvailable(_ end: End) -> Bool {
    guard let wish = wishes[end], wish.selection.count > 0 else { return false }
    return Set((matched[end] ?? [:]).values.joined()).count == wish.selection.count
  }

  /// Whether an end has every connection that it wants with the ports that exist, but for those that a person took away.
  public func isWired(_ end: End) -> Bool {
    guard let wish = wishes[end] else { return true }
    return wantedConnections(end, wish).allSatisfy { connections.contains($0) || removed[$0] != nil }
  }

  /// The connections of Eider's own ports, whoever made them.
  public var ownConnections: Set<PortConnection> {
    connections.filter { ends[$0.source] != nil || ends[$0.destination] != nil || isOwn($0.source) }
  }

  /// Whether a port is Eider's, such as one of a microphone send, for which no end wants anything.
  private func isOwn(_ port: String) -> Bool { owner(of: port) == client }

  /// The client that owns a port, or did when it was there.
  func owner(of port: String) -> String { owners[port] ?? JACKNames.client(of: port) }

  /// Who feeds a session (policy §9).
  public func feed(of session: String) -> Feed { feeds[session] ?? Feed() }

  // MARK: What is to be done

  /// What is to be done now, for ends with news; each action is given once. Tell `failed` of those that fail.
  public mutating func takeActions() -> [Action] {
    var actions: [Action] = []
    for end in changed.sorted(by: { "\($0)" < "\($1)" }) {
      guard let wish = wishes[end] else { continue }
      let wanted = wantedConnections(end, wish)
      let own = Set(wish.ownPorts)
      for stale in made.union(asked) where own.contains(ownSide(of: stale, end)) && !wanted.contains(stale) {
        made.remove(stale)
        asked.remove(stale)
        releasing.insert(stale)
        actions.append(.disconnect(stale))
      }
      for connection in wanted where isOpen(connection) {
        asked.insert(connection)
        actions.append(.connect(connection))
      }
    }
    changed = []
    return actions
  }

  /// An action that JACK refused: it is tried again when one of its ports appears anew.
  public mutating func failed(_ action: Action) {
    switch action {
    case .connect(let connection): asked.remove(connection)
    case .disconnect(let connection): releasing.remove(connection)
    }
  }

  private func isOpen(_ connection: PortConnection) -> Bool {
    removed[connection] == nil && !connections.contains(connection) && !asked.contains(connection)
  }

  /// The connections that an end wants with the ports that exist, in the order of channels.
  private func wantedConnections(_ end: End, _ wish: Wish) -> [PortConnection] {
    let targets = targets(of: end)
    switch end {
    case .output: return zip(wish.ownPorts, targets).map { PortConnection($0, $1) }
    case .input: return zip(wish.ownPorts, targets).map { PortConnection($1, $0) }
    case .session:
      // The k-th port of a client goes to channel k; a client with one port goes to all channels.
      var result: [PortConnection] = []
      for (_, sources) in Dictionary(grouping: targets, by: owner).sorted(by: { $0.key < $1.key }) {
        if sources.count == 1 {
          result += wish.ownPorts.map { PortConnection(sources[0], $0) }
        } else {
          result += zip(sources, wish.ownPorts).map { PortConnection($0, $1) }
        }
      }
      return result
    }
  }

  private func ownSide(of connection: PortConnection, _ end: End) -> String {
    end.otherDirection == .output ? connection.destination : connection.source
  }

  /// The numbers of the patterns of an end that match a port, nil if it is not meant.
  func matches(_ port: JACKPort, _ end: End) -> [Int]? {
    guard port.isAudio, port.direction == end.otherDirection, port.client != client else { return nil }
    let numbers = wishes[end]?.selection.matches(port) ?? []
    return numbers.isEmpty ? nil : numbers
  }

  /// Looks at all ports for an end.
  mutating func matchAll(_ end: End) {
    matched[end] = Dictionary(
      ports.values.compactMap { port in matches(port, end).map { (port.name, $0) } }, uniquingKeysWith: { $1 })
    changed.insert(end)
  }
}
