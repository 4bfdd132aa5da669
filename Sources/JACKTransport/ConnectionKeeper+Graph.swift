extension ConnectionKeeper {
  /// A port that disappears within this many microseconds of a disconnection took the connection with it; what was
  /// disconnected earlier, a person did. (A server takes both away in one go, but tells of them one after the other.)
  static let disappearing: UInt64 = 250_000

  /// Starts with a server: its ports and connections as they are, with no memory of what people took away before.
  /// Sessions that were fed on the server before have lost their clients.
  public mutating func begin(ports list: [JACKPort], connections existing: [PortConnection]) {
    for (session, feed) in feeds where !feed.clients.isEmpty {
      feeds[session] = Feed(clients: [], hasLostClient: true)
    }
    asked = []
    made = []
    releasing = []
    removed = [:]
    emptied = [:]
    owners = [:]
    replaceGraph(list, existing)
  }

  /// The graph read anew on the same server, after notifications were missed. What stood before, or was asked for, and
  /// is not there although its ports are, a person has taken away.
  ///
  /// - Parameter time: when it was read, in microseconds of JACK's clock.
  public mutating func refresh(ports list: [JACKPort], connections existing: [PortConnection], at time: UInt64) {
    let names = Set(list.map(\.name))
    removed = removed.filter { names.contains($0.key.source) && names.contains($0.key.destination) }
    for connection in existing { removed[connection] = nil }
    for gone in connections.union(asked).subtracting(existing).subtracting(releasing) {
      guard names.contains(gone.source), names.contains(gone.destination), isKept(gone) else { continue }
      removed[gone] = time
    }
    made = made.union(asked).intersection(existing)
    asked = []
    releasing = []
    let before = feeds
    replaceGraph(list, existing)
    let clients = Set(list.map(\.client))
    for (session, feed) in before where !feed.clients.isEmpty && feed.clients.isDisjoint(with: clients) {
      if self.feed(of: session).clients.isEmpty { feeds[session] = Feed(hasLostClient: true) }
    }
  }

  /// The server is gone, and all ports with it: no route is available, nobody feeds a session.
  public mutating func end() { begin(ports: [], connections: []) }

  /// Something happened in the graph. `describe` reads what is known of a port, nil if it is not there (any more).
  public mutating func note(_ news: TimedNotification, describe: (String) -> JACKPort?) {
    switch news.notification {
    case .portRegistered(let name):
      if let port = describe(name) { appear(port) }
    case .portUnregistered(let name):
      disappear(name, at: news.time)
    case .portRenamed(let old, let new):
      rename(old, to: new, describe: describe)
    case .connected(let connection):
      connect(connection)
    case .disconnected(let connection):
      disconnect(connection, at: news.time)
    case .clientUnregistered(let name):
      removed = removed.filter { owner(of: $0.key.source) != name && owner(of: $0.key.destination) != name }
      owners = owners.filter { $0.value != name }
    case .metadataChanged(let identity):
      for port in ports.values where identity == 0 || port.identity == identity {
        if let now = describe(port.name), now != port { appear(now) }
      }
    case .serverGone:
      end()
    case .clientRegistered, .graphReordered, .xrun, .periodChanged, .sampleRateChanged, .freewheelingChanged, .missed:
      break
    }
  }

  /// The ports of others that a pattern could mean.
  var foreignPorts: some Sequence<JACKPort> { ports.values.filter { $0.isAudio && $0.client != client } }

  /// A port has got other further names.
  mutating func noteAliases(_ aliases: [String], of name: String) {
    guard var port = ports[name] else { return }
    port.aliases = aliases
    appear(port)
  }

  private mutating func replaceGraph(_ list: [JACKPort], _ existing: [PortConnection]) {
    ports = Dictionary(list.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for port in list { noteOwner(of: port) }
    connections = Set(existing)
    for end in wishes.keys {
      matchAll(end)
      if case .session(let name) = end { updateFeed(name) }
    }
  }

  /// A port is there, or is called otherwise than before.
  private mutating func appear(_ port: JACKPort) {
    ports[port.name] = port
    noteOwner(of: port)
    if let end = ends[port.name] { changed.insert(end) }
    for end in wishes.keys {
      let now = matches(port, end)
      if now != nil || matched[end]?[port.name] != nil { changed.insert(end) }
      matched[end]?[port.name] = now
    }
  }

  private mutating func noteOwner(of port: JACKPort) {
    owners[port.name] = port.client == JACKNames.client(of: port.name) ? nil : port.client
  }

  private mutating func disappear(_ name: String, at time: UInt64) {
    // Ends are not looked at anew: a device goes port by port, and the others must not move up in between.
    ports[name] = nil
    for end in wishes.keys { matched[end]?[name] = nil }
    func touches(_ connection: PortConnection) -> Bool { connection.source == name || connection.destination == name }
    for connection in connections.filter(touches) { disconnect(connection, at: time) }
    asked = asked.filter { !touches($0) }
    releasing = releasing.filter { !touches($0) }
    let isOwn = ends[name] != nil || owner(of: name) == client
    removed = removed.filter { connection, then in
      !touches(connection) || !(isOwn || isRecent(then, at: time))
    }
    let gone = owner(of: name)
    for (session, last) in emptied where last.client == gone && isRecent(last.time, at: time) {
      if feed(of: session).clients.isEmpty { feeds[session] = Feed(hasLostClient: true) }
    }
  }

  private func isRecent(_ then: UInt64, at time: UInt64) -> Bool { time < then + Self.disappearing }

  private mutating func rename(_ old: String, to new: String, describe: (String) -> JACKPort?) {
    func renamed(_ connection: PortConnection) -> PortConnection {
      PortConnection(
        connection.source == old ? new : connection.source,
        connection.destination == old ? new : connection.destination)
    }
    connections = Set(connections.map(renamed))
    asked = Set(asked.map(renamed))
    made = Set(made.map(renamed))
    releasing = Set(releasing.map(renamed))
    removed = Dictionary(removed.map { (renamed($0.key), $0.value) }, uniquingKeysWith: max)
    if let owner = owners.removeValue(forKey: old) { owners[new] = owner }
    if let end = ends.removeValue(forKey: old) {
      ends[new] = end
      if let index = wishes[end]?.ownPorts.firstIndex(of: old) { wishes[end]?.ownPorts[index] = new }
    }
    ports[old] = nil
    for end in wishes.keys { matched[end]?[old] = nil }
    if let port = describe(new) { appear(port) }
  }

  private mutating func connect(_ connection: PortConnection) {
    connections.insert(connection)
    // One that is being taken away was told of late: it is not the one that has been asked for since.
    if !releasing.contains(connection) {
      if asked.remove(connection) != nil {
        made.insert(connection)
      } else {
        removed[connection] = nil
      }
    }
    if let session = session(of: connection) { updateFeed(session) }
  }

  private mutating func disconnect(_ connection: PortConnection, at time: UInt64) {
    let wasReleased = releasing.remove(connection) != nil
    // It stood, though nobody told of it.
    let wasAsked = !wasReleased && asked.remove(connection) != nil
    guard connections.remove(connection) != nil || wasAsked else { return }
    made.remove(connection)
    if wasReleased {
      // It may be wanted again by now.
      for end in [ends[connection.source], ends[connection.destination]].compactMap(\.self) { changed.insert(end) }
    } else if isKept(connection) {
      removed[connection] = time
    }
    if let session = session(of: connection) {
      updateFeed(session)
      emptied[session] = (owner(of: connection.source), time)
    }
  }

  /// Whether a connection is at a port for which something is wanted.
  private func isKept(_ connection: PortConnection) -> Bool {
    ends[connection.source] != nil || ends[connection.destination] != nil
  }

  private func session(of connection: PortConnection) -> String? {
    if case .session(let name) = ends[connection.destination] { name } else { nil }
  }

  /// Counts anew who feeds a session; whoever is there ends the loss of those before.
  mutating func updateFeed(_ session: String) {
    let own = Set(wishes[.session(session)]?.ownPorts ?? [])
    let clients = Set(connections.filter { own.contains($0.destination) }.map { owner(of: $0.source) })
    let hasLost = clients.isEmpty && (feeds[session]?.hasLostClient ?? false)
    feeds[session] = Feed(clients: clients, hasLostClient: hasLost)
  }
}
