import Conductor
import JACKTransport
import MixCore
import Presets
import SessionPolicy

/// What is remembered of a server that has gone, for when it is back.
struct AudioMemory {
  /// What Eider was called on it.
  var name: String
  var feeds = Feeds()
  /// The connections of Eider's ports, whoever made them.
  var connections: Set<PortConnection> = []
}

extension PortConnection {
  /// The same where a client has another name.
  fileprivate func renamed(_ client: String, to new: String) -> PortConnection {
    func renamed(_ port: String) -> String {
      port.hasPrefix(client + ":") ? new + port.dropFirst(client.count) : port
    }
    return PortConnection(renamed(source), renamed(destination))
  }
}

/// The JACK client with its connections, for one server's life. Control thread only.
final class AudioSide {
  let client: JACKClient
  let mixer: Mixer
  let ports: JACKPorts
  var preset: Preset
  let log: Log
  var keeper: ConnectionKeeper
  private var feeds: Feeds
  /// What is to be wired otherwise once it is silent, and when that is.
  var rewires: [(owner: AudioPortName.Owner, time: Double)] = []
  /// Late cycles since the start.
  var xruns: Int { toldXruns + client.untoldXruns }
  private var toldXruns = 0
  /// Whether some port has gone, so that there may be room for another.
  private var hasFreedPort = false
  /// Connections of the server before that are made again when both their ports are there.
  private var restoring: Set<PortConnection>
  /// Until then what is missing may still come back with its server: nothing is lost yet.
  private var graceEnd: Double?
  /// The sessions and output routes that wait in silence until they are wired.
  private var unwired: Set<AudioPortName.Owner> = []
  /// What is to be remembered if the server goes.
  private(set) var memory: AudioMemory
  /// When further names of ports are read anew.
  private var nextAliasCheck = 0.0
  /// Whether the log says that metadata stand still.
  private var hasToldOfMetadata = false

  /// Whether libjack's semaphores are worth a look: what a client that could not be closed has left does not go.
  private let watchesSemaphores: Bool
  /// When libjack's semaphores are looked at, and whether one was stale at the last look.
  private var semaphoreCheck: Double?
  private var hadStaleSemaphore = false
  /// Whether only a new client can wake all programs again.
  private(set) var isDeaf = false

  /// How long devices and programs have to come back after their server, in seconds.
  private static let grace = 2.0
  /// How often further names of ports are read, in seconds: soon after something has appeared, and at leisure.
  private static let aliasChecks = (soon: 0.1, later: 1.0)
  /// How long a program may take to close, in seconds.
  private static let semaphorePause = 0.25

  /// Opens a client on a running server.
  ///
  /// - Parameters:
  ///   - memory: of the server before.
  ///   - numbersName: whether it is called otherwise if another client has its name.
  ///   - firstFrame: frames go on from there.
  init(
    _ configuration: DaemonConfiguration, log: Log, remembering memory: AudioMemory? = nil, numbersName: Bool = true,
    firstFrame: UInt64 = 0, at seconds: Double = 0
  ) throws(JACKError) {
    preset = configuration.preset
    self.log = log
    feeds = memory?.feeds ?? Feeds()
    graceEnd = memory.map { _ in seconds + Self.grace }
    watchesSemaphores = !JACKClient.hasStaleSemaphore
    semaphoreCheck = seconds + Self.semaphorePause
    client = try JACKClient.open(
      JACKClient.Configuration(
        name: memory?.name ?? configuration.jackName, server: configuration.jackServer, numbersTakenName: numbersName,
        firstFrame: firstFrame)
    ) { rate in Mixer(sampleRate: Double(rate)) }
    guard let mixer = client.mixer else { preconditionFailure("a client that mixes has a mixer") }
    self.mixer = mixer
    let name = client.name
    restoring = Set((memory?.connections ?? []).map { $0.renamed(memory?.name ?? name, to: name) })
    self.memory = AudioMemory(name: name, feeds: feeds, connections: restoring)
    client.label(JACKClient.PortLabel(prettyName: preset.title ?? "Eider", icon: "multimedia-volume-control"))
    ports = JACKPorts(client: client) { [preset] in Self.icon(of: $0, preset) }
    keeper = ConnectionKeeper(client: client.name)
  }

  // MARK: Life

  /// Starts to mix what a conductor wants.
  func start(_ conductor: Conductor) throws(JACKError) {
    conductor.attach(mixer, rate: Double(client.sampleRate), ports: ports, waitsForWires: true) {
      self.channels(of: $0)
    }
    try client.activate()
    client.begin(&keeper)
    follow()
    restore()
    let sessions = conductor.policy.sessions.filter { session in
      feeds.isConnected(session.id) || !keeper.targets(of: .session(session.name)).isEmpty
    }
    let routes = conductor.policy.outputRoutes.filter { route in
      route.isAvailable
        && (!keeper.targets(of: .output(route.name)).isEmpty || isRestoring(.outputRoute(route.name)))
    }
    unwired = Set(sessions.map { .session($0.name) } + routes.map { .outputRoute($0.name) })
    releaseWired(conductor)
  }

  /// Gives ports to what could not have them before, once some have become free.
  func completePorts(_ conductor: Conductor) {
    guard hasFreedPort else { return }
    hasFreedPort = false
    conductor.completePorts()
  }

  // MARK: Fading in

  /// Lets what has its wires by now fade in. A wire is in force from the next cycle on.
  func releaseWired(_ conductor: Conductor) {
    unwired = unwired.filter { !isWired($0) }
    conductor.setUnwired(unwired, fromFrame: client.cycleStart + UInt64(3 * client.period))
  }

  private func isWired(_ owner: AudioPortName.Owner) -> Bool {
    switch owner {
    case .session(let name): !keeper.feed(of: name).clients.isEmpty
    case .outputRoute(let name): keeper.isWired(.output(name)) && !(graceEnd != nil && isRestoring(owner))
    case .microphoneSend, .inputRoute: true
    }
  }

  private func isRestoring(_ owner: AudioPortName.Owner) -> Bool {
    let own = Set((ports.names[owner] ?? [:]).values)
    return restoring.contains { own.contains($0.source) || own.contains($0.destination) }
  }

  /// Takes away what people see of the ports: a server keeps it beyond the ports, and beyond its own end.
  func removeLabels() { ports.removeLabels() }

  // MARK: News

  /// Takes in what the server has told, and says what it means for the policy.
  func takeNews(_ policy: PolicyState, at seconds: Double) -> [Event] {
    let news = client.drain()
    guard !news.isEmpty else { return [] }
    // A server that goes takes the connections with it.
    remember()
    for item in news { note(item.notification, at: seconds) }
    nextAliasCheck = min(nextAliasCheck, seconds + Self.aliasChecks.soon)
    client.note(news, in: &keeper)
    if client.isServerGone { return [] }
    carryOut()
    restore()
    return routeEvents(policy) + feedEvents(policy, at: seconds)
  }

  /// Remembers all that is to be so again on the next client.
  func remember() {
    memory = AudioMemory(name: client.name, feeds: feeds, connections: keeper.ownConnections.union(restoring))
  }

  /// Makes the connections of the server before again whose ports are both back.
  private func restore() {
    guard !restoring.isEmpty else { return }
    // By what has been told, not by what the server has by now: who has made and taken away a connection since would be
    // overruled before that is heard.
    for connection in restoring where keeper.knowsPorts(of: connection) {
      do throws(JACKError) {
        if !keeper.ownConnections.contains(connection) { try client.connect(connection) }
        restoring.remove(connection)
      } catch {
        // A program has its ports before it takes part: it is tried again with the next news.
        log.debug(error.description)
      }
    }
  }

  private func note(_ notification: JACKNotification, at seconds: Double) {
    switch notification {
    case .xrun: toldXruns += 1
    case .portUnregistered: hasFreedPort = true
    case .clientRegistered, .clientUnregistered: semaphoreCheck = seconds + Self.semaphorePause
    case .periodChanged(let frames): log.info("the period is \(frames) frames now")
    case .connected(let connection):
      // Whoever made it: it is back, and who takes it away from now on means it.
      restoring.remove(connection)
      log.debug("connected \(connection.source) to \(connection.destination)")
    case .disconnected(let connection): log.debug("disconnected \(connection.source) from \(connection.destination)")
    default: break
    }
  }

  /// What follows once a client has been gone for too long, and once what has not come back with its server is lost.
  func takeDue(_ policy: PolicyState, at seconds: Double) -> [Event] {
    var isDue = false
    client.setLateLabels()
    if rewires.contains(where: { $0.time <= seconds }) {
      for (owner, time) in rewires where time <= seconds { rewire(owner) }
      rewires.removeAll { $0.time <= seconds }
      carryOut()
      isDue = true
    }
    if let end = graceEnd, end <= seconds {
      graceEnd = nil
      isDue = true
    }
    if nextAliasCheck <= seconds {
      nextAliasCheck = seconds + Self.aliasChecks.later
      client.rereadNames(in: &keeper)
      carryOut()
      tellOfMetadata()
      isDue = true
    }
    if watchesSemaphores, let time = semaphoreCheck, time <= seconds {
      let isStale = JACKClient.hasStaleSemaphore
      isDeaf = isStale && hadStaleSemaphore
      hadStaleSemaphore = isStale
      semaphoreCheck = isStale ? seconds + Self.semaphorePause : nil
    }
    return (isDue ? routeEvents(policy) + feedEvents(policy, at: seconds) : []) + feeds.expire(at: seconds)
  }

  /// Says when the names that people see stand still, and when they do no more.
  private func tellOfMetadata() {
    guard client.isMetadataStuck != hasToldOfMetadata else { return }
    hasToldOfMetadata.toggle()
    if hasToldOfMetadata {
      log.warning(
        "JACK's metadata stand still: a program has died or been stopped while it changed some. Titles of ports are "
          + "not shown or stay as they are; sound, wires and messages go on. To mend it, end every JACK program and the "
          + "server, remove the folder \(JACKClient.metadataFolder), and start them again")
    } else {
      log.info("JACK's metadata can be changed again")
    }
  }

  /// When that is next.
  var nextDeadline: Double? {
    [
      graceEnd, feeds.nextDeadline, rewires.map(\.time).min(), nextAliasCheck,
      watchesSemaphores ? semaphoreCheck : nil,
    ].compactMap { $0 }.min()
  }

  func routeEvents(_ policy: PolicyState) -> [Event] {
    var events: [Event] = []
    let (outputs, inputs) = (Set(preset.routes.map(\.name)), Set(preset.inputs.map(\.name)))
    for (index, route) in policy.outputRoutes.enumerated() where route.isDetected && outputs.contains(route.name) {
      let isAvailable = isAvailable(.output(route.name), preset.routes.first { $0.name == route.name }?.ports)
      if isAvailable != route.isAvailable, isAvailable || graceEnd == nil {
        events.append(.setRouteAvailable(index, isAvailable))
        if isAvailable { unwired.insert(.outputRoute(route.name)) }
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

  func feedEvents(_ policy: PolicyState, at seconds: Double) -> [Event] {
    feeds.keep(policy.sessions.lazy.map(\.id))
    return policy.sessions.flatMap { session -> [Event] in
      let feed = keeper.feed(of: session.name)
      if graceEnd != nil, feed.clients.isEmpty { return [] }
      return feeds.update(
        session, isConnected: !feed.clients.isEmpty, hasLostClient: feed.hasLostClient, at: seconds)
    }
  }
}
