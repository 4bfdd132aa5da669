/// What one event did to one session, so that only what has changed from before it to after it is told (§1, Order).
struct Ledger: Hashable, Sendable {
  /// The event that the rest is about; of an older event nothing holds any more.
  var event: UInt64 = 0
  var stateBefore = Session.State.inactive
  var wasPlayingBefore = false
  /// How the last interruption in this event ended; `nil` if by A4 or A5, which tell nothing.
  var lastEnd: Bool?
  /// The cause with which the last interruption in this event began.
  var lastBegin: String?
  /// Whether a lost route paused it in this event.
  var wasPausedByRouteLoss = false
}

/// What one event did to the host as a whole.
struct HostLedger: Hashable, Sendable {
  /// Numbers the events.
  var event: UInt64 = 0
  var routeBefore: Int?
  var lastRouteReason: RouteChangeReason?
  /// The sessions to which something happened.
  var touched: [SessionID] = []
  /// Openings, closings and remote commands, in their order.
  var others: [(session: String, notice: Notice)] = []
  /// The sessions that this event opened.
  var opened: Set<SessionID> = []

  static func == (first: HostLedger, second: HostLedger) -> Bool {
    first.event == second.event && first.routeBefore == second.routeBefore && first.touched == second.touched
      && first.opened == second.opened && first.others.map(\.notice) == second.others.map(\.notice)
      && first.lastRouteReason == second.lastRouteReason
  }
  func hash(into hasher: inout Hasher) { hasher.combine(event) }
}

extension PolicyState {
  /// Remembers what a session was before the present event. Call before anything of its state changes.
  mutating func touch(_ index: Int) {
    guard sessions[index].ledger.event != ledger.event else { return }
    sessions[index].ledger = Ledger(
      event: ledger.event, stateBefore: sessions[index].state, wasPlayingBefore: sessions[index].playing)
    ledger.touched.append(sessions[index].id)
  }

  /// What is to be told of the event that ends now: endings, beginnings, pauses, route, the rest, each by session name.
  func notices() -> [Notice] {
    // A fader was moved, as in nearly all events.
    if ledger.touched.isEmpty, ledger.others.isEmpty, ledger.lastRouteReason == nil { return [] }
    var endings: [(session: String, notice: Notice)] = []
    var beginnings: [(session: String, notice: Notice)] = []
    var pauses: [(session: String, notice: Notice)] = []
    for id in ledger.touched {
      guard let index = index(of: id) else { continue }
      let (name, state, mine) = (sessions[index].name, sessions[index].state, sessions[index].ledger)
      if mine.stateBefore == .interrupted, state != .interrupted, let shouldResume = mine.lastEnd {
        endings.append((name, .interruptionEnded(session: name, shouldResume: shouldResume)))
      }
      if mine.stateBefore != .interrupted, state == .interrupted, let cause = mine.lastBegin {
        beginnings.append((name, .interruptionBegan(session: name, cause: cause)))
      }
      if mine.wasPausedByRouteLoss, mine.wasPlayingBefore, !sessions[index].playing {
        pauses.append((name, .paused(session: name)))
      }
    }
    var route: [Notice] = []
    if currentRoute != ledger.routeBefore, let reason = ledger.lastRouteReason {
      route = [.route(name: currentRoute.map { outputRoutes[$0].name } ?? "", reason: reason)]
    }
    return sorted(endings) + sorted(beginnings) + sorted(pauses) + route + sorted(ledger.others)
  }

  /// By session name; what is of one session keeps its order.
  private func sorted(_ notices: [(session: String, notice: Notice)]) -> [Notice] {
    guard notices.count > 1 else { return notices.map(\.notice) }
    return notices.enumerated()
      .sorted { ($0.element.session, $0.offset) < ($1.element.session, $1.offset) }
      .map(\.element.notice)
  }
}
