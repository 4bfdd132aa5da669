import AddressSpace
import SessionPolicy

/// A host whose preset is another one from now on.
extension ControlState {
  /// Makes of a host of one preset one of another, as a part of the event that has begun: only what differs between the
  /// two changes. What people have set since stays, where the presets agree.
  ///
  /// Routes that are new are absent yet; they arrive by events of their own, as do those whose ports are others. The start
  /// is over, and is not repeated.
  /// - Returns: what the policy refuses for now, for people.
  public mutating func adopt(_ new: Preset, insteadOf old: Preset) -> [String] {
    var change = PresetChange(old: old, new: new, state: self)
    change.perform()
    self = change.state
    return change.complaints
  }
}

private struct PresetChange {
  let old: Preset
  let new: Preset
  var state: ControlState
  var complaints: [String] = []

  mutating func perform() {
    let kept = Set(new.sessions.map(\.name))
    for session in old.sessions where !kept.contains(session.name) {
      if let id = state.policy.sessionID(named: session.name) { apply(.close(id), to: session.name) }
    }
    if old.routes != new.routes || old.inputs != new.inputs { changeRoutes() }
    for session in new.sessions { change(session) }
    // What no session lists any more need not stay.
    if old.routes != new.routes {
      let names = Set(new.routes.map(\.name))
      state.setRoutes(
        outputs: state.policy.outputRoutes.filter { names.contains($0.name) }, inputs: state.policy.inputRoutes)
    }
    if old.scenes != new.scenes || old.safe != new.safe {
      // What was stored since is in the file, too.
      state.setScenes(new.scenes.map(\.scene), safe: old.safe == new.safe ? nil : new.safe)
    }
  }

  private mutating func apply(_ event: Event, to session: String) {
    do throws(Refusal) {
      try state.apply(event)
    } catch {
      complaints.append("the session \(session) cannot be as the preset says: \(error.message)")
    }
  }

  // MARK: Sessions

  private mutating func change(_ session: Preset.Session) {
    let name = session.name
    if state.policy.sessionID(named: name) == nil {
      apply(.open(name: name, category: session.category, title: session.title), to: name)
    }
    guard let id = state.policy.sessionID(named: name) else { return }
    let before = old.sessions.first { $0.name == name }
    if before == session { return }
    let isSameSetting = before.map {
      ($0.category, $0.options, $0.mode) == (session.category, session.options, session.mode)
    }
    if isSameSetting != true {
      apply(.setCategory(id, session.category, options: session.options), to: name)
      if session.mode != .default { apply(.setMode(id, session.mode), to: name) }
    }
    if before?.foreground != session.foreground { apply(.setForeground(id, session.foreground), to: name) }
    if before?.micMute != session.micMute { apply(.setMicMute(id, session.micMute), to: name) }
    if let before, before.title != session.title { apply(.set(id, .title(session.title ?? name)), to: name) }
    // Routes are compared by their names: their numbers may have changed.
    let known = before.map { Set(state.policy.attributes(of: $0)) } ?? []
    for attribute in state.policy.attributes(of: session) where !known.contains(attribute) {
      apply(.set(id, attribute), to: name)
    }
  }

  // MARK: Routes

  private mutating func changeRoutes() {
    let outputs = new.routes.map { route -> OutputRoute in
      guard let known = state.policy.outputRoutes.first(where: { $0.name == route.name }),
        let before = old.routes.first(where: { $0.name == route.name })
      else {
        var absent = route.outputRoute(portsExist: false)
        absent.isAvailable = false
        return absent
      }
      return known.changed(from: before, to: route)
    }
    let inputs = new.inputs.map { route -> InputRoute in
      guard let known = state.policy.inputRoutes.first(where: { $0.name == route.name }),
        let before = old.inputs.first(where: { $0.name == route.name })
      else {
        var absent = route.inputRoute(portsExist: false)
        absent.isAvailable = false
        return absent
      }
      return known.changed(from: before, to: route)
    }
    state.setRoutes(outputs: outputs, inputs: inputs)
    // Those that OSC speaks for are there from the start, as at the start.
    for route in new.routes.filter({ $0.availability == .manual })
    where !old.routes.contains(where: { $0.name == route.name }) {
      guard let index = state.policy.outputRoute(named: route.name) else { continue }
      let isThere = route.outputRoute(portsExist: false).isAvailable
      if isThere { apply(.setRouteAvailable(index, true), to: route.name) }
    }
    for route in new.inputs.filter({ $0.availability == .manual })
    where !old.inputs.contains(where: { $0.name == route.name }) {
      if let index = state.policy.inputRoute(named: route.name) {
        apply(.setInputAvailable(index, true), to: route.name)
      }
    }
  }
}

extension OutputRoute {
  /// The route as it is, with what two presets tell differently of it.
  fileprivate func changed(from old: Preset.Route, to new: Preset.Route) -> OutputRoute {
    let (before, after) = (old.outputRoute(portsExist: isAvailable), new.outputRoute(portsExist: isAvailable))
    var route = self
    func take<Value: Equatable>(_ path: WritableKeyPath<OutputRoute, Value>) {
      if before[keyPath: path] != after[keyPath: path] { route[keyPath: path] = after[keyPath: path] }
    }
    take(\.title)
    take(\.kind)
    take(\.hasFixedVolume)
    take(\.pausesOnLoss)
    take(\.isPersonal)
    take(\.volume)
    take(\.trim)
    take(\.limit)
    take(\.isDetected)
    return route
  }
}

extension InputRoute {
  /// The same for an input.
  fileprivate func changed(from old: Preset.Input, to new: Preset.Input) -> InputRoute {
    let (before, after) = (old.inputRoute(portsExist: isAvailable), new.inputRoute(portsExist: isAvailable))
    var route = self
    if before.title != after.title { route.title = after.title }
    if before.trim != after.trim { route.trim = after.trim }
    route.isDetected = after.isDetected
    return route
  }
}
