import MixCore
import Presets
import SessionPolicy

/// Where a route is in the mixer.
protocol RoutePlace {
  /// What its ports are called for people.
  var title: String { get set }
  var ports: [AudioPort] { get }
}

/// Where an output route is in the mixer. A route that stays keeps its place, so that nothing is heard of those beside it.
struct OutputPlace: RoutePlace {
  let name: String
  var title: String
  let slot: Int
  var ports: [AudioPort]
  /// Frames.
  var lookAhead: Int
  /// What it becomes once nobody sounds on it.
  var swap: (channels: Int, lookAhead: Int, fadeOut: FadeOut)?
}

/// An output route that is gone.
struct RetiredOutput {
  let slot: Int
  let ports: [AudioPort]
  var fadeOut: FadeOut
}

/// An input route in the mixer, where its index counts: microphones hear the first that is there.
struct InputPlace: RoutePlace {
  let name: String
  var title: String
  var ports: [AudioPort]
}

/// What a new preset changes on the audio side: ports come and go, each only where nothing sounds.
extension Stage {
  /// Whether something waits until it is silent.
  var isSwapping: Bool {
    !retiredOutputs.isEmpty || inputSwap != nil || outputs.contains { $0.swap != nil }
      || rack.strips.values.contains { $0.swap != nil }
  }

  /// Follows routes and channels from one preset to another; the policy has followed already.
  ///
  /// - Parameter channels: how many ports an output or input route of a name has.
  func adopt(
    _ new: Preset, insteadOf old: Preset, _ state: PolicyState, channels: (String) -> Int, _ measurements: Measurements
  ) -> [AudioPortError] {
    composer.fades = FadeTimes(new.fades, rate: composer.fades.rate)
    var complaints: [AudioPortError] = []
    retireClosed(state, measurements)
    for session in state.sessions {
      let count = new.channels(ofSession: session.name)
      if let strip = rack[session.id] {
        let isOtherCount = strip.channels != count && old.channels(ofSession: session.name) != count
        if isOtherCount || new.takesSources(of: session.name, awayFrom: old) {
          rack[session.id]?.swap = (isOtherCount ? count : strip.channels, fadeOut)
        }
        continue
      }
      do throws(AudioPortError) {
        try open(session, channels: count, measurements)
      } catch {
        complaints.append(error)
      }
    }
    guard old.routes != new.routes || old.inputs != new.inputs else { return complaints }
    complaints += changeOutputs(new, old, state, channels)
    complaints += changeInputs(new, old, state, channels)
    retitleRoutes(state)
    noteSlots(measurements)
    return complaints
  }

  /// Routes that stay may be called otherwise.
  private func retitleRoutes(_ state: PolicyState) {
    for index in outputs.indices {
      retitle(&outputs[index], state.outputRoutes.first { $0.name == outputs[index].name }?.title)
    }
    for index in inputs.indices {
      retitle(&inputs[index], state.inputRoutes.first { $0.name == inputs[index].name }?.title)
    }
    guard var swap = inputSwap else { return }
    for index in swap.places.indices {
      retitle(&swap.places[index], state.inputRoutes.first { $0.name == swap.places[index].name }?.title)
    }
    inputSwap = swap
  }

  private func retitle(_ place: inout some RoutePlace, _ title: String?) {
    guard let title, title != place.title else { return }
    place.title = title
    ports.setTitle(title, of: place.ports)
  }

  /// Of what begins to fade out now, of whatever kind.
  private var fadeOut: FadeOut {
    fadeOut(over: max(composer.fades.route, composer.fades.pause, composer.fades.microphone))
  }

  func noteSlots(_ measurements: Measurements) {
    let slots = outputs.map(\.slot)
    composer.slots = slots == Array(slots.indices) ? [] : slots
    measurements.setRouteSlots(slots)
  }

  func planPorts(of place: OutputPlace) {
    planner[output: place.slot].ports = place.ports.compactMap(\.unsafePort)
    planner[output: place.slot].lookAhead = place.lookAhead
  }

  // MARK: Routes

  private func changeOutputs(
    _ new: Preset, _ old: Preset, _ state: PolicyState, _ channels: (String) -> Int
  ) -> [AudioPortError] {
    var complaints: [AudioPortError] = []
    let before = outputs
    var used = Set(before.map(\.slot) + retiredOutputs.map(\.slot))
    outputs = state.outputRoutes.map { route in
      let wish = new.routes.first { $0.name == route.name }
      let lookAhead = composer.fades.frames(milliseconds: wish?.lookahead ?? 0)
      if var place = before.first(where: { $0.name == route.name }) {
        let count = channels(route.name)
        if let wish, let known = old.routes.first(where: { $0.name == route.name }),
          wish.ports != known.ports || lookAhead != place.lookAhead
        {
          place.swap = (count, lookAhead, fadeOut)
        }
        return place
      }
      let slot = (0..<mixer.capacity.outputRoutes).first { !used.contains($0) }
      if let slot { used.insert(slot) }
      var place = OutputPlace(
        name: route.name, title: route.title, slot: slot ?? 0, ports: [], lookAhead: lookAhead)
      do throws(AudioPortError) {
        guard slot != nil else { throw AudioPortError("there is no room for the route \(route.name) yet") }
        place.ports = try register(
          .outputRoute(route.name), route.title, channels: 1...max(1, channels(route.name)))
        planner[output: place.slot] = OutputRoutePlan()
        planPorts(of: place)
      } catch {
        complaints.append(error)
      }
      return place
    }
    let kept = Set(outputs.map(\.name))
    retiredOutputs += before.filter { !kept.contains($0.name) }.map {
      RetiredOutput(slot: $0.slot, ports: $0.ports, fadeOut: fadeOut)
    }
    return complaints
  }

  private func changeInputs(
    _ new: Preset, _ old: Preset, _ state: PolicyState, _ channels: (String) -> Int
  ) -> [AudioPortError] {
    var complaints: [AudioPortError] = []
    let before = inputSwap?.places ?? inputs
    let places = state.inputRoutes.map { route -> InputPlace in
      let place = before.first { $0.name == route.name }
      let (old, title) = (place?.ports ?? [], place?.title ?? route.title)
      do throws(AudioPortError) {
        let ports = try fit(old, .inputRoute(route.name), route.title, count: channels(route.name))
        return InputPlace(name: route.name, title: title, ports: ports)
      } catch {
        complaints.append(error)
        return InputPlace(name: route.name, title: title, ports: old)
      }
    }
    let areOthers = new.inputs.contains { input in
      old.inputs.contains { $0.name == input.name && $0.ports != input.ports }
    }
    let isSame =
      !areOthers && places.count >= inputs.count
      && zip(inputs, places).allSatisfy { $0.name == $1.name && $0.ports == $1.ports }
    if isSame, inputSwap == nil {
      for index in inputs.count..<places.count {
        planner[input: index].ports = places[index].ports.compactMap(\.unsafePort)
      }
      inputs = places
    } else {
      inputSwap = (places, fadeOut)
    }
    return complaints
  }

  /// So many ports of an owner: those that it has, and new ones for what is missing. What is too many goes when the audio
  /// thread has forgotten it.
  private func fit(
    _ old: [AudioPort], _ owner: AudioPortName.Owner, _ title: String, count: Int
  ) throws(AudioPortError) -> [AudioPort] {
    let count = max(1, count)
    guard count > old.count else { return Array(old.prefix(count)) }
    return old + (try register(owner, title, channels: (old.count + 1)...count))
  }

  // MARK: Silence

  /// Changes the ports of all that has become silent.
  ///
  /// - Parameter inForce: The newest publication that is in force.
  func swapWhatIsSilent(inForce: UInt64) {
    let frame = mixer.meters.frame
    for index in outputs.indices {
      guard outputs[index].swap?.fadeOut.isOver(at: frame, inForce: inForce) == true, let swap = outputs[index].swap
      else { continue }
      outputs[index].swap = nil
      let old = outputs[index].ports
      outputs[index].ports =
        (try? fit(old, .outputRoute(outputs[index].name), outputs[index].title, count: swap.channels)) ?? old
      outputs[index].lookAhead = swap.lookAhead
      planPorts(of: outputs[index])
      dismiss(old, but: outputs[index].ports)
    }
    for (session, strip) in rack.strips {
      guard rack[session]?.swap?.fadeOut.isOver(at: frame, inForce: inForce) == true, let swap = strip.swap
      else { continue }
      rack[session] = changed(strip, channels: swap.channels)
    }
    for index in retiredOutputs.indices.reversed() {
      guard retiredOutputs[index].fadeOut.isOver(at: frame, inForce: inForce) else { continue }
      let retired = retiredOutputs.remove(at: index)
      planner[output: retired.slot] = OutputRoutePlan()
      dismiss(retired.ports, but: [])
    }
    if inputSwap?.fadeOut.isOver(at: frame, inForce: inForce) == true, let swap = inputSwap {
      let old = inputs.flatMap(\.ports)
      for index in 0..<max(inputs.count, swap.places.count) {
        planner[input: index] = InputRoutePlan()
        if index < swap.places.count {
          planner[input: index].ports = swap.places[index].ports.compactMap(\.unsafePort)
        }
      }
      inputs = swap.places
      inputSwap = nil
      dismiss(old, but: inputs.flatMap(\.ports))
    }
    isChanged = true
    arePathsStale = true
  }

  private func changed(_ strip: StripRack.Strip, channels: Int) -> StripRack.Strip {
    var strip = strip
    strip.swap = nil
    let (inputs, sends) = (strip.inputs, strip.microphoneSends)
    guard let fitted = try? fit(inputs, .session(strip.name), strip.title, count: channels) else { return strip }
    strip.channels = channels
    strip.inputs = fitted
    if !sends.isEmpty {
      strip.microphoneSends = (try? fit(sends, .microphoneSend(strip.name), strip.title, count: channels)) ?? sends
    }
    planner[strip: strip.index].channels = channels
    planner[strip: strip.index].inputs = PortPair(strip.inputs)
    planner[strip: strip.index].microphoneSends = PortPair(strip.microphoneSends)
    dismiss(inputs + sends, but: strip.inputs + strip.microphoneSends)
    return strip
  }

  private func dismiss(_ ports: [AudioPort], but kept: [AudioPort]) {
    let gone = ports.filter { !kept.contains($0) }
    if !gone.isEmpty { farewells.append((gone, .max)) }
  }
}

extension Preset {
  /// Whether a session loses some of the sources that another preset gave it: what it hears then is cut off.
  public func takesSources(of session: String, awayFrom old: Preset) -> Bool {
    let before = old.sessions.first { $0.name == session }?.sources ?? []
    let after = sessions.first { $0.name == session }?.sources ?? []
    return !Set(after).isSuperset(of: before)
  }
}
