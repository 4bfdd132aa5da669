import SessionPolicy

/// The endpoints of sessions.
extension Endpoint {
  static let sessionActs: [Endpoint] = [
    Endpoint(
      "/session/open", .one, .act, [.text, .category, .text], usage: "NAME CATEGORY [TITLE]", rules: ["A9"],
      "Opens a session.",
      write: { scope, words throws(Refusal) in
        let name = try words.text("the name of the session")
        let category = try words.text(ValueKind.category.expectation)
        let title = words.isAtEnd ? nil : try words.text("the title of the session")
        try words.end()
        try scope.refuseName(name)
        guard let category = Category(rawValue: category) else {
          throw Refusal(
            .incompatibleCategory, "argument 2: expected \(ValueKind.category.expectation), got \"\(category)\"")
        }
        return try .event(.open(name: name, category: category, title: title))
      }),
    Endpoint(
      "/session/close", .one, .act, [.text], usage: "NAME", rules: ["A6"], "Closes a session.",
      write: { scope, words throws(Refusal) in
        let name = try words.text("the name of a session")
        guard let id = scope.state.sessionID(named: name) else { throw AddressTable.noSuchSession(name) }
        return .event(.close(id))
      }),
    Endpoint(
      "/session/list", .one, .readOnly, [.names], "The open sessions in the order of opening.",
      read: { $0.state.sessions.map { .string($0.name) } }),
  ]

  static let sessions: [Endpoint] =
    settings + attributes + automatic + ducking + floor + findings

  // MARK: What it is

  private static let settings: [Endpoint] = [
    Endpoint(
      "/session/NAME/category", .session, .readWrite, [.category, .options], usage: "CATEGORY [OPTION…]",
      rules: ["A7", "A9"], "Category, and its options in one act; reads the category.",
      read: { [.string($0.session.category.rawValue)] },
      write: { scope, words throws(Refusal) in
        let category = try words.word(Category.self, otherwise: .incompatibleCategory)
        let options: SessionOptions =
          words.isAtEnd
          ? []
          : try words.set(
            SessionOptions.self, otherwise: .incompatibleCategory, noneIsEmpty: false)
        return try .event(.setCategory(scope.session.id, category, options: options))
      }),
    Endpoint(
      "/session/NAME/effectiveCategory", .session, .readOnly, [.category], rules: ["A3"],
      "The category that the rules use: what `auto` was resolved to.",
      read: { [.string($0.session.effectiveCategory.rawValue)] }),
    Endpoint(
      "/session/NAME/mode", .session, .readWrite,
      [.word(Mode.allCases.map(\.rawValue), otherwise: .incompatibleCategory)], rules: ["A3", "A7", "A9"],
      "`spokenAudio`: speech that is useless when half heard.",
      read: { [.string($0.session.mode.rawValue)] },
      write: { scope, words throws(Refusal) in
        let mode = try words.word(Mode.self, otherwise: .incompatibleCategory)
        return try .event(.setMode(scope.session.id, mode))
      }),
    Endpoint(
      "/session/NAME/options", .session, .readWrite, [.options], rules: ["A7", "A9"],
      "The whole set of options; `none` alone empties it.",
      read: { .words($0.session.options.names) },
      write: { scope, words throws(Refusal) in
        let options = try words.set(SessionOptions.self, otherwise: .incompatibleCategory)
        return try .event(.setOptions(scope.session.id, options))
      }),
    Endpoint(
      "/session/NAME/remote", .session, .readWrite, [.words(RemoteCommands.names.map(\.name), otherwise: .outOfRange)],
      rules: ["C2"], "The remote commands that it understands; `none` alone empties the set.",
      read: { .words($0.session.remote.names) },
      write: { scope, words throws(Refusal) in
        return try scope.set(.remote(words.set(RemoteCommands.self, otherwise: .outOfRange)))
      }),
    Endpoint(
      "/session/NAME/routes", .session, .readWrite, [.names], rules: ["R5", "D2"],
      "Its own output routes; `none` alone empties the list: it follows the current route.",
      read: { scope in .words(scope.session.routes.map { scope.state.outputRoutes[$0].name }) },
      write: { scope, words throws(Refusal) in
        var routes: [Int] = []
        for name in try words.words("names of output routes, or none") {
          let route = try scope.state.requireOutputRoute(name)
          if !routes.contains(route) { routes.append(route) }
        }
        return scope.set(.routes(routes))
      }),
    Endpoint(
      "/session/NAME/title", .session, .readWrite, [.text], "The session's name for people.",
      read: { [.string($0.session.title)] },
      write: { scope, words throws(Refusal) in try scope.set(.title(words.text())) }),
  ]

  private static let attributes: [Endpoint] = [
    flag(
      "controls", rules: ["A6", "C1", "I4"], "Whether the program shows play and pause to the person.",
      get: \.controls, set: { _, value in .attribute(.controls(value)) }),
    flag(
      "foreground", rules: ["I9", "A2"], "In front of the person, or in the background.",
      get: \.foreground, set: { session, value in .event(.setForeground(session, value)) }),
    flag(
      "mute", rules: ["S1"], "Silences it; it plays on.",
      get: \.mute, set: { _, value in .attribute(.mute(value)) }),
    flag(
      "solo", rules: ["S1"], "Silences all that have none, but calls and ringtones.",
      get: \.solo, set: { _, value in .attribute(.solo(value)) }),
    flag(
      "micMute", rules: ["M1", "M3"], "The person's mute of its microphone.",
      get: \.micMute, set: { session, value in .event(.setMicMute(session, value)) }),
    Endpoint(
      "/session/NAME/priority", .session, .readWrite, [.integer(-100...100)], rules: ["D2"], "Only for ducking.",
      read: { [.int(Int32($0.session.priority))] },
      write: { scope, words throws(Refusal) in try scope.set(.priority(Int(words.number(.integer(-100...100))))) }),
    number(
      "volume", .fader, rules: ["V1", "V5"], "The program's own relative level.",
      get: \.volume, set: { .volume($0) }, level: .volume),
    number(
      "pan", .clamped(-1...1, unit: ""), "Left (−1) to right (1).",
      get: \.pan, set: { .pan($0) }, level: .pan),
    word(
      "onRouteLoss", RouteLossBehavior.self, rules: ["R4"],
      "What it does when the route that it plays on is lost; until it is set it follows the category.",
      get: \.onRouteLoss, set: { .onRouteLoss($1) }),
  ]

  private static let automatic: [Endpoint] = [
    word(
      "activation", Activation.self, rules: ["§9"], "Who activates it: commands, a connection, or a signal.",
      get: \.activation, set: { .activation($1) }),
    number(
      "idleRelease", .number(0...86400, unit: "s"), rules: ["§9"],
      "It is deactivated once it has been active without playing for so long; 0 is never.",
      get: \.idleRelease, set: { .idleRelease($0) }),
    number(
      "activationThreshold", .number(-120...0, unit: "dBFS"), rules: ["§9"],
      "The input level that plays a session of activation `signal`.",
      get: \.automatic.threshold, change: { session, value in .automatic(session.automatic.with(\.threshold, value)) }),
    number(
      "activationHold", .number(0...600_000, unit: "ms"), rules: ["§9"],
      "How long of less deactivates it again.",
      get: \.automatic.hold, change: { session, value in .automatic(session.automatic.with(\.hold, value)) }),
    number(
      "linger", .number(0...600_000, unit: "ms"), rules: ["§9"],
      "How long it outlives the last client that fed it.",
      get: \.automatic.linger, change: { session, value in .automatic(session.automatic.with(\.linger, value)) }),
  ]

  private static let ducking: [Endpoint] = [
    word(
      "duck/trigger", DuckTrigger.self, rules: ["D1", "D5"], "While what holds it ducks others.",
      get: \.duck.trigger, set: { session, value in .duck(session.duck.with(\.trigger, value)) }),
    word(
      "duck/style", DuckStyle.self, rules: ["D5"], "By a fixed depth, or by what a loudness margin needs.",
      get: \.duck.style, set: { session, value in .duck(session.duck.with(\.style, value)) }),
    duck("depth", \.depth, -60...0, "dB", "How far `fixed` turns the others down."),
    duck("attack", \.attack, 1...5000, "ms", "How long it takes to turn them down."),
    duck("hold", \.hold, 0...10000, "ms", "How long a signal counts as present after it was last heard."),
    duck("release", \.release, 1...10000, "ms", "How long it takes to turn them up again."),
    duck("threshold", \.threshold, -80...0, "dBFS", "Above it the trigger `signal` hears a signal."),
    duck("margin", \.margin, 0...40, "LU", "How much louder than all others together `margin` makes it."),
    duck("maxDepth", \.maxDepth, -60...0, "dB", "The deepest duck that `margin` may ask for."),
  ]

  private static func duck(
    _ name: String, _ path: WritableKeyPath<DuckParameters, Double> & Sendable, _ range: ClosedRange<Double>,
    _ unit: String, _ documentation: String
  ) -> Endpoint {
    number(
      "duck/\(name)", .number(range, unit: unit), rules: ["D5"], documentation,
      get: { $0.duck[keyPath: path] }, change: { session, value in .duck(session.duck.with(path, value)) })
  }

  // MARK: What it does

  private static let floor: [Endpoint] = [
    Endpoint(
      "/session/NAME/active", .session, .readWrite, [.bool, .word(["notifyOthers"], otherwise: .outOfRange)],
      usage: "true | false [notifyOthers]",
      rules: ["A1", "A2", "A3", "A4", "A5"], "Activates or deactivates it; reads true while it is active.",
      read: { [.bool($0.session.state == .active)] },
      write: { scope, words throws(Refusal) in
        let value = try words.bool()
        guard !value else { return .event(.activate(scope.session.id)) }
        var notifyOthers = false
        if !words.isAtEnd {
          let word = try words.text("notifyOthers")
          guard word == "notifyOthers" else {
            throw Refusal(.outOfRange, "argument 2: expected notifyOthers or nothing, got \"\(word)\"")
          }
          notifyOthers = true
        }
        return .event(.deactivate(scope.session.id, notifyOthers: notifyOthers))
      }),
    flag(
      "playing", rules: ["A6", "A8", "I2"], "Plays or pauses it.",
      get: \.playing, set: { session, value in .event(value ? .play(session) : .pause(session)) }),
    Endpoint(
      "/session/NAME/interruption", .session, .writeOnly, ValueKind.interruption,
      usage: "begin SOURCE | end SOURCE [resumable]", rules: ["I6"], "An outside party holds it or lets it go.",
      write: { scope, words throws(Refusal) in
        let id = scope.session.id
        switch try OutsideInterruption(&words) {
        case .begin(let source): return try .event(.beginHold(id, source: source))
        case .end(let source, let resumable): return try .event(.endHold(id, source: source, resumable: resumable))
        }
      }),
  ]

  // MARK: What has become of it

  private static let findings: [Endpoint] = [
    finding(
      "state", [.word(["inactive", "active", "interrupted"], otherwise: .outOfRange)], rules: ["A3", "I1"],
      "Whether it holds the floor."
    ) { [.string($0.session.state.rawValue)] },
    finding(
      "silence", [.word(Silence.allCases.map(\.rawValue), otherwise: .outOfRange)], rules: ["S1", "S2"],
      "Why it is not heard: the first reason that holds, or `none`."
    ) {
      [.string($0.silence.rawValue)]
    },
    finding("audible", [.bool], rules: ["S1"], "Whether it is heard.") { [.bool($0.silence == .none)] },
    finding("mic", [.bool], rules: ["M1"], "Whether it hears the microphone.") {
      [.bool($0.state.isMicrophoneOpen($0.session))]
    },
    finding("otherAudio", [.bool], rules: ["S3"], "Whether another session is heard.") {
      [.bool($0.hasOtherAudio)]
    },
    finding("secondaryHint", [.bool], rules: ["S3"], "Whether another exclusive session is heard.") {
      [.bool($0.hasSecondaryHint)]
    },
    finding("resume", [.bool], rules: ["I1", "I2", "I4"], "While interrupted: whether it would play afterwards.") {
      [.bool($0.session.resume)]
    },
    finding("causes", [.names], rules: ["I1", "I3"], "What interrupts it, in the order gained.") { scope in
      .words(scope.session.causes.map(scope.state.name))
    },
    finding("reduction", [.measured(unit: "dB")], rules: ["D3", "D6"], "Its present duck target, the deepest.") {
      [.float(Float($0.reduction))]
    },
    finding("duckedBy", [.names], rules: ["D2", "D6"], "Who ducks it, sorted by name.") {
      .words($0.duckers.map(\.name).sorted())
    },
    finding(
      "peak", [.measured(unit: "dBFS")], rules: ["V1"],
      "The peak after all gains since this reader last read it."
    ) {
      [.float(Float($0.environment.peak(of: $0.session.id, reader: $0.reader)))]
    },
    finding(
      "loudness", [.measured(unit: "LUFS")], rules: ["D5"],
      "Momentary loudness after all gains. It is measured from when it is first read until 10 s after it was last read."
    ) {
      [.float(Float($0.environment.loudness(of: $0.session.id)))]
    },
    finding("gain", [.measured(unit: "dB")], rules: ["V1"], "Its present total gain, −120 at least.") {
      [.float(Float($0.environment.gain(of: $0.session.id)))]
    },
    finding("badSamples", [.integer(0...Int(Int32.max))], "Non-finite input samples that were replaced so far.") {
      [.int(Int32(clamping: $0.environment.badSamples(of: $0.session.id)))]
    },
  ]
}
