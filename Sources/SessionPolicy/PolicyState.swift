/// The whole state of the policy: the host and its sessions (§1).
///
/// A value without clock or I/O: `(state, event) → (state, effects)`. An event is begun with the time at which it
/// happens, its parts are applied in their order, and its end tells what has changed:
///
///     state.beginEvent(at: seconds)
///     try state.apply(.play(id))
///     let notices = state.endEvent()
///
/// `apply` leaves the state as it was when it throws (but for A8). Times never go backwards.
public struct PolicyState: Hashable, Sendable {
  /// The open sessions in the order of their opening.
  public internal(set) var sessions: [Session] = []
  var indexByName: [String: SessionID] = [:]
  var lastSessionNumber: UInt32 = 0

  /// The silent switch.
  public internal(set) var isSilent = false
  public internal(set) var isLocked = false
  public internal(set) var cover = Cover.open
  /// The ringer volume, a fader position 0…1 (V3).
  public internal(set) var ringerVolume = 1.0
  /// In preset order.
  public internal(set) var outputRoutes: [OutputRoute]
  /// In preset order.
  public internal(set) var inputRoutes: [InputRoute]
  /// The index of the current output route, if there is one.
  public internal(set) var currentRoute: Int?
  /// The routes that were ever current, most recently current first (R4).
  var routeHistory: [Int] = []
  /// The available output routes.
  var availableRoutes = RouteSet()
  /// The sources of the host interruptions in progress, in their order (I7).
  public internal(set) var hostInterruptions: [String] = []

  var activationCount: UInt64 = 0
  var playCount: UInt64 = 0
  /// When the present event happens, in seconds.
  var now = 0.0
  /// When the last event happened, in seconds.
  public var lastEventTime: Double { now }
  var ledger = HostLedger()

  /// The most sessions that can be open.
  public static let sessionCapacity = 1024

  /// A host with these routes and no sessions.
  ///
  /// R1: the current route is the first available personal one, else the first available one, else none.
  /// - Precondition: at most `RouteSet.capacity` output routes.
  public init(outputRoutes: [OutputRoute], inputRoutes: [InputRoute]) {
    precondition(outputRoutes.count <= RouteSet.capacity)
    self.outputRoutes = outputRoutes
    self.inputRoutes = inputRoutes
    availableRoutes = RouteSet(outputRoutes.indices.filter { outputRoutes[$0].isAvailable })
    currentRoute =
      outputRoutes.firstIndex { $0.isAvailable && $0.isPersonal } ?? outputRoutes.firstIndex { $0.isAvailable }
    routeHistory = currentRoute.map { [$0] } ?? []
  }
}

extension PolicyState {
  /// The open session of this name.
  public func session(named name: String) -> Session? { indexByName[name].flatMap(session) }

  /// The session of this id, if it is still open.
  public func session(_ id: SessionID) -> Session? { index(of: id).map { sessions[$0] } }

  /// The id of the open session of this name.
  public func sessionID(named name: String) -> SessionID? { indexByName[name] }

  /// Where a session stands in `sessions`: they stand in the order of their numbers.
  public func index(of id: SessionID) -> Int? {
    var (low, high) = (0, sessions.count)
    guard high > 0 else { return nil }
    // Where none between was closed it stands as far behind the first as it was opened after it.
    let guess = Int(id.number) - Int(sessions[0].id.number)
    if guess >= 0, guess < high, sessions[guess].id == id { return guess }
    while low < high {
      let middle = (low + high) / 2
      if sessions[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < sessions.count && sessions[low].id == id ? low : nil
  }

  /// How a cause is called in notices and in `causes` (I1).
  public func name(of cause: Cause) -> String {
    switch cause {
    case .session(let id): session(id)?.name ?? ""
    case .host(let source): "host:\(source)"
    case .hold(let source): "session:\(source)"
    case .microphone: "mic"
    case .background: "background"
    }
  }

  /// The index of the output route of this name.
  public func outputRoute(named name: String) -> Int? { outputRoutes.firstIndex { $0.name == name } }

  /// The index of the input route of this name.
  public func inputRoute(named name: String) -> Int? { inputRoutes.firstIndex { $0.name == name } }

  /// The names of the sessions that play, or would after their interruption, in the order of their activation; none
  /// that uses the microphone.
  public var playingInOrder: [String] {
    sessions.filter { ($0.playing || $0.resume) && !$0.effectiveCategory.usesMicrophone }
      .sorted { $0.activationOrder < $1.activationOrder }.map(\.name)
  }

  var hasInputRoute: Bool { inputRoutes.contains { $0.isAvailable } }
}
