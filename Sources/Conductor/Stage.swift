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
  /// The inputs are put in another order when all microphones are silent.
  var inputSwap: (places: [InputPlace], fadeOut: FadeOut)?
  /// Whether the mix is to be composed anew, for something has fallen silent that was waited for.
  var isChanged = false
  /// Ports that the audio thread forgets with a publication.
  var farewells: [(ports: [AudioPort], publication: UInt64)] = []
  /// Whether a publication found no room and is to be tried again.
  var isOverdue = false
  /// The sessions and output routes that wait in silence for their wires, and fade in when they have them.
  var unwired: Set<AudioPortName.Owner> = []
  /// Of everything, at the end.
  private var lastFadeOut: FadeOut?
  /// Whether all has the ports that it is to have.
  var isComplete = true
  /// The ways that sound was said to take.
  var paths: [AudioPath] = []
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
        _ = rack.retire(session.id, fadeOut(over: 0))
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

  func changeMicrophoneSends(of session: Session, _ strip: inout StripRack.Strip) throws(AudioPortError) {
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
      let length = composer.fades.pause + composer.fades.microphone
      guard let strip = rack.retire(session, fadeOut(over: length)) else { continue }
      planner[strip: strip.index] = composer.retired(planner[strip: strip.index])
      arePathsStale = true
      measurements.close(session)
    }
  }

  /// Of what fades out with the next publication, for at most so many frames.
  func fadeOut(over length: Int) -> FadeOut { FadeOut(publication: planner.publishedSequence + 1, length: length) }

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
    // Asked before how far the mixer is. Where nothing waits, what needed no publication is in force too.
    let inForce = !isOverdue && acknowledged == planner.publishedSequence ? .max : acknowledged
    if isSwapping { swapWhatIsSilent(inForce: inForce) }
    let silent = rack.silent(at: mixer.meters.frame, inForce: inForce)
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
  ///
  /// - Parameter rest: how many frames of silence belong to it.
  func fadeOut(seconds: Double, rest: Int) {
    let length = Int(seconds * composer.fades.rate)
    lastFadeOut = fadeOut(over: length + rest)
    planner.host.isOpen = false
    planner.host.openFade = length
    _ = publish()
  }

  /// Whether everything has fallen silent.
  var isFadedOut: Bool {
    let inForce = acknowledged
    return lastFadeOut?.isOver(at: mixer.meters.frame, inForce: inForce) ?? false
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
