import SessionPolicy

extension KeyTable where Model == Preset.Route {
  static var route: KeyTable {
    KeyTable(
      noun: "a route", summary: "Where sound can go.", prototype: Preset.Route(name: "", kind: .speaker),
      keys: [
        Key("name", \.name, required: .name(.route), "The name in OSC addresses and JACK ports."),
        Key("title", \.title, optional: .title, "What it is called, for people; else its name."),
        Key("kind", \.kind, required: .word("a kind of route"), "What it leads to."),
        Key(
          "ports", \.ports, optional: .ports,
          """
          The JACK ports that it plays to, one for each channel: names, or regular expressions that fit whole names. \
          Without this key: the server's physical playback ports.
          """),
        Key(
          "available", \.availability, .word("who says that it is there"),
          "\"ports\": it is there while all its ports exist. \"manual\": OSC says so."),
        Key(
          "volume", \.volume, optional: .number(0...1),
          "The first system volume here, 0 to 1. Without this key 1, and 0.5 where the route is personal."),
        Key("trim", \.trim, .number(-60...12, "dB"), "A gain of its own, in dB."),
        Key("fixedVolume", \.hasFixedVolume, .flag, "Whether the system volume has no say here."),
        Key(
          "pausesOnLoss", \.pausesOnLoss, optional: .flag,
          "Whether programs pause when it is lost. Without this key: headphones, bluetooth and airplay."),
        Key(
          "personal", \.isPersonal, optional: .flag,
          "Whether it is one person's own, and chosen when it appears. Without this key: headphones and bluetooth."),
        Key(
          "limit", \.limit, .numberOrNull(-60...0, "dBFS"), "The ceiling of its limiter, in dBFS; null for no limiter."),
        Key(
          "lookahead", \.lookahead, .number(0...50, "ms"),
          "How far the limiter looks ahead, in ms; the sound is so much later."),
      ])
  }
}

extension KeyTable where Model == Preset.Input {
  static var input: KeyTable {
    KeyTable(
      noun: "an input", summary: "A microphone or another source.", prototype: Preset.Input(name: ""),
      keys: [
        Key("name", \.name, required: .name(.input), "The name in OSC addresses and JACK ports."),
        Key("title", \.title, optional: .title, "What it is called, for people; else its name."),
        Key(
          "ports", \.ports, optional: .ports,
          """
          The JACK ports that it hears, one for each channel: names, or regular expressions that fit whole names. \
          Without this key: the server's physical capture ports.
          """),
        Key(
          "available", \.availability, .word("who says that it is there"),
          "\"ports\": it is there while all its ports exist. \"manual\": OSC says so."),
        Key("trim", \.trim, .number(-60...12, "dB"), "A gain of its own, in dB."),
      ])
  }
}

extension Form where Value == [PortExpression] {
  /// The ports of a session, a route or an input.
  static var ports: Form { .list("port names", of: .port, maximum: 256) }
}
