import MixCore
import SessionPolicy

/// Turns what the policy has decided into what is wanted of the mixer: pure functions.
struct MixComposer {
  var fades: FadeTimes
  /// What every change of a volume takes instead, in frames: a scene glides.
  var glide: Int?
  /// Whether everything that falls silent does so at once.
  var isPanic = false

  /// What a session was heard like when its strip was composed last.
  struct Heard: Hashable {
    var silence = Silence.inactive
    var isMicrophoneOpen = false
  }

  /// What is wanted of the strip of a session.
  ///
  /// - Parameters:
  ///   - plan: what was wanted before, with its ports; it keeps the fades of what does not change.
  ///   - heard: what the session was heard like then; it is brought up to date.
  func strip(
    of session: Session, in state: PolicyState, _ surroundings: Surroundings, before plan: StripPlan,
    heard: inout Heard
  ) -> StripPlan {
    var plan = plan
    let silence = surroundings.silence(of: session)
    let routes = MixCore.RouteSet(bits: surroundings.routes(of: session).bits)
    let openRoutes = silence == .none ? routes : MixCore.RouteSet()
    if openRoutes != plan.openRoutes {
      let fade = fades.gate(from: heard.silence, to: silence)
      plan.gateFade = isPanic && openRoutes.isEmpty ? min(fade, fades.panic) : fade
    }
    let isMicrophoneOpen = state.isMicrophoneOpen(session)
    if isMicrophoneOpen != plan.isMicrophoneOpen {
      plan.microphoneFade = isPanic ? min(fades.microphone, fades.panic) : fades.microphone
    }
    heard = Heard(silence: silence, isMicrophoneOpen: isMicrophoneOpen)

    plan.isOpen = true
    plan.openRoutes = openRoutes
    plan.routes = routes
    plan.isMicrophoneOpen = isMicrophoneOpen
    let level = (Float(session.volume), Float(session.pan), session.effectiveCategory.followsRinger)
    if level != (plan.volume, plan.pan, plan.followsRinger) {
      (plan.volume, plan.pan, plan.followsRinger) = level
      plan.volumeFade = glide ?? fades.volume
    }
    plan.isCall = session.effectiveCategory == .call
    plan.priority = session.priority
    plan.duck = duck(of: session, mayDuck: state.mayDuck(session, in: surroundings))
    plan.activation = session.activation == .signal ? activation(of: session) : nil
    return plan
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
  func output(_ route: OutputRoute, before plan: OutputRoutePlan) -> OutputRoutePlan {
    var plan = plan
    plan.isAvailable = route.isAvailable
    let level = (Float(route.hasFixedVolume ? 1 : route.volume), Float(route.trim))
    if level != (plan.volume, plan.trim) {
      (plan.volume, plan.trim) = level
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
  func host(_ state: PolicyState, before plan: HostPlan) -> HostPlan {
    var plan = plan
    if plan.ringer != Float(state.ringerVolume) {
      plan.ringer = Float(state.ringerVolume)
      plan.ringerFade = glide ?? fades.volume
    }
    plan.inputFade = fades.microphone
    return plan
  }
}
