import SessionPolicy

/// The endpoints of the host and of its routes.
extension Endpoint {
  static let host: [Endpoint] = [
    Endpoint(
      "/host/volume", .one, .readWrite, [.fader], rules: ["V1", "V3", "V4"], "System volume of the current route.",
      read: { [.float(Float($0.state.systemVolume))] },
      write: { scope, words throws(Refusal) in try .event(.setVolume(words.number(.fader))) }),
    Endpoint(
      "/host/ringer", .one, .readWrite, [.fader], rules: ["V1", "V3"],
      "Ringer volume, which governs `systemSound` and `ringtone`.",
      read: { [.float(Float($0.state.ringerVolume))] },
      write: { scope, words throws(Refusal) in try .event(.setRinger(words.number(.fader))) }),
    Endpoint(
      "/host/volumeUp", .one, .act, [], rules: ["V2"],
      "One step (1/16) up: the system volume if what it governs is heard, else the ringer volume.",
      write: { _, _ throws(Refusal) in .event(.stepVolume(up: true)) }),
    Endpoint(
      "/host/volumeDown", .one, .act, [], rules: ["V2"], "One step (1/16) down.",
      write: { _, _ throws(Refusal) in .event(.stepVolume(up: false)) }),
    Endpoint(
      "/host/volumeControl", .one, .readOnly, [.text], rules: ["V4"],
      "Empty, or the title of the current route where its volume is fixed.",
      read: { [.string($0.state.volumeControl)] }),
    Endpoint(
      "/host/silent", .one, .readWrite, [.bool], rules: ["S1"], "The silent switch.",
      read: { [.bool($0.state.isSilent)] },
      write: { scope, words throws(Refusal) in try .event(.setSilent(words.bool())) }),
    Endpoint(
      "/host/locked", .one, .readWrite, [.bool], rules: ["S1"], "Whether the host is locked.",
      read: { [.bool($0.state.isLocked)] },
      write: { scope, words throws(Refusal) in try .event(.setLocked(words.bool())) }),
    Endpoint(
      "/host/cover", .one, .readWrite, [.word(Cover.allCases.map(\.rawValue), otherwise: .outOfRange)],
      rules: ["M1", "M2", "M3"], "Whether the cover is over the microphones.",
      read: { [.string($0.state.cover.rawValue)] },
      write: { scope, words throws(Refusal) in try .event(.setCover(words.word(Cover.self))) }),
    Endpoint(
      "/host/route", .one, .readWrite, [.text], rules: ["R1", "R2", "R3", "R4", "R8"],
      "The current output route; setting it is the person's choice. Empty if there is none.",
      read: { [.string($0.state.currentRouteName)] },
      write: { scope, words throws(Refusal) in
        let name = try words.text("the name of an output route")
        return try .event(.chooseRoute(scope.state.requireOutputRoute(name)))
      }),
    Endpoint(
      "/host/routes", .one, .readOnly, [.names], rules: ["R1"], "All output routes in preset order.",
      read: { $0.state.outputRoutes.map { .string($0.name) } }),
    Endpoint(
      "/host/interruption", .one, .act, ValueKind.interruption, usage: "begin SOURCE | end SOURCE [resumable]",
      rules: ["I7", "A2"], "An interruption of the whole host begins or ends.",
      write: { scope, words throws(Refusal) in
        switch try OutsideInterruption(&words) {
        case .begin(let source): return .event(.beginHostInterruption(source: source))
        case .end(let source, let resumable):
          return .event(.endHostInterruption(source: source, resumable: resumable))
        }
      }),
    Endpoint(
      "/host/nowPlaying", .one, .readOnly, [.text], rules: ["C1"],
      "The session that remote commands are for. Empty if there is none.",
      read: { [.string($0.state.nowPlayingSession?.name ?? "")] }),
    Endpoint(
      "/host/remote", .one, .act, [.word(RemoteCommand.allCases.map(\.rawValue), otherwise: .outOfRange)],
      rules: ["C2", "C3"],
      "A remote command. Where it reaches nobody the answer is `ignored COMMAND REASON` with `noSession`, `noContext` "
        + "or `unsupported`.",
      write: { scope, words throws(Refusal) in try .event(.remote(words.word(RemoteCommand.self))) }),
    Endpoint(
      "/host/panic", .one, .act, [], rules: ["A6", "M1"],
      "Everything to silence within 5 ms, every session paused; nothing plays until it is asked to.",
      write: { _, _ throws(Refusal) in
        .eventAndRequest(.panic, .panic)
      }),
  ]

  static let routes: [Endpoint] = [
    Endpoint(
      "/route/NAME/available", .route, .readWrite, [.bool], rules: ["R2", "R4", "R6"],
      "Arrival and loss of an output route. Refused where it is detected from JACK ports.",
      read: { [.bool($0.outputRoute.isAvailable)] },
      write: { scope, words throws(Refusal) in
        let value = try words.bool()
        try refuseDetected(scope.state.outputRoutes[scope.index].isDetected)
        return try .event(.setRouteAvailable(scope.index, value))
      }),
    Endpoint(
      "/route/NAME/volume", .route, .readWrite, [.fader], rules: ["V3"], "The system volume remembered for this route.",
      read: { [.float(Float($0.outputRoute.volume))] },
      write: { scope, words throws(Refusal) in try .event(.setRouteVolume(scope.index, words.number(.fader))) }),
    Endpoint(
      "/route/NAME/trim", .route, .readWrite, [.trim], rules: ["V1"], "The route's own trim.",
      read: { [.float(Float($0.outputRoute.trim))] },
      write: { scope, words throws(Refusal) in try .event(.setRouteTrim(scope.index, words.number(.trim))) }),
    Endpoint(
      "/route/NAME/kind", .route, .readOnly, [.word(RouteKind.allCases.map(\.rawValue), otherwise: .outOfRange)],
      "What the route leads to.", read: { [.string($0.outputRoute.kind.rawValue)] }),
    Endpoint(
      "/route/NAME/title", .route, .readOnly, [.text], "The route's name for people.",
      read: { [.string($0.outputRoute.title)] }),
    Endpoint(
      "/route/NAME/limit", .route, .readWrite, [.number(-60...1, unit: "dBFS")], usage: "−60…0 dBFS, or 1 for off",
      "The ceiling of the route's limiter; 1 means off.",
      read: { [.float(Float($0.outputRoute.limit ?? 1))] },
      write: { scope, words throws(Refusal) in
        let ceiling = try words.number(.number(-60...1, unit: "dBFS"))
        guard ceiling <= 0 || ceiling == 1 else {
          throw Refusal(.outOfRange, "argument 1: expected −60…0 dBFS, or 1 for off, got \(ceiling)")
        }
        return try .event(.setRouteLimit(scope.index, ceiling == 1 ? nil : ceiling))
      }),
    Endpoint(
      "/route/NAME/peak", .route, .readOnly, [.measured(unit: "dBFS")],
      "The peak at the output since this reader last read it.",
      read: { [.float(Float($0.environment.peak(ofRoute: $0.index, reader: $0.reader)))] }),
    Endpoint(
      "/route/NAME/loudness", .route, .readOnly, [.measured(unit: "LUFS")],
      "Momentary loudness at the output, measured while it is read.",
      read: { [.float(Float($0.environment.loudness(ofRoute: $0.index)))] }),
    Endpoint(
      "/route/NAME/limiting", .route, .readOnly, [.measured(unit: "dB")], "What the limiter takes off now.",
      read: { [.float(Float($0.environment.limiting(ofRoute: $0.index)))] }),
    Endpoint(
      "/input/NAME/available", .input, .readWrite, [.bool], rules: ["R9", "A2"],
      "Arrival and loss of an input route. Refused where it is detected from JACK ports.",
      read: { [.bool($0.state.inputRoutes[$0.index].isAvailable)] },
      write: { scope, words throws(Refusal) in
        let value = try words.bool()
        try refuseDetected(scope.state.inputRoutes[scope.index].isDetected)
        return try .event(.setInputAvailable(scope.index, value))
      }),
  ]
}

extension ValueKind {
  /// A trim in dB.
  static let trim = ValueKind.clamped(-60...12, unit: "dB")

  /// What an interruption from outside takes.
  static let interruption: [ValueKind] = [
    .word(["begin", "end"], otherwise: .outOfRange), .text, .word(["resumable"], otherwise: .outOfRange),
  ]
}

/// The words of an interruption from outside (I6, I7).
enum OutsideInterruption {
  case begin(source: String)
  case end(source: String, resumable: Bool)

  init(_ words: inout Words) throws(Refusal) {
    let act = try words.text("begin or end")
    guard act == "begin" || act == "end" else {
      throw Refusal(.outOfRange, "argument 1: expected begin or end, got \"\(act)\"")
    }
    let source = try words.text("the source of the interruption")
    guard act == "end" else {
      self = .begin(source: source)
      return
    }
    var resumable = false
    if !words.isAtEnd {
      let word = try words.text("resumable")
      guard word == "resumable" else {
        throw Refusal(.outOfRange, "argument 3: expected resumable or nothing, got \"\(word)\"")
      }
      resumable = true
    }
    self = .end(source: source, resumable: resumable)
  }
}

extension Endpoint {
  fileprivate static func refuseDetected(_ isDetected: Bool) throws(Refusal) {
    guard isDetected else { return }
    throw Refusal(
      .forbidden, "it comes and goes with its JACK ports; `available: \"manual\"` in the preset leaves it to OSC")
  }
}

extension PolicyState {
  /// The name of the current output route, empty if there is none.
  public var currentRouteName: String { currentRoute.map { outputRoutes[$0].name } ?? "" }

  func requireOutputRoute(_ name: String) throws(Refusal) -> Int {
    guard let index = outputRoute(named: name) else {
      let known = outputRoutes.map(\.name).joined(separator: " ")
      throw Refusal(.noSuchRoute, "there is no output route \"\(name)\", there is \(known.isEmpty ? "none" : known)")
    }
    return index
  }
}
