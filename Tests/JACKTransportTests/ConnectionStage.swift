import Testing

@testable import JACKTransport

/// A graph in which things happen, as a JACK server would tell of them.
struct Stage {
  var keeper = ConnectionKeeper(client: "eider")
  private var ports: [String: JACKPort] = [:]
  private var time: UInt64 = 0

  mutating func tell(_ notification: JACKNotification) {
    let ports = ports
    keeper.note(TimedNotification(time: time, notification: notification)) { ports[$0] }
  }

  mutating func pass(seconds: Double) { time += UInt64(seconds * 1e6) }

  mutating func add(_ port: JACKPort) {
    ports[port.name] = port
    tell(.portRegistered(port.name))
  }

  mutating func add(outputs names: String...) { for name in names { add(JACKPort(name: name, direction: .output)) } }
  mutating func add(inputs names: String...) { for name in names { add(JACKPort(name: name, direction: .input)) } }

  /// A client goes: each port loses its connections, then goes itself, then the client.
  mutating func leave(_ client: String) {
    for name in ports.keys.filter({ JACKNames.client(of: $0) == client }).sorted() { take(name) }
    tell(.clientUnregistered(client))
  }

  mutating func take(_ name: String) {
    for connection in keeper.connections where connection.source == name || connection.destination == name {
      tell(.disconnected(connection))
    }
    ports[name] = nil
    tell(.portUnregistered(name))
  }

  /// Carries out what the keeper wants, and says what that was.
  @discardableResult
  mutating func act() -> [String] {
    let said = actUnheard()
    hear()
    return said
  }

  /// What was carried out and was not told of yet.
  private var unheard: [JACKNotification] = []

  /// Carries out what the keeper wants, and says what that was; the news of it are still under way.
  mutating func actUnheard() -> [String] {
    keeper.takeActions().map { action in
      switch action {
      case .connect(let connection):
        unheard.append(.connected(connection))
        return "+\(connection.source) > \(connection.destination)"
      case .disconnect(let connection):
        unheard.append(.disconnected(connection))
        return "-\(connection.source) > \(connection.destination)"
      }
    }
  }

  /// The news arrive.
  mutating func hear() {
    for notification in unheard { tell(notification) }
    unheard = []
  }

  mutating func session(_ name: String, channels: Int, sources: String...) throws {
    let ports = JACKNames.sessionInputs(name, channels: channels).map { "eider:\($0)" }
    for port in ports { add(JACKPort(name: port, direction: .input)) }
    keeper.set(.session(name), ownPorts: ports, selection: .patterns(try sources.map { try PortPattern($0) }))
  }

  mutating func route(_ name: String, channels: Int, ports patterns: String...) throws {
    let ports = JACKNames.routeOutputs(name, channels: channels).map { "eider:\($0)" }
    for port in ports { add(JACKPort(name: port, direction: .output)) }
    keeper.set(.output(name), ownPorts: ports, selection: .patterns(try patterns.map { try PortPattern($0) }))
  }
}
