import SessionPolicy

extension KeyTable where Model == Preset.Session {
  static var session: KeyTable {
    KeyTable(
      noun: "a session", summary: "The sound of one program.", prototype: Preset.Session(name: ""),
      keys: identityKeys + meaningKeys + mixerKeys + activationKeys,
      check: { session, object, decoding in decoding.checkCombination(of: session, object) },
      schemaRules: combinationRules)
  }

  private static var identityKeys: [Key<Model>] {
    [
      Key("name", \.name, required: .name(.session), "The name in OSC addresses and JACK ports."),
      Key("title", \.title, optional: .title, "What it is called, for people; else its name."),
      Key("channels", \.channels, .integer(1...2), "1 for mono, 2 for stereo."),
      Key(
        "sources", \.sources, .ports,
        """
        The JACK ports to connect to it whenever they appear: names, or regular expressions that fit whole names, \
        such as "mpv:.*".
        """),
    ]
  }

  private static var meaningKeys: [Key<Model>] {
    [
      Key("category", \.category, .word("a category"), "What its sound means."),
      Key(
        "options", \.options, .words("an option", "options"),
        "Refinements of the category: whether it mixes with others, and turns them down."),
      Key("mode", \.mode, .word("a mode"), "\"spokenAudio\": speech that is useless when half heard."),
      Key("controls", \.controls, .flag, "Whether the program shows play and pause to the person."),
      Key(
        "remote", \.remote, optional: .words("a remote command", "remote commands"),
        """
        The remote commands that the program understands. Without this key all but next and previous if it has \
        controls, else none.
        """),
      Key("foreground", \.foreground, .flag, "Whether it is in front of the person, or in the background."),
      Key("priority", \.priority, .integer(-100...100), "Who is turned down by whom: the higher one is not."),
      Key("duck", \.duck, .object(.duck), "How it turns others down, when it does."),
    ]
  }

  private static var mixerKeys: [Key<Model>] {
    [
      Key("volume", \.volume, .number(0...1), "Its own level, 0 to 1."),
      Key("pan", \.pan, .number(-1...1), "-1 left, 0 centre, 1 right."),
      Key("mute", \.mute, .flag, "Whether it is muted."),
      Key("solo", \.solo, .flag, "Whether only it and other solo sessions are heard."),
      Key(
        "routes", \.routes, .list("names of routes", of: .name(.route), maximum: 64),
        "The routes that it plays on; none: the one that is the machine's current one."),
      Key(
        "onRouteLoss", \.onRouteLoss, optional: .word("what it does when its route is lost"),
        "Without this key: continue for playAndRecord, call, systemSound and ringtone, else pause."),
      Key("micMute", \.micMute, .flag, "Whether its microphone is muted."),
    ]
  }

  private static var activationKeys: [Key<Model>] {
    [
      Key(
        "activation", \.activation, .word("who activates it"),
        """
        "manual": only commands. "connected": it plays while a JACK port is connected to it. "signal": it plays \
        while its input has a signal.
        """),
      Key(
        "activationThreshold", \.activationThreshold, .number(-120...0, "dBFS"),
        "With activation \"signal\": from what level on there is a signal, in dBFS."),
      Key(
        "activationHold", \.activationHold, .number(0...600_000, "ms"),
        "With activation \"signal\": how long it may be quieter before it is deactivated, in ms."),
      Key(
        "linger", \.linger, .number(0...600_000, "ms"),
        "How long its program may be gone before it is deactivated, in ms."),
      Key(
        "idleRelease", \.idleRelease, .number(0...86400, "s"),
        "How long it may be active without playing before it is deactivated, in seconds; 0: for ever."),
    ]
  }

  /// Which options and modes go with which category (policy A9), as JSON Schema.
  private static var combinationRules: [OrderedJSON] {
    Category.allCases.map { category in
      var allowed: [OrderedJSON.Member] = [
        .init(
          key: "options",
          value: ["items": ["enum": .array(category.allowedOptions.names.map(OrderedJSON.string))]])
      ]
      if category != .playback { allowed.append(.init(key: "mode", value: ["const": "default"])) }
      // Without a category it is the default one.
      let condition: OrderedJSON = ["properties": ["category": ["const": .string(category.rawValue)]]]
      let isDefault = category == Preset.Session(name: "").category
      let whenGiven = OrderedJSON.Member(key: "required", value: ["category"])
      return [
        "if": isDefault ? condition : condition.replacing([whenGiven]),
        "then": ["properties": .object(allowed)],
      ]
    }
  }
}

extension KeyTable where Model == DuckParameters {
  static var duck: KeyTable {
    KeyTable(
      noun: "a duck", summary: "How a session turns others down, when it does.", prototype: DuckParameters(),
      keys: [
        Key(
          "trigger", \.trigger, .word("when it ducks"),
          "\"playing\": while it is heard. \"active\": while it is active. \"signal\": while it has a signal."),
        Key(
          "style", \.style, .word("a style"),
          """
          "fixed": the others are turned down by "depth". "margin": by just as much as makes it louder than them by \
          "margin".
          """),
        Key("depth", \.depth, .number(-60...0, "dB"), "With style \"fixed\": how far the others are turned, in dB."),
        Key("attack", \.attack, .number(1...5000, "ms"), "How long turning down takes, in ms."),
        Key(
          "hold", \.hold, .number(0...10000, "ms"),
          "With trigger \"signal\": how long a signal counts as there after it was, in ms."),
        Key("release", \.release, .number(1...10000, "ms"), "How long turning up again takes, in ms."),
        Key(
          "threshold", \.threshold, .number(-80...0, "dBFS"),
          "With trigger \"signal\": from what level on there is a signal, in dBFS."),
        Key(
          "margin", \.margin, .number(0...40, "LU"),
          "With style \"margin\": how much louder than the others it is to be, in LU."),
        Key(
          "maxDepth", \.maxDepth, .number(-60...0, "dB"),
          "With style \"margin\": how far the others are turned at most, in dB."),
      ])
  }
}
