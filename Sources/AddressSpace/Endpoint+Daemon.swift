import SessionPolicy

/// The endpoints of clients and of the daemon itself.
extension Endpoint {
  static let daemon: [Endpoint] = [
    Endpoint(
      "/sync", .one, .act, [.integer(Int(Int32.min)...Int(Int32.max))], usage: "ID",
      "Answers `/synced ID` once all before it is in force in the audio thread.",
      write: { scope, words throws(Refusal) in
        let kind = ValueKind.integer(Int(Int32.min)...Int(Int32.max))
        return .request(.sync(Int32(try words.number(kind))))
      }),
    Endpoint(
      "/client/bools", .one, .act, [.word(["int", "typed"], otherwise: .outOfRange)],
      "How this client reads booleans: as `int` 1/0, or `typed` T/F.",
      write: { scope, words throws(Refusal) in
        let word = try words.text("int or typed")
        guard word == "int" || word == "typed" else {
          throw Refusal(.outOfRange, "argument 1: expected int or typed, got \"\(word)\"")
        }
        return .request(.boolsAsInts(word == "int"))
      }),
    Endpoint(
      "/eider/version", .one, .act, [], "Answers with the version of the daemon.",
      write: { _, _ throws(Refusal) in .request(.version) }),
    Endpoint(
      "/eider/ping", .one, .act, [], usage: "[anything]", "Answers `/eider/pong` with its arguments.",
      write: { scope, words throws(Refusal) in
        var arguments: [Argument] = []
        while !words.isAtEnd { arguments.append(try words.next("anything")) }
        return .request(.ping(arguments))
      }),
    Endpoint(
      "/eider/status", .one, .act, [], "Answers with all figures below.",
      write: { _, _ throws(Refusal) in .request(.status) }),
    figure(.xruns, [.integer(0...Int(Int32.max))], "Late cycles of the JACK server."),
    figure(.load, [.measured(unit: "%")], "DSP load of the JACK server."),
    figure(.period, [.integer(0...8192)], "Frames in a cycle."),
    figure(.rate, [.integer(0...Int(Int32.max))], "Frames in a second."),
    figure(.jack, [.text], "`running`, `lost` while the server is gone, or `none`."),
    figure(.uptime, [.measured(unit: "s")], "Since the start of the daemon."),
    figure(.oscReceived, [.integer(0...Int(Int32.max))], "Messages received."),
    figure(.oscRefused, [.integer(0...Int(Int32.max))], "Messages refused with an error."),
    figure(.oscMalformed, [.integer(0...Int(Int32.max))], "Packets that were no OSC."),
    figure(
      .oscDropped, [.integer(0...Int(Int32.max))],
      "Packets and clients dropped: for who sent them, or for want of room."),
    figure(.scheduled, [.integer(0...Int(Int32.max))], "Messages that wait for the time of their bundle."),
    figure(.snapshots, [.integer(0...Int(Int32.max))], "Mix plans published to the audio thread."),
    figure(
      .lateCycles, [.integer(0...Int(Int32.max))],
      "Cycles that were late because of Eider: most of their time went in its own turn."),
    figure(.lostFrames, [.integer(0...Int(Int32.max))], "Frames of the JACK server for which Eider had no cycle."),
    figure(.lateChanges, [.integer(0...Int(Int32.max))], "Timed changes that came too late for their frame."),
    figure(.ownLoad, [.measured(unit: "%")], "Part of the time that Eider's own cycles take, over the last second."),
    figure(
      .cycleTime, [.measured(unit: "µs"), .measured(unit: "µs"), .measured(unit: "µs")],
      "Eider's own part of a cycle over the last minute: what half of them and what 99 % stayed below, and the longest."
    ),
    figure(
      .pageFaults, [.integer(0...Int(Int32.max)), .integer(0...Int(Int32.max))],
      "Page faults of the audio thread since it began: minor, and major (from a disk)."),
    figure(
      .contextSwitches, [.integer(0...Int(Int32.max)), .integer(0...Int(Int32.max))],
      "How often the audio thread waited, and how often the processor was taken from it."),
    Endpoint(
      "/eider/preset", .one, .readOnly, [.names],
      "The preset file, then what is wrong with it since it was changed (`LINE:COLUMN: PATH: …`), one text for each "
        + "mistake: as long as there are any, the preset before is in force.",
      read: { .words($0.environment.presetReport) }),
    Endpoint(
      "/eider/quit", .one, .act, [], "Ends the daemon with a fade-out (from loopback only).",
      write: { _, _ throws(Refusal) in .request(.quit) }),
  ]

  private static func figure(_ figure: DaemonFigure, _ kinds: [ValueKind], _ documentation: String) -> Endpoint {
    Endpoint(
      "/eider/\(figure.rawValue)", .one, .readOnly, kinds, documentation,
      read: { $0.environment.value(of: figure) })
  }
}
