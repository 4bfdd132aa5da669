/// The keys of the document itself, and of what it holds beside routes and sessions.
extension KeyTable where Model == Preset {
  static var preset: KeyTable {
    KeyTable(
      noun: "a preset", summary: "A preset of Eider: the routes, sessions and scenes of a machine.",
      prototype: Preset(),
      keys: [
        Key("$schema", ignored: .title, isRequired: false, "For editors: where the schema of presets is."),
        Key("eider", ignored: .formatVersion, isRequired: true, "The format of this file: 1."),
        Key("title", \.title, optional: .title, "What this preset is called, for people."),
        Key(
          "routes", \.routes, unwritable: .list("routes", of: .object(.route), maximum: 64, isSet: false),
          """
          Where sound can go, in the order of preference. Without this key there is one route, "speaker", on the \
          server's physical playback ports.
          """),
        Key(
          "inputs", \.inputs, .list("inputs", of: .object(.input), maximum: 64, isSet: false),
          "Microphones and other sources that sessions can hear."),
        Key(
          "sessions", \.sessions, .list("sessions", of: .object(.session), maximum: 1024, isSet: false),
          "The programs that are known from the start, each with what its sound means."),
        Key("fades", \.fades, .object(.fades), "How long gains take to change."),
        Key(
          "scenes", \.scenes, .list("scenes", of: .object(.scene), maximum: 1024, isSet: false),
          "Values to recall together."),
        Key("start", \.start, .object(.start), "What is done once when Eider starts."),
        Key(
          "safe", \.safe, .list("address patterns", of: .addressPattern, maximum: 1024),
          "Addresses, or patterns of them, that no recall of a scene touches."),
        Key("osc", \.osc, .object(.osc), "Who may reach Eider over OSC."),
        Key("resume", \.resume, .flag, "Whether what played before a crash plays again after it."),
      ],
      check: { _, object, decoding in decoding.checkReferences(in: object) })
  }
}

extension Form where Value == Int {
  /// The only format that there is.
  static var formatVersion: Form {
    let expectation = "1, the format that this Eider reads"
    return Form(
      expectation: expectation, schema: ["const": 1],
      read: { node, decoding in
        switch node.value {
        case .integer(1), .decimal(1): return 1
        case .integer(let version) where version > 1:
          decoding.report(
            node.range, expected: expectation, found: "\(version), the format of a newer one: it takes that to read it")
        default: decoding.report(node, expected: expectation)
        }
        return nil
      },
      write: { .number(Double($0)) })
  }
}

extension KeyTable where Model == Fades {
  static var fades: KeyTable {
    func key(_ name: String, _ property: WritableKeyPath<Fades, Double>, _ documentation: String) -> Key<Fades> {
      Key(name, property, .number(0...60000, "ms"), documentation)
    }
    return KeyTable(
      noun: "fades", summary: "How long gains take to change, in ms.", prototype: Fades(),
      keys: [
        key("volume", \.volume, "A volume that is set, in ms."),
        key("mute", \.mute, "Mute, solo, the silent switch, the lock and recording, in ms."),
        key("pause", \.pause, "Pausing, in ms."),
        key("resume", \.resume, "Starting to play, and playing again after an interruption, in ms."),
        key("interrupt", \.interrupt, "Falling silent in an interruption, in ms."),
        key("route", \.route, "Going from one route to another, in ms."),
        key("mic", \.mic, "Opening and closing a microphone, in ms."),
      ])
  }
}

extension KeyTable where Model == Preset.Scene {
  static var scene: KeyTable {
    KeyTable(
      noun: "a scene", summary: "Values to recall together.", prototype: Preset.Scene(name: ""),
      keys: [
        Key("name", \.name, required: .name(.scene), "The name by which it is recalled."),
        Key("title", \.title, optional: .title, "What it is called, for people; else its name."),
        Key("fade", \.fade, .number(0...3600, "s"), "How long the change takes, in seconds."),
        Key("set", \.set, .messages, "OSC addresses and what they are set to, in this order."),
      ])
  }
}

extension KeyTable where Model == Preset.Start {
  static var start: KeyTable {
    KeyTable(
      noun: "the start", summary: "What is done once when Eider starts: the scene, then the messages.",
      prototype: Preset.Start(),
      keys: [
        Key("scene", \.scene, optional: .name(.scene), "The scene to recall."),
        Key("set", \.set, .messages, "OSC addresses and what they are set to, in this order, after the scene."),
      ])
  }
}

extension KeyTable where Model == Preset.OSCAccess {
  static var osc: KeyTable {
    KeyTable(
      noun: "OSC access", summary: "Who may reach Eider over OSC. From this machine everybody may.",
      prototype: Preset.OSCAccess(),
      keys: [
        Key(
          "listen", \.listen, .list("IP addresses", of: .address, maximum: 64),
          "The addresses of this machine to listen on; 0.0.0.0 for all."),
        Key("port", \.port, .integer(1...65535), "The port to listen on, UDP and TCP."),
        Key(
          "allow", \.allow, .list("blocks of IP addresses", of: .block, maximum: 1024),
          "From where messages are taken, such as 192.168.1.0/24."),
        Key(
          "readOnly", \.readOnly, .list("blocks of IP addresses", of: .block, maximum: 1024),
          "From where values may be read and subscribed, but not set."),
      ])
  }
}
