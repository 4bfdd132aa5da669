import MixCore
import Presets
import SessionPolicy

/// The mixer with its ports: what sessions and routes are on the audio side. Control thread only.
final class Stage {
  let mixer: Mixer
  let ports: any AudioPorts
  /// How many ports an output or input route of a name has.
  private let channels: (String) -> Int
  var composer: MixComposer
  var rack: StripRack
  /// In the order of the policy.
  var outputs: [OutputPlace] = []
  /// Routes that are gone and still fade out.
  var retiredOutputs: [RetiredOutput] = []
  var inputs: [InputPlace] = []
  /// The inputs are put in another order when all microphones are silent, from this frame on.
  var inputSwap: (places: [InputPlace], silentFrom: UInt64)?
  /// Whether the mix is to be composed anew, for something has fallen silent that was waited for.
  var isChanged = false
  /// Ports that the audio thread forgets with a publication.
  var farewells: [(ports: [AudioPort], publication: UInt64)] = []
  /// Whether a publication found no room and is to be tried again.
  private var isOverdue = false
  /// The sessions and output routes that wait in silence for their wires, and fade in when they have them.
  var unwired: Set<AudioPortName.Owner> = []
  /// Whether all has the ports that it is to have.
  private(set) var isComplete = true
  /// The ways that sound was said to take.
  private var paths: [AudioPath] = []
  /// Whether it may take others by now.
  var arePathsStale = true

  init(mixer: Mixer, rate: Double, fades: Fades, ports: any AudioPorts, channels: @escaping (String) -> Int) {
    self.mixer = mixer
    self.ports = ports
    self.channels = channels
    composer = MixComposer(fades: FadeTimes(fades, rate: rate))
    rack = StripRack(capacity: mixer.capacity.strips)
  }

  var planner: MixPlanner { mixer.planner }

  /// The newest publication that is in force.
  var acknowledged: UInt64 { planner.acknowledgedSequence }

  /// The publication that has all that was composed.
  var published: UInt64 { planner.publishedSequence + (isOverdue ? 1 : 0) }

  /// Whether ports wait to be taken away, or a publication for room.
  var isBusy: Bool { rack.hasRetirees || !farewells.isEmpty || isOverdue || isSwapping }

  /// The strips that may sound, and the names of the sessions whose they are; of closed ones too that still fade out.
  var strips: [(session: String, index: Int)] {
    (rack.strips.values + rack.retirees.map(\.strip)).map { ($0.name, $0.index) }
  }

  // MARK: Ports

  /// Makes the ports of all routes and open sessions that have none yet. What cannot be made is complained of and left
  /// silent; it can be tried again.
  func complete(_ state: PolicyState, _ preset: Preset, _ measurements: Measurements) -> [AudioPortError] {
    var complaints: [AudioPortError] = []
    func make(_ owner: AudioPortName.Owner, _ name: String, _ title: String) -> [AudioPort] {
      do throws(AudioPortError) {
        return try register(owner, title, channels: 1...max(1, channels(name)))
      } catch {
        complaints.append(error)
        return []
      }
    }
    if outputs.isEmpty {
      outputs = state.outputRoutes.enumerated().map { index, route in
        let lookahead = preset.routes.first { $0.name == route.name }?.lookahead ?? 0
        return OutputPlace(
          name: route.name, title: route.title, slot: index, ports: [],
          lookAhead: composer.fades.frames(milliseconds: lookahead))
      }
    }
    if inputs.isEmpty { inputs = state.inputRoutes.map { InputPlace(name: $0.name, title: $0.title, ports: []) } }
    for (index, route) in state.outputRoutes.enumerated() where outputs[index].ports.isEmpty {
      outputs[index].ports = make(.outputRoute(route.name), route.name, route.title)
      planPorts(of: outputs[index])
    }
    for (index, route) in state.inputRoutes.enumerated() where inputSwap == nil && inputs[index].ports.isEmpty {
      inputs[index].ports = make(.inputRoute(route.name), route.name, route.title)
      planner[input: index].ports = inputs[index].ports.compactMap(\.unsafePort)
    }
    noteSlots(measurements)
    for session in state.sessions where rack[session.id] == nil {
      do throws(AudioPortError) {
        try open(session, channels: preset.channels(ofSession: session.name), measurements)
      } catch {
        complaints.append(error)
      }
    }
    isComplete = complaints.isEmpty && !rack.strips.values.contains(where: \.lacksMicrophoneSends)
    arePathsStale = true
    return complaints
  }

  /// Makes the ports of a new session, or takes over those of its namesake.
  func open(_ session: Session, channels: Int, _ measurements: Measurements) throws(AudioPortError) {
    guard let place = rack.open(session.id, name: session.name, channels: channels) else {
      throw AudioPortError("the mixer has \(mixer.capacity.strips) strips, and all are in use; close a session first")
    }
    var strip = place.strip
    if !place.isInherited {
      do throws(AudioPortError) {
        strip.inputs = try register(.session(session.name), session.title, channels: 1...channels)
        strip.title = session.title
      } catch {
        _ = rack.retire(session.id, silentFrom: 0)
        rack.takeLeave(of: strip, by: 0)
        throw error
      }
      rack[session.id] = strip
    }
    // A strip that is inherited late has been told to forget its ports.
    var plan = place.isInherited ? planner[strip: strip.index] : StripPlan()
    plan.channels = channels
    plan.inputs = PortPair(strip.inputs)
    plan.microphoneSends = PortPair(strip.microphoneSends)
    planner[strip: strip.index] = plan
    measurements.open(session.id, strip: strip.index)
    arePathsStale = true
  }

  func register(
    _ owner: AudioPortName.Owner, _ title: String, channels: ClosedRange<Int>
  ) throws(AudioPortError) -> [AudioPort] {
    var made: [AudioPort] = []
    for channel in channels {
      do throws(AudioPortError) {
        made.append(try ports.register(AudioPortName(owner: owner, channel: channel, title: title)))
      } catch {
        for port in made { ports.unregister(port) }
        throw error
      }
    }
    return made
  }

  // MARK: The plan

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

  private func changeMicrophoneSends(of session: Session, _ strip: inout StripRack.Strip) throws(AudioPortError) {
    guard strip.microphoneSends.isEmpty else {
      farewells.append((strip.microphoneSends, .max))
      strip.microphoneSends = []
      return
    }
    strip.microphoneSends = try register(
      .microphoneSend(session.name), session.title, channels: 1...strip.channels)
  }

  /// Lets the strips of closed sessions fade out.
  func retireClosed(_ state: PolicyState, _ measurements: Measurements) {
    guard rack.strips.count != state.sessions.count || rack.strips.keys.contains(where: { state.index(of: $0) == nil })
    else { return }
    for session in rack.strips.keys where state.index(of: session) == nil {
      let silentFrom = mixer.meters.frame + UInt64(composer.fades.pause + composer.fades.microphone) + longestCycle
      guard let strip = rack.retire(session, silentFrom: silentFrom) else { continue }
      planner[strip: strip.index] = composer.retired(planner[strip: strip.index])
      arePathsStale = true
      measurements.close(session)
    }
  }

  /// A fade begins with the next cycle at the latest after this many frames.
  var longestCycle: UInt64 { UInt64(2 * mixer.capacity.framesPerCycle) }

  /// Publishes what was composed. Returns the publication that has it all.
  func publish(atFrame frame: UInt64? = nil) -> UInt64 {
    switch planner.publish(at: frame) {
    case .published(let sequence):
      isOverdue = false
      for place in farewells.indices where farewells[place].publication == .max {
        farewells[place].publication = sequence
      }
      return sequence
    case .timelineFull:
      // Nothing is lost: the next publication has it.
      isOverdue = true
      return planner.publishedSequence + 1
    }
  }

  /// Takes away the strips that have become silent, and the ports that the audio thread has forgotten.
  func tidy(at frame: UInt64) {
    if isOverdue { _ = publish() }
    if isSwapping { swapWhatIsSilent() }
    let silent = rack.silent(at: mixer.meters.frame)
    if !silent.isEmpty {
      for strip in silent { planner[strip: strip.index] = StripPlan() }
      let publication = publish()
      for strip in silent { rack.takeLeave(of: strip, by: publication) }
    }
    for port in rack.free(acknowledged: acknowledged) { ports.unregister(port) }
    for farewell in farewells where farewell.publication <= acknowledged {
      for port in farewell.ports { ports.unregister(port) }
    }
    farewells.removeAll { $0.publication <= acknowledged }
  }

  /// Everything falls silent.
  func fadeOut(seconds: Double) {
    planner.host.isOpen = false
    planner.host.openFade = Int(seconds * composer.fades.rate)
    _ = publish()
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

extension PortPair {
  init(_ ports: [AudioPort]) {
    self.init(ports.first?.pointer, ports.count > 1 ? ports[1].pointer : nil)
  }
}

extension AudioPort {
  var unsafePort: UnsafePort? { pointer.map(UnsafePort.init) }
}
