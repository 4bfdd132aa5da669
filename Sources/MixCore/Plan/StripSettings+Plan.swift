// From what the control side wants to what the audio thread reads. Control thread only.

extension StripSettings {
  /// Checks and converts. Values out of range go to the nearest one in it, NaN to the lowest.
  init(_ plan: StripPlan, capacity: MixCapacity) {
    isOpen = plan.isOpen
    followsRinger = plan.followsRinger
    isCall = plan.isCall
    isMicrophoneOpen = plan.isMicrophoneOpen
    measuresLoudness = plan.measuresLoudness
    channels = plan.channels < 2 ? 1 : 2
    priority = Int16(plan.priority.clamped(to: -100...100))
    inputs = plan.inputs
    sends = plan.microphoneSends
    volume = plan.volume.clamped(to: 0...1)
    // A pan that is no number is the middle: the lowest value would be the far left.
    let pan = plan.pan.isNaN ? 0 : plan.pan.clamped(to: -1...1)
    left = 1 - max(pan, 0)
    right = 1 + min(pan, 0)
    volumeFade = .frames(plan.volumeFade)
    gateFade = .frames(plan.gateFade)
    way = plan.way
    gateWay = plan.gateWay
    microphoneFade = .frames(plan.microphoneFade)
    let existing: UInt64 = capacity.outputRoutes == 64 ? .max : (1 << UInt64(capacity.outputRoutes)) - 1
    openRoutes = plan.openRoutes.bits & existing
    routes = plan.routes.bits & existing
    duck = DuckSettings(plan.duck)
    if let plan = plan.activation { activation = ActivationSettings(plan) }
  }
}

extension DuckSettings {
  init(_ plan: DuckPlan) {
    isOfDuckerClass = plan.isOfDuckerClass
    switch plan.trigger {
    case .held(let holds): isAllowed = holds
    case .signal(let allowed):
      isAllowed = allowed
      waitsForSignal = true
    }
    keepsMargin = plan.style == .margin
    depth = Decibels.position(plan.depth.clamped(to: -60...0))
    maxDepth = plan.maxDepth.clamped(to: -60...0)
    margin = plan.margin.clamped(to: 0...40)
    threshold = Decibels.gain(plan.threshold.clamped(to: -80...0))
    attack = max(1, .frames(plan.attack))
    hold = .frames(plan.hold)
    release = max(1, .frames(plan.release))
  }
}

extension ActivationSettings {
  init(_ plan: ActivationPlan) {
    isWatched = true
    threshold = Decibels.gain(plan.threshold.clamped(to: -120...0))
    onset = .frames(plan.onset)
    hold = .frames(plan.hold)
  }
}

extension OutputRouteSettings {
  init(_ plan: OutputRoutePlan, longestLookAhead: Int) {
    isAvailable = plan.isAvailable
    measuresLoudness = plan.measuresLoudness
    channels = UInt8(min(plan.ports.count, MixCapacity.channelsPerRoute))
    for (index, port) in plan.ports.prefix(MixCapacity.channelsPerRoute).enumerated() { ports[index] = port.bits }
    volume = plan.volume.clamped(to: 0...1)
    trim = Decibels.position(plan.trim.clamped(to: -60...12))
    volumeFade = .frames(plan.volumeFade)
    way = plan.way
    if let limit = plan.limit { ceiling = Decibels.gain(limit.clamped(to: -60...0)) }
    lookAhead = .frames(min(plan.lookAhead, longestLookAhead))
  }
}

extension InputRouteSettings {
  init(_ plan: InputRoutePlan) {
    isAvailable = plan.isAvailable
    channels = UInt8(min(plan.ports.count, 2))
    ports.first = plan.ports.first?.bits ?? 0
    ports.second = plan.ports.dropFirst().first?.bits ?? 0
    trim = Decibels.position(plan.trim.clamped(to: -60...12))
    trimFade = .frames(plan.trimFade)
  }
}

extension HostSettings {
  init(_ plan: HostPlan) {
    isOpen = plan.isOpen
    ringer = plan.ringer.clamped(to: 0...1)
    ringerFade = .frames(plan.ringerFade)
    ringerWay = plan.ringerWay
    openFade = .frames(plan.openFade)
    inputFade = .frames(plan.inputFade)
  }
}

extension UInt32 {
  /// A length of a ramp, at most 2³⁰ frames (93 minutes at 192 kHz). Up to 2²⁴ a `Float` counts every frame exactly; a
  /// longer ramp moves in steps of a few frames, each far smaller than a sample can tell.
  static func frames(_ count: Int) -> UInt32 { UInt32(count.clamped(to: 0...(1 << 30))) }
}

extension Comparable {
  func clamped(to range: ClosedRange<Self>) -> Self {
    // In this order of arguments a NaN becomes the lower bound.
    min(max(range.lowerBound, self), range.upperBound)
  }
}
