import Conductor
import JACKTransport
import MixCore
import Presets
import SessionPolicy

/// What is remembered of a server that has gone, for when it is back.
struct AudioMemory {
  var feeds = Feeds()
  /// The connections of Eider's ports, whoever made them.
  var connections: Set<PortConnection> = []
}

/// The JACK client with its connections, for one server's life. Control thread only.
final class AudioSide {
  let client: JACKClient
  let mixer: Mixer
  private let ports: JACKPorts
  private var preset: Preset
  private let log: Log
  private var keeper: ConnectionKeeper
  private var feeds: Feeds
  /// What is to be wired otherwise once it is silent, and when that is.
  private var rewires: [(owner: AudioPortName.Owner, time: Double)] = []
  /// Late cycles since the start.
  private(set) var xruns = 0
  /// Connections of the server before that are made again when both their ports are there.
  private var restoring: Set<PortConnection>
  /// Until then what is missing may still come back with its server: nothing is lost yet.
  private var graceEnd: Double?
  /// What is to be remembered if the server goes.
  private(set) var memory = AudioMemory()

  /// How long devices and programs have to come back after their server, in seconds.
  private static let grace = 2.0

  /// Opens a client on a running server.
  ///
  /// - Parameters:
  ///   - memory: of the server before.
  ///   - firstFrame: frames go on from there.
  init(
    _ configuration: DaemonConfiguration, log: Log, remembering memory: AudioMemory? = nil, firstFrame: UInt64 = 0,
    at seconds: Double = 0
  ) throws(JACKError) {
    preset = configuration.preset
    self.log = log
    feeds = memory?.feeds ?? Feeds()
    restoring = memory?.connections ?? []
    graceEnd = memory.map { _ in seconds + Self.grace }
    client = try JACKClient.open(
      JACKClient.Configuration(
        name: configuration.jackName, server: configuration.jackServer, firstFrame: firstFrame)
    ) { rate in Mixer(sampleRate: Double(rate)) }
    guard let mixer = client.mixer else { preconditionFailure("a client that mixes has a mixer") }
    self.mixer = mixer
    ports = JACKPorts(client: client)
    keeper = ConnectionKeeper(client: client.name)
  }

  // MARK: What the preset wants

  /// The ports of others that a route of the preset means, by its name.
  private func selection(_ patterns: [PortExpression]?) -> PortSelection {
    guard let patterns else { return .physical }
    return .patterns(
      patterns.map { expression in
        do {
          return try PortPattern(expression.text)
        } catch {
          preconditionFailure("a preset that was read has patterns that compile: \(error)")
        }
      })
  }

  /// The ports that a route's or input's patterns match now, and how many patterns there are.
  private func matches(_ patterns: [PortExpression]?, direction: PortDirection) -> [JACKPort] {
    let selection = selection(patterns)
    return client.ports().filter { port in
      guard port.isAudio, port.direction == direction, port.client != client.name else { return false }
      return switch selection {
      case .physical: port.isPhysical
      case .patterns(let patterns): patterns.contains { $0.matches(port) }
      }
    }
  }

  /// How many ports a route or input of this name has: one for each port that it means.
  func channels(of name: String) -> Int {
    let (patterns, direction): ([PortExpression]?, PortDirection) =
      if let route = preset.routes.first(where: { $0.name == name }) { (route.ports, .input) } else {
        (preset.inputs.first { $0.name == name }?.ports, .output)
      }
    return max(matches(patterns, direction: direction).count, preset.expectedChannels(ofRoute: name))
  }

  /// Whether all ports of the route or input of this name exist now.
  func portsExist(of name: String) -> Bool {
    if let route = preset.routes.first(where: { $0.name == name }) {
      return exist(route.ports, direction: .input)
    }
    return exist(preset.inputs.first { $0.name == name }?.ports, direction: .output)
  }

  private func exist(_ patterns: [PortExpression]?, direction: PortDirection) -> Bool {
    guard let patterns else { return !matches(nil, direction: direction).isEmpty }
    return patterns.allSatisfy { !matches([$0], direction: direction).isEmpty }
  }

  // MARK: Life

  /// Starts to mix what a conductor wants.
  func start(_ conductor: Conductor) throws(JACKError) {
    conductor.attach(mixer, rate: Double(client.sampleRate), ports: ports) { channels(of: $0) }
    try client.activate()
    client.begin(&keeper)
    follow()
    restore()
  }

  /// Wires new ports and forgets those that are gone.
  func follow() {
    for (owner, names) in ports.takeChanges() {
      guard let (end, selection) = wish(of: owner) else { continue }
      if names.isEmpty {
        keeper.remove(end)
      } else {
        keeper.set(end, ownPorts: names, selection: selection)
      }
    }
    carryOut()
  }

  /// Another preset says which ports are meant.
  func adopt(_ preset: Preset) { self.preset = preset }

  /// Wires new ports, and those for which the preset before meant other ones: what is cut off thereby only when the
  /// mixer has faded it out. Returns which routes have come and gone.
  func rewire(_ policy: PolicyState, insteadOf old: Preset, at seconds: Double) -> [Event] {
    let fades = preset.fades
    let fade = max(fades.route, fades.pause, fades.mic) / 1000
    let silence = seconds + fade + Double(mixer.capacity.framesPerCycle) / Double(client.sampleRate)
    for owner in ports.names.keys where patterns(of: owner, in: old) != patterns(of: owner, in: preset) {
      switch owner {
      // What is gone is wired as it was until its ports go.
      case .session(let name) where policy.sessionID(named: name) == nil: continue
      case .outputRoute(let name) where !preset.routes.contains { $0.name == name }: continue
      case .inputRoute(let name) where !preset.inputs.contains { $0.name == name }: continue
      case .session(let name) where !preset.takesSources(of: name, awayFrom: old): rewire(owner)
      default: rewires.append((owner, silence))
      }
    }
    follow()
    return routeEvents(policy) + feedEvents(policy, at: seconds)
  }

  private func rewire(_ owner: AudioPortName.Owner) {
    guard let (end, selection) = wish(of: owner), let names = ports.names[owner] else { return }
    keeper.set(end, ownPorts: names.sorted { $0.key < $1.key }.map(\.value), selection: selection)
  }

  /// The ports that a preset means for an owner of ports.
  private func patterns(of owner: AudioPortName.Owner, in preset: Preset) -> [PortExpression]? {
    switch owner {
    case .session(let name): preset.sessions.first { $0.name == name }?.sources ?? []
    case .outputRoute(let name): preset.routes.first { $0.name == name }?.ports
    case .inputRoute(let name): preset.inputs.first { $0.name == name }?.ports
    case .microphoneSend: nil
    }
  }

  private func wish(of owner: AudioPortName.Owner) -> (ConnectionKeeper.End, PortSelection)? {
    switch owner {
    case .session(let name):
      (.session(name), selection(preset.sessions.first { $0.name == name }?.sources ?? []))
    case .microphoneSend: nil
    case .outputRoute(let name): (.output(name), selection(preset.routes.first { $0.name == name }?.ports))
    case .inputRoute(let name): (.input(name), selection(preset.inputs.first { $0.name == name }?.ports))
    }
  }

  private func carryOut() {
    for refusal in client.carryOut(&keeper) { log.warning(refusal.description) }
  }

  /// Takes in what the server has told, and says what it means for the policy.
  func takeNews(_ policy: PolicyState, at seconds: Double) -> [Event] {
    let news = client.drain()
    guard !news.isEmpty else { return [] }
    // A server that goes takes the connections with it.
    memory = AudioMemory(feeds: feeds, connections: keeper.ownConnections.union(restoring))
    for item in news { note(item.notification) }
    client.note(news, in: &keeper)
    if client.isServerGone { return [] }
    carryOut()
    restore()
    return routeEvents(policy) + feedEvents(policy, at: seconds)
  }

  /// Makes the connections of the server before again whose ports are both back.
  private func restore() {
    guard !restoring.isEmpty else { return }
    let present = Set(client.ports().map(\.name))
    for connection in restoring where present.contains(connection.source) && present.contains(connection.destination) {
      restoring.remove(connection)
      guard !keeper.ownConnections.contains(connection) else { continue }
      do throws(JACKError) {
        try client.connect(connection)
      } catch {
        log.debug(error.description)
      }
    }
  }

  private func note(_ notification: JACKNotification) {
    switch notification {
    case .xrun: xruns += 1
    case .periodChanged(let frames): log.info("the period is \(frames) frames now")
    case .connected(let connection): log.debug("connected \(connection.source) to \(connection.destination)")
    case .disconnected(let connection): log.debug("disconnected \(connection.source) from \(connection.destination)")
    default: break
    }
  }

  /// What follows once a client has been gone for too long, and once what has not come back with its server is lost.
  func takeDue(_ policy: PolicyState, at seconds: Double) -> [Event] {
    var events: [Event] = []
    let due = rewires.filter { $0.time <= seconds }
    if !due.isEmpty {
      rewires.removeAll { $0.time <= seconds }
      for (owner, _) in due { rewire(owner) }
      carryOut()
      events = routeEvents(policy) + feedEvents(policy, at: seconds)
    }
    if let end = graceEnd, end <= seconds {
      graceEnd = nil
      events += routeEvents(policy) + feedEvents(policy, at: seconds)
    }
    return events + feeds.expire(at: seconds)
  }

  /// When that is next.
  var nextDeadline: Double? {
    [graceEnd, feeds.nextDeadline, rewires.map(\.time).min()].compactMap { $0 }.min()
  }

  private func routeEvents(_ policy: PolicyState) -> [Event] {
    var events: [Event] = []
    let (outputs, inputs) = (Set(preset.routes.map(\.name)), Set(preset.inputs.map(\.name)))
    for (index, route) in policy.outputRoutes.enumerated() where route.isDetected && outputs.contains(route.name) {
      let isAvailable = isAvailable(.output(route.name), preset.routes.first { $0.name == route.name }?.ports)
      if isAvailable != route.isAvailable, isAvailable || graceEnd == nil {
        events.append(.setRouteAvailable(index, isAvailable))
      }
    }
    for (index, route) in policy.inputRoutes.enumerated() where route.isDetected && inputs.contains(route.name) {
      let isAvailable = isAvailable(.input(route.name), preset.inputs.first { $0.name == route.name }?.ports)
      if isAvailable != route.isAvailable, isAvailable || graceEnd == nil {
        events.append(.setInputAvailable(index, isAvailable))
      }
    }
    return events
  }

  /// A route without patterns is wired by hand, and always there.
  private func isAvailable(_ end: ConnectionKeeper.End, _ patterns: [PortExpression]?) -> Bool {
    patterns.map(\.isEmpty) ?? false || keeper.isAvailable(end)
  }

  private func feedEvents(_ policy: PolicyState, at seconds: Double) -> [Event] {
    feeds.keep(policy.sessions.lazy.map(\.id))
    return policy.sessions.flatMap { session -> [Event] in
      let feed = keeper.feed(of: session.name)
      if graceEnd != nil, feed.clients.isEmpty { return [] }
      return feeds.update(
        session, isConnected: !feed.clients.isEmpty, hasLostClient: feed.hasLostClient, at: seconds)
    }
  }
}
