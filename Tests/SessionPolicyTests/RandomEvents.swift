@testable import SessionPolicy

/// Random numbers that are the same on every machine (SplitMix64, Steele, Lea and Flood 2014).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &self)] }
  mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }
}

/// A host to which random things happen: few sessions and few names, so that they meet often.
struct RandomHost {
  static let names = ["film", "radio", "chat", "phone", "maps", "book", "bell"]
  private static let sources = ["alarm", "desk", "film", "phone"]

  var state: PolicyState
  var random: SeededGenerator
  private(set) var time = 0.0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    var fixed = OutputRoute(name: "hdmi", kind: .hdmi)
    fixed.hasFixedVolume = true
    state = PolicyState(
      outputRoutes: [
        OutputRoute(name: "speaker", kind: .speaker),
        OutputRoute(name: "headphones", kind: .headphones, isAvailable: false),
        OutputRoute(name: "bluetooth", kind: .bluetooth, isAvailable: false), fixed,
      ],
      inputRoutes: [InputRoute(name: "mic"), InputRoute(name: "headset", isAvailable: false)])
    state.beginEvent(at: 0)
    for name in Self.names { _ = try? state.apply(.open(name: name, category: category())) }
    _ = state.endEvent()
  }

  /// The time of the next event: the same, or a little later.
  mutating func nextTime() -> Double {
    if random.chance(0.5) { time += Double(random.pick([1, 3, 20])) }
    return time
  }

  /// Something that can happen to this host now.
  mutating func event() -> Event {
    guard let session = state.sessions.randomElement(using: &random), !random.chance(0.25) else { return hostEvent() }
    let id = session.id
    switch Int.random(in: 0..<26, using: &random) {
    case 0...5: return .play(id)
    case 6, 7: return .activate(id)
    case 8, 9: return .deactivate(id, notifyOthers: random.chance(0.5))
    case 10, 11: return .pause(id)
    case 12: return .setCategory(id, category(), options: options())
    case 13: return .setCategory(id, .playback, options: options())
    case 14: return .setCategory(id, .playAndRecord, options: .overrideMutedMicrophoneInterruption)
    case 15, 16: return .setOptions(id, options())
    case 17: return .setMode(id, random.pick([.default, .spokenAudio]))
    case 18: return .setForeground(id, random.chance(0.6))
    case 19: return .setMicMute(id, random.chance(0.3))
    case 20: return .beginHold(id, source: random.pick(Self.sources))
    case 21: return .endHold(id, source: session.holds.last ?? "desk", resumable: random.chance(0.5))
    case 22: return automatic(id)
    default: return .set(id, attribute())
    }
  }

  private mutating func category() -> SessionPolicy.Category {
    random.pick(SessionPolicy.Category.allCases + [.playback, .playback, .soloAmbient, .playAndRecord, .call])
  }

  private mutating func options() -> SessionOptions {
    SessionOptions(rawValue: random.pick([0, 0, 1, 2, 4, 4, 8, 12, UInt8.random(in: 0..<16, using: &random)]))
  }

  private mutating func automatic(_ id: SessionID) -> Event {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .setConnected(id, random.chance(0.6))
    case 1: .setSignal(id, random.chance(0.6))
    case 2: .setDuckingSignal(id, random.chance(0.6))
    default: .clientsLost(id)
    }
  }

  private mutating func attribute() -> Attribute {
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: return .controls(random.chance(0.5))
    case 2: return .mute(random.chance(0.3))
    case 3: return .solo(random.chance(0.5))
    case 4: return .volume(random.pick([0, 0.25, 1]))
    case 5: return .priority(Int.random(in: -1...1, using: &random))
    case 6: return .routes(random.pick([[], [], [0], [1], [1, 3], [2, 0]]))
    case 7: return .activation(random.pick(Activation.allCases))
    case 8: return .idleRelease(random.pick([0, 0, 5]))
    case 9: return .onRouteLoss(random.pick(RouteLossBehavior.allCases))
    case 10: return .remote(RemoteCommands(rawValue: UInt8.random(in: 0..<64, using: &random)))
    default:
      var duck = DuckParameters()
      duck.trigger = random.pick(DuckTrigger.allCases)
      duck.depth = random.pick([-14, -6, 0])
      return .duck(duck)
    }
  }

  private mutating func hostEvent() -> Event {
    switch Int.random(in: 0..<19, using: &random) {
    case 0: return .beginHostInterruption(source: random.pick(Self.sources))
    case 1, 2, 3:
      let source = state.hostInterruptions.last ?? random.pick(Self.sources)
      return .endHostInterruption(source: source, resumable: random.chance(0.6))
    case 4: return .setCover(.closed)
    case 5, 6: return .setCover(.open)
    case 7: return .setSilent(random.chance(0.3))
    case 8: return .setLocked(random.chance(0.3))
    case 9, 10, 11: return .setRouteAvailable(Int.random(in: 0..<4, using: &random), random.chance(0.6))
    case 12: return .chooseRoute(Int.random(in: 0..<4, using: &random))
    case 13: return .setInputAvailable(Int.random(in: 0..<2, using: &random), random.chance(0.7))
    case 14, 15: return .remote(random.pick(RemoteCommand.allCases))
    case 16: return .stepVolume(up: random.chance(0.5))
    case 17:
      if random.chance(0.2) { return .panic }
      return .setVolume(random.pick([0, 0.5, 1]))
    default:
      let name = random.pick(Self.names)
      return state.sessionID(named: name).map(Event.close) ?? .open(name: name, category: category())
    }
  }
}
