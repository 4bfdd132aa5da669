import Foundation
import JACKProbe

/// Who mixes some stereo strips to one stereo output.
enum Contestant: String, CaseIterable {
  case eider = "Eider"
  case scsynth
  case mixBox = "jack_mix_box"
  case sum = "C client that sums"
  case touch = "C client that only asks for its buffers"

  /// Its ports.
  func input(_ strip: Int, _ channel: Int) -> String {
    switch self {
    case .eider: "eider:s\(strip + 1)_in_\(channel + 1)"
    case .scsynth: "SuperCollider:in_\(2 * strip + channel + 1)"
    case .mixBox: "mixbox:Channel \(strip + 1) \(channel == 0 ? "L" : "R")"
    case .sum, .touch: "\(bareName):in_\(2 * strip + channel + 1)"
    }
  }

  /// What a bare client is called, and what it does.
  private var bareName: String { self == .sum ? "sum" : "touch" }

  /// Its outputs, where it does not connect them itself.
  var outputs: [String] {
    switch self {
    case .eider: []
    case .scsynth: ["SuperCollider:out_1", "SuperCollider:out_2"]
    case .mixBox: ["mixbox:MAIN L", "mixbox:MAIN R"]
    case .sum, .touch: ["\(bareName):out_1", "\(bareName):out_2"]
    }
  }

  /// Starts it with so many strips; it is ready when this returns, but for its connections.
  ///
  /// - Parameter sounding: How many of them sound; only Eider knows a difference.
  func start(strips: Int, sounding: Int? = nil, in field: Field) throws -> Child {
    let environment = [
      "JACK_DEFAULT_SERVER": field.server.name, "SC_JACK_DEFAULT_INPUTS": "", "SC_JACK_DEFAULT_OUTPUTS": "",
    ]
    func launch(_ program: String, _ arguments: [String], _ more: [String: String] = [:]) throws -> Child {
      try Child(program, arguments, environment: environment.merging(more) { $1 }, in: field.directory)
    }
    switch self {
    case .eider:
      let preset = field.directory.appendingPathComponent("preset.json5")
      try Self.preset(strips: strips, sounding: sounding ?? strips).write(to: preset, atomically: true, encoding: .utf8)
      let child = try launch(
        field.programs.eider,
        ["run", "--jack-server", field.server.name, "--port", "\(field.port)", "--preset", preset.path])
      try child.waitFor("eider: ready: ")
      return child
    case .scsynth:
      let definitions = field.directory.appendingPathComponent("synthdefs")
      try FileManager.default.createDirectory(at: definitions, withIntermediateDirectories: true)
      try SynthDefinition.data.write(
        to: definitions.appendingPathComponent("\(SynthDefinition.name).scsyndef"))
      let child = try launch(
        "/usr/bin/scsynth",
        ["-u", "\(field.synthPort)", "-i", "\(2 * strips)", "-o", "2", "-R", "0", "-m", "65536"],
        ["SC_SYNTHDEF_PATH": definitions.path])
      try child.waitFor("server ready")
      for strip in 0..<strips {
        try run(
          "/usr/bin/oscsend",
          [
            "127.0.0.1", "\(field.synthPort)", "/s_new", "siiisi", SynthDefinition.name, "\(1000 + strip)", "1", "0",
            "in",
            "\(2 + 2 * strip)",
          ])
      }
      // Group 0 is all of them.
      try run(
        "/usr/bin/oscsend", ["127.0.0.1", "\(field.synthPort)", "/n_set", "isfsf", "0", "left", "0.1", "right", "0.1"])
      return child
    case .mixBox:
      // It crashes on half of its starts.
      for _ in 0..<20 {
        let child = try launch(
          "/usr/bin/jack_mix_box", ["-n", "mixbox", "-v", "-6", "-s"] + (0..<strips).map { String($0 % 128) })
        let isThere = eventually(within: 10) {
          !child.isRunning || field.wire.ports.contains(input(strips - 1, 1))
        }
        Thread.sleep(forTimeInterval: 0.5)
        if isThere && child.isRunning { return child }
        child.end()
      }
      throw ProbeError("jack_mix_box does not start")
    case .sum, .touch:
      let child = try launch(
        field.programs.bareClient, [field.server.name, bareName, bareName, "\(strips)"])
      try child.waitFor("ready")
      return child
    }
  }

  /// What makes Eider's mix begin to move, once it is connected: a scene that takes five minutes.
  func move(in field: Field) throws {
    if self != .eider { return }
    try run(field.programs.eider, ["send", "--port", "\(field.port)", "/scene/recall", "quiet", "300"])
  }

  /// Sessions that play side by side, of which the first ducks all others.
  private static func preset(strips: Int, sounding: Int) -> String {
    let sessions = (1...strips).map { number in
      """
          { name: "s\(number)", category: "playback", options: ["\(number == 1 ? "duckOthers" : "mixWithOthers")"] },
      """
    }
    let playing = (1...strips).prefix(sounding).map { "\"/session/s\($0)/playing\": true" }
    let quiet = (1...strips).prefix(sounding).map { "\"/session/s\($0)/volume\": 0.2" }
    return """
      {
        eider: 1,
        routes: [{ name: "speaker", kind: "speaker", ports: ["system:playback_1", "system:playback_2"] }],
        sessions: [
      \(sessions.joined(separator: "\n"))
        ],
        scenes: [{ name: "quiet", set: { \(quiet.joined(separator: ", ")) } }],
        start: { set: { \(playing.joined(separator: ", ")) } },
      }
      """
  }
}
