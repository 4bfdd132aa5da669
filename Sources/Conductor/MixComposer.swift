import MixCore
import SessionPolicy

/// What is wanted of the mixer, as the control side has it.
struct MixWish {
  let policy: PolicyState
  /// Where scenes that are on their way lead; `nil` where none is. Levels go there, and what will be closed fades out.
  var destination: PolicyState?
  /// How long a scene that was recalled just now takes, in seconds; 0 for none.
  var glide = 0.0
  /// Whether everything that falls silent does so at once.
  var isPanic = false
  /// The addresses of levels that are on another way from now on.
  var retaken: Set<String> = []
}

/// Turns what the policy has decided into what is wanted of the mixer: pure functions.
struct MixComposer {
  var fades: FadeTimes
  /// What every change takes instead, in frames: a scene glides.
  var glide: Int?
  /// Whether everything that falls silent does so at once.
  var isPanic = false
  /// By the index of an output route: its place in the mixer. Empty where they are the same.
  var slots: [Int] = []
  /// Places in the mixer, a bit each, on which nobody may sound for a moment, for their ports change.
  var closedSlots: UInt64 = 0
  /// Whether all microphones are closed for a moment, for the inputs change.
  var holdsMicrophones = false

  /// Output routes as the mixer knows them.
  private func places(_ routes: SessionPolicy.RouteSet) -> MixCore.RouteSet {
    guard !slots.isEmpty else { return MixCore.RouteSet(bits: routes.bits) }
    return MixCore.RouteSet(slots.indices.filter(routes.contains).map { slots[$0] })
  }

  /// What a session was heard like when its strip was composed last.
  struct Heard: Hashable {
    var silence = Silence.inactive
    var isMicrophoneOpen = false
    /// Whether it sounds yet, and a scene that is on its way will silence it.
    var isLeaving = false
  }

  /// What of a session is on another way from now on.
  struct Retaken {
    var levels = false
    var gates = false
  }

  /// Where scenes that are on their way lead a session.
  struct Destination {
    /// `nil` where it will be closed.
    var session: Session?
    var silence = Silence.inactive
    var routes = SessionPolicy.RouteSet()
    var isMicrophoneOpen = false
  }

  /// What is wanted of the strip of a session.
  ///
  /// - Parameters:
  ///   - destination: where scenes that are on their way lead it, if some are.
  ///   - retaken: what of it is on another way from now on.
  ///   - isHeld: whether it has to be silent for a moment, for its ports change.
  ///   - plan: what was wanted before, with its ports; it keeps the fades of what does not change.
  ///   - heard: what the session was heard like then; it is brought up to date.
  func strip(
    of session: Session, in state: PolicyState, _ surroundings: Surroundings, to destination: Destination? = nil,
    retaken: Retaken = Retaken(), isHeld: Bool = false, before plan: StripPlan, heard: inout Heard
  ) -> StripPlan {
    var plan = plan
    var silence = surroundings.silence(of: session)
    let isLeaving = silence == .none && destination.map { $0.silence != .none } ?? false
    if isLeaving { silence = destination?.silence ?? .inactive }
    let routes = places(surroundings.routes(of: session))
    var openRoutes = silence == .none && !isHeld ? routes : MixCore.RouteSet()
    if let destination { openRoutes.bits &= places(destination.routes).bits }
    openRoutes.bits &= ~closedSlots
    // What leaves for a scene leaves at once when something else silences it.
    let isHurried = heard.isLeaving && !isLeaving && silence != .none
    if openRoutes != plan.openRoutes || isHurried || isLeaving && glide != nil {
      let fade = glide ?? fades.gate(from: heard.silence, to: silence)
      plan.gateFade = isPanic && openRoutes.isEmpty ? min(fade, fades.panic) : fade
    } else if isPanic, openRoutes.isEmpty {
      plan.gateFade = min(plan.gateFade, fades.panic)
    }
    let isMicrophoneOpen =
      state.isMicrophoneOpen(session) && destination?.isMicrophoneOpen ?? true && !isHeld && !holdsMicrophones
    if isMicrophoneOpen != plan.isMicrophoneOpen || isHurried {
      let fade = glide ?? fades.microphone
      plan.microphoneFade = isPanic ? min(fade, fades.panic) : fade
    }
    heard = Heard(silence: silence, isMicrophoneOpen: isMicrophoneOpen, isLeaving: isLeaving)

    let isStillOpen = openRoutes == plan.openRoutes && !openRoutes.isEmpty
    plan.isOpen = true
    plan.openRoutes = openRoutes
    plan.routes = routes
    plan.isMicrophoneOpen = isMicrophoneOpen
    let goal = destination?.session ?? session
    setLevels(of: &plan, to: goal, followsRinger: session.effectiveCategory.followsRinger)
    if retaken.levels {
      plan.way &+= 1
      plan.volumeFade = glide ?? fades.volume
    }
    if retaken.gates, isStillOpen {
      plan.gateWay &+= 1
      plan.gateFade = glide ?? fades.volume
    }
    plan.isCall = session.effectiveCategory == .call
    plan.priority = session.priority
    plan.duck = duck(of: session, mayDuck: state.mayDuck(session, in: surroundings))
    plan.activation = session.activation == .signal ? activation(of: session) : nil
    return plan
  }

  /// Brings the levels of a strip to those of its session: all that a volume or a pan changes of the whole mix.
  func setLevels(of plan: inout StripPlan, to session: Session, followsRinger: Bool) {
    let level = (Float(session.volume), Float(session.pan), followsRinger)
    guard level != (plan.volume, plan.pan, plan.followsRinger) else { return }
    (plan.volume, plan.pan, plan.followsRinger) = level
    plan.volumeFade = glide ?? fades.volume
  }

  private func duck(of session: Session, mayDuck: Bool) -> DuckPlan {
    var duck = DuckPlan()
    duck.isOfDuckerClass = session.isDucker
    duck.trigger = session.duck.trigger == .signal ? .signal(allowed: mayDuck) : .held(mayDuck)
    duck.style = session.duck.style == .margin ? .margin : .fixed
    duck.depth = Float(session.duck.depth)
    duck.attack = fades.frames(milliseconds: session.duck.attack)
    duck.hold = fades.frames(milliseconds: session.duck.hold)
    duck.release = fades.frames(milliseconds: session.duck.release)
    duck.threshold = Float(session.duck.threshold)
    duck.margin = Float(session.duck.margin)
    duck.maxDepth = Float(session.duck.maxDepth)
    return duck
  }

  private func activation(of session: Session) -> ActivationPlan {
    var activation = ActivationPlan()
    activation.threshold = Float(session.automatic.threshold)
    activation.onset = fades.frames(milliseconds: 20)
    activation.hold = fades.frames(milliseconds: session.automatic.hold)
    return activation
  }

  /// What is wanted of a strip whose session has been closed: it fades out and ducks nobody.
  func retired(_ plan: StripPlan) -> StripPlan {
    var plan = plan
    plan.openRoutes = MixCore.RouteSet()
    plan.gateFade = isPanic ? fades.panic : fades.pause
    plan.isMicrophoneOpen = false
    plan.microphoneFade = fades.microphone
    plan.duck.trigger = .held(false)
    plan.activation = nil
    return plan
  }

  /// What is wanted of an output route.
  ///
  /// - Parameters:
  ///   - goal: the route as scenes that are on their way leave it.
  ///   - isRetaken: whether its levels are on another way from now on.
  func output(
    _ route: OutputRoute, to goal: OutputRoute? = nil, isRetaken: Bool = false, before plan: OutputRoutePlan
  ) -> OutputRoutePlan {
    var plan = plan
    let goal = goal ?? route
    plan.isAvailable = route.isAvailable
    let level = (Float(route.hasFixedVolume ? 1 : goal.volume), Float(goal.trim))
    if level != (plan.volume, plan.trim) {
      (plan.volume, plan.trim) = level
      plan.volumeFade = glide ?? fades.volume
    }
    if isRetaken {
      plan.way &+= 1
      plan.volumeFade = glide ?? fades.volume
    }
    plan.limit = route.limit.map { Float($0) }
    return plan
  }

  /// What is wanted of an input route.
  func input(_ route: InputRoute, before plan: InputRoutePlan) -> InputRoutePlan {
    var plan = plan
    plan.isAvailable = route.isAvailable
    plan.trim = Float(route.trim)
    plan.trimFade = fades.volume
    return plan
  }

  /// What is wanted of the host.
  ///
  /// - Parameter isRetaken: whether the ringer volume is on another way from now on.
  func host(_ state: PolicyState, isRetaken: Bool = false, before plan: HostPlan) -> HostPlan {
    var plan = plan
    if isRetaken { plan.ringerWay &+= 1 }
    if isRetaken || plan.ringer != Float(state.ringerVolume) {
      plan.ringer = Float(state.ringerVolume)
      plan.ringerFade = glide ?? fades.volume
    }
    plan.inputFade = fades.microphone
    return plan
  }
}
