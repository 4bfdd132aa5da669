extension JACKClient {
  /// All ports of the server, of whatever type and client.
  public func ports() -> [JACKPort] {
    guard !isServerGone, !isClosed else { return [] }
    return Libjack.ports(handle).compactMap { port(named: $0) }
  }

  /// What is known of the port of a full name, nil if there is none (any more).
  public func port(named name: String) -> JACKPort? {
    guard !isServerGone, !isClosed, let port = Libjack.port(handle, name: name) else { return nil }
    let flags = Libjack.flags(of: port)
    let identity = Libjack.uuid(of: port)
    let prettyName = metadata.perform { Libjack.property(identity, key: Metadata.key("pretty-name")) }
    if prettyName == nil { hasMissedName = true }
    return JACKPort(
      name: name,
      client: owner(of: name),
      aliases: Libjack.aliases(of: port),
      prettyName: prettyName ?? nil,
      direction: flags.isInput ? .input : .output,
      isAudio: Libjack.isAudio(port),
      isPhysical: flags.isPhysical,
      identity: identity)
  }

  /// The client that owns a port. Only where there are several colons the server has to be asked.
  private func owner(of port: String) -> String {
    let candidates = JACKNames.possibleClients(of: port)
    guard candidates.count > 1, let last = candidates.last else { return JACKNames.client(of: port) }
    if let known = owners[port] { return known }
    let owner = candidates.first { Libjack.hasClient(handle, named: $0) } ?? last
    owners[port] = owner
    return owner
  }

  /// The full names of the ports that a port is connected to.
  public func connections(of port: String) -> [String] {
    guard !isServerGone, !isClosed, let port = Libjack.port(handle, name: port) else { return [] }
    return Libjack.connections(handle, of: port)
  }

  /// All connections between the ports of the server.
  public func connections() -> [PortConnection] {
    ports().filter { $0.direction == .output }.flatMap { port in
      connections(of: port.name).map { PortConnection(port.name, $0) }
    }
  }

  /// Connects an output to an input; nothing happens if they are connected.
  public func connect(_ connection: PortConnection) throws(JACKError) {
    try checkServer()
    if Libjack.connect(handle, connection.source, connection.destination) { return }
    try checkPorts(connection)
    throw .notConnected(source: connection.source, destination: connection.destination)
  }

  /// Takes a connection away.
  public func disconnect(_ connection: PortConnection) throws(JACKError) {
    try checkServer()
    if Libjack.disconnect(handle, connection.source, connection.destination) { return }
    try checkPorts(connection)
  }

  /// Waits until the graph reads as it is: a server shows a change of its connections from the next cycle on. Half a
  /// second at most, for a server that stands still.
  func awaitNextCycle() {
    let (first, start) = (serverCycle, Libjack.microseconds)
    // The first that begins may have been under way when the change came.
    while serverCycle &- first < UInt32(2 * period), Libjack.microseconds - start < 500_000 {
      System.sleep(milliseconds: 1)
    }
  }

  private func checkPorts(_ connection: PortConnection) throws(JACKError) {
    for name in [connection.source, connection.destination] where Libjack.port(handle, name: name) == nil {
      throw .noSuchPort(name)
    }
  }
}

/// The keys of JACK's metadata.
enum Metadata {
  /// The full key of a property that JACK itself defines.
  static func key(_ name: String) -> String { "http://jackaudio.org/metadata/" + name }
}
