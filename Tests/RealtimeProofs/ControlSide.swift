import MixCore

/// The control thread of the scene: changes everything that there is to change, at once and at frames to come, and reads
/// every meter.
struct ControlSide {
  private let mixer: Mixer
  private var turn = 0
  private(set) var publications = 0
  /// What the meters said, so that no reading can be left out.
  private(set) var reading: Float = 0

  init(mixer: Mixer) {
    self.mixer = mixer
    let planner = mixer.planner
    for route in 0..<Ports.outputRoutes {
      planner[output: route].ports = Ports.output(route)
      planner[output: route].isAvailable = true
      planner[output: route].limit = route == 2 ? nil : -1
      planner[output: route].lookAhead = route == 1 ? 240 : 0
      planner[output: route].measuresLoudness = route != 1
    }
    for input in 0..<Ports.inputRoutes {
      planner[input: input].ports = Ports.input(input)
      planner[input: input].isAvailable = true
    }
    planner.host.inputFade = 480
    for strip in 0..<Ports.strips { open(strip) }
    planner.publish()
  }

  private func open(_ strip: Int) {
    var plan = StripPlan()
    plan.isOpen = true
    plan.channels = strip % 3 == 0 ? 1 : 2
    plan.inputs = Ports.strip(strip)
    if strip % 4 == 0 { plan.microphoneSends = Ports.send(strip) }
    plan.routes = RouteSet(bits: UInt64(strip % 7 + 1))
    plan.openRoutes = plan.routes
    plan.priority = strip % 5 - 2
    plan.followsRinger = strip % 6 == 0
    plan.isCall = strip % 31 == 0
    plan.measuresLoudness = strip % 8 == 0
    plan.duck.isOfDuckerClass = strip % 9 == 0
    plan.duck.style = strip % 2 == 0 ? .margin : .fixed
    plan.duck.attack = 331
    plan.duck.release = 977
    plan.duck.hold = 2000
    if strip % 18 == 0 { plan.duck.trigger = .signal(allowed: true) }
    if strip % 11 == 0 { plan.activation = ActivationPlan() }
    mixer.planner[strip: strip] = plan
  }

  /// A few changes as one event, then a look at the meters.
  mutating func change() {
    turn += 1
    let planner = mixer.planner
    for step in 0..<3 { changeStrip((turn * 7 + step * 13) % Ports.strips, kind: turn + step) }
    switch turn % 16 {
    case 0: planner[output: turn / 16 % 3].isAvailable.toggle()
    case 1: planner[output: 0].volume = Float(turn % 11) / 10
    case 2: planner[output: 0].limit = turn % 32 == 2 ? -0.1 : -6
    case 3: planner[output: 1].lookAhead = turn % 32 == 3 ? 0 : 480
    case 4: planner[input: 0].isAvailable.toggle()
    case 5: planner[input: 1].trim = Float(turn % 7) - 3
    case 6: planner.host.ringer = Float(turn % 9) / 8
    case 7 where turn % 128 == 7: planner.host.isOpen.toggle()
    default: planner.host.openFade = turn % 500
    }
    let frame = turn % 3 == 0 ? nil : mixer.meters.frame + UInt64(turn * 37 % 3000)
    if case .published = planner.publish(at: frame) { publications += 1 }
    read()
  }

  private func changeStrip(_ strip: Int, kind: Int) {
    let planner = mixer.planner
    planner[strip: strip].volumeFade = kind * 29 % 700
    planner[strip: strip].gateFade = kind * 53 % 900
    planner[strip: strip].microphoneFade = kind * 17 % 300
    switch kind % 9 {
    case 0: planner[strip: strip].openRoutes = planner[strip: strip].openRoutes.isEmpty ? [0, 1, 2] : []
    case 1: planner[strip: strip].pan = Float(kind % 21) / 10 - 1
    case 2: planner[strip: strip].duck.trigger = .held(kind % 2 == 0)
    case 3: planner[strip: strip].duck.trigger = .signal(allowed: true)
    case 4: planner[strip: strip].isMicrophoneOpen.toggle()
    case 5: planner[strip: strip].measuresLoudness.toggle()
    case 6: planner[strip: strip].isOpen = false
    case 7: open(strip)
    default: planner[strip: strip].volume = Float(kind % 10) / 10
    }
  }

  private mutating func read() {
    let meters = mixer.meters
    let strip = turn % Ports.strips
    let route = turn % Ports.outputRoutes
    reading += meters.takePeak(ofStrip: strip) + meters.gain(ofStrip: strip) + meters.duckGain(ofStrip: strip)
    reading += meters.loudness(ofStrip: strip) + meters.loudness(ofOutput: route) + meters.limiting(ofOutput: route)
    reading += Float(meters.badSamples(ofStrip: strip)) + Float(meters.latency(ofOutput: route))
    reading += meters.hasActivationSignal(strip: strip) || meters.hasDuckSignal(strip: strip) ? 1 : 0
  }
}
