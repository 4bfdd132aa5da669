import AddressSpace
import MixCore
import SessionPolicy

/// What the policy wants of the mixer, as its plan says it.
extension Stage {
  /// Writes down what the policy wants of the mixer. What has not changed is left alone.
  func compose(_ wish: MixWish, _ measurements: Measurements) -> [AudioPortError] {
    let state = wish.policy
    composer.isPanic = wish.isPanic
    composer.closedSlots = outputs.reduce(0) { $0 | ($1.swap == nil ? 0 : 1 << UInt64($1.slot)) }
    composer.holdsMicrophones = inputSwap != nil
    composer.glide = wish.glide > 0 ? Int((wish.glide * composer.fades.rate).rounded()) : nil
    var complaints: [AudioPortError] = []
    let surroundings = Surroundings(state)
    let destinations = wish.destination.map { ($0, Surroundings($0)) }
    let retaken = wish.retakenSessions
    for index in state.sessions.indices {
      let session = state.sessions[index]
      guard var strip = rack[session.id] else { continue }
      let before = planner[strip: strip.index]
      let heard = strip.heard
      var plan = composer.strip(
        of: session, in: state, surroundings,
        to: destinations.map { MixComposer.Destination(of: session, in: $0, $1) },
        retaken: retaken[Substring(session.name)] ?? MixComposer.Retaken(), isHeld: strip.swap != nil, before: before,
        heard: &strip.heard)
      plan.measuresLoudness = measurements.measuresLoudness(of: session.id)
      if unwired.contains(.session(session.name)) {
        plan.openRoutes = []
        strip.heard.silence = .inactive
      }
      if session.effectiveCategory.usesMicrophone == strip.microphoneSends.isEmpty {
        do throws(AudioPortError) {
          try changeMicrophoneSends(of: session, &strip)
          plan.microphoneSends = PortPair(strip.microphoneSends)
          strip.lacksMicrophoneSends = false
        } catch {
          if !strip.lacksMicrophoneSends { complaints.append(error) }
          strip.lacksMicrophoneSends = true
          isComplete = false
          rack[session.id] = strip
        }
      }
      if session.title != strip.title {
        strip.title = session.title
        ports.setTitle(session.title, of: strip.inputs + strip.microphoneSends)
        rack[session.id] = strip
      }
      if plan.routes != before.routes || plan.microphoneSends != before.microphoneSends { arePathsStale = true }
      if plan != before { planner[strip: strip.index] = plan }
      if heard != strip.heard || plan.microphoneSends != before.microphoneSends { rack[session.id] = strip }
    }
    retireClosed(state, measurements)
    for (index, route) in state.outputRoutes.enumerated() {
      let slot = outputs[index].slot
      var plan = composer.output(
        route, to: wish.destination?.outputRoutes[index], isRetaken: wish.isRetaken(route),
        before: planner[output: slot])
      plan.measuresLoudness = measurements.measuresLoudness(ofRoute: index)
      if unwired.contains(.outputRoute(route.name)) { plan.isAvailable = false }
      if plan != planner[output: slot] { planner[output: slot] = plan }
    }
    for (index, route) in state.inputRoutes.enumerated() where inputSwap == nil {
      let plan = composer.input(route, before: planner[input: index])
      if plan.isAvailable != planner[input: index].isAvailable { arePathsStale = true }
      if plan != planner[input: index] { planner[input: index] = plan }
    }
    let host = composer.host(
      wish.destination ?? state, isRetaken: wish.retaken.contains("/host/ringer"), before: planner.host)
    if host != planner.host { planner.host = host }
    if arePathsStale { tellPaths(state) }
    return complaints
  }

  /// Writes down the levels of some sessions, where nothing but levels has changed and no scene is on its way.
  func composeLevels(of sessions: SessionPlaces, _ state: PolicyState) {
    composer.glide = nil
    sessions.forEach { place in
      guard let strip = rack[state.sessions[place].id] else { return }
      let before = planner[strip: strip.index]
      var plan = before
      composer.setLevels(of: &plan, to: state.sessions[place], followsRinger: before.followsRinger)
      if plan != before { planner[strip: strip.index] = plan }
    }
  }

  /// Tells which ways sound takes by now: from sessions to the routes on which they sound, and from the microphone to
  /// those who hear it.
  private func tellPaths(_ state: PolicyState) {
    arePathsStale = false
    let strips = state.sessions.compactMap { rack[$0.id] }
    var now: [AudioPath] = []
    let groups = Dictionary(grouping: strips) { planner[strip: $0.index].routes.bits }
    for (routes, strips) in groups.sorted(by: { $0.key < $1.key }) {
      for place in outputs where MixCore.RouteSet(bits: routes).contains(place.slot) && !place.ports.isEmpty {
        let delay = planner[output: place.slot].lookAhead
        now.append(AudioPath(sources: strips.flatMap(\.inputs), destinations: place.ports, frames: delay))
      }
    }
    let sends = strips.flatMap(\.microphoneSends)
    if !sends.isEmpty, let route = state.inputRoutes.first(where: \.isAvailable),
      let place = inputs.first(where: { $0.name == route.name }), !place.ports.isEmpty
    {
      now.append(AudioPath(sources: place.ports, destinations: sends, frames: 0))
    }
    guard now != paths else { return }
    paths = now
    ports.setPaths(now)
  }
}

extension MixWish {
  /// By the names of sessions.
  fileprivate var retakenSessions: [Substring: MixComposer.Retaken] {
    var result: [Substring: MixComposer.Retaken] = [:]
    for address in retaken {
      let parts = address.split(separator: "/", maxSplits: 2)
      guard parts.count == 3, parts[0] == "session" else { continue }
      if parts[2] == "volume" || parts[2] == "pan" {
        result[parts[1], default: MixComposer.Retaken()].levels = true
      } else {
        result[parts[1], default: MixComposer.Retaken()].gates = true
      }
    }
    return result
  }

  fileprivate func isRetaken(_ route: OutputRoute) -> Bool {
    !retaken.isEmpty && retaken.contains { $0.hasPrefix("/route/\(route.name)/") }
  }
}

extension MixComposer.Destination {
  fileprivate init(of session: Session, in state: PolicyState, _ surroundings: Surroundings) {
    self.init()
    guard let goal = state.session(session.id) else { return }
    self.session = goal
    silence = surroundings.silence(of: goal)
    routes = surroundings.routes(of: goal)
    isMicrophoneOpen = state.isMicrophoneOpen(goal)
  }
}
