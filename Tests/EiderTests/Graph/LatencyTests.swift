import AddressSpace
import Foundation
import JACKProbe
import Testing

extension Live {
  @Suite struct Latency {
    private static func text(lookahead: Int) -> String {
      """
      {
        eider: 1,
        routes: [
          { name: "speaker", kind: "speaker", ports: ["system:playback_1", "system:playback_2"],
            lookahead: \(lookahead) },
          { name: "line", kind: "line", ports: ["mixer:in"] },
        ],
        inputs: [{ name: "mic", ports: ["system:capture_1"] }],
        sessions: [
          { name: "music", category: "playback", sources: ["player:out"] },
          { name: "phone", category: "call" },
        ],
      }
      """
    }

    @Test(arguments: [0, 5, 20])
    func `ports tell how long sound takes from the hardware and to it, the look-ahead of its route included`(
      lookahead: Int
    ) async throws {
      try await withProbeServer { server in
        let viewer = try ProbeClient("viewer", on: server)
        let player = try ProbeClient("player", on: server, outputs: ["out"])
        let daemon = try EiderProcess(
          ["run", "--jack-server", server.name, "--port", "0"], preset: Self.text(lookahead: lookahead))
        let remote = try Remote(port: try daemon.readyPort())
        let playback = try #require(viewer.latency(of: "system:playback_1", isCapture: false))
        let capture = try #require(viewer.latency(of: "system:capture_1", isCapture: true))
        let delay = lookahead * 48
        func expect(_ port: String, isCapture: Bool, _ range: ClosedRange<Int>) {
          #expect(
            eventually { viewer.latency(of: port, isCapture: isCapture) == range },
            "\(port) has \(String(describing: viewer.latency(of: port, isCapture: isCapture)))")
        }
        expect("eider:music_in_2", isCapture: false, playback.lowerBound + delay...playback.upperBound + delay)
        expect("player:out", isCapture: false, playback.lowerBound + delay...playback.upperBound + delay)
        expect("system:playback_2", isCapture: true, delay...delay)
        // The microphone comes to the one who calls as it is.
        expect("eider:phone_mic_1", isCapture: true, capture)
        expect("eider:line_out_1", isCapture: true, 0...0)

        // On a route without look-ahead it is gone, and back with the route before.
        let mixer = try ProbeClient("mixer", on: server, inputs: ["in"])
        try remote.eventually("/route/line/available", true)
        try remote.set(Message("/host/route", "line"))
        expect("eider:music_in_1", isCapture: false, 0...0)
        expect("eider:speaker_out_1", isCapture: true, 0...0)
        try remote.set(Message("/host/route", "speaker"))
        expect("eider:music_in_1", isCapture: false, playback.lowerBound + delay...playback.upperBound + delay)

        // As people see it.
        let listing = try output("jack_lsp", ["-s", server.name, "-l", "eider:music_in_1"])
        #expect(
          listing.contains(
            "port playback latency = [ \(playback.lowerBound + delay) \(playback.upperBound + delay) ] frames"),
          "\(listing)")
        for client in [viewer, player, mixer] { client.close() }
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }

    @Test(arguments: [0, 5])
    func `what is measured is what is told, and nothing is added`(lookahead: Int) async throws {
      // A server that sees at once that the meter has been killed.
      try await withProbeServer(ProbeServer.Options(isSynchronous: false)) { server in
        let viewer = try ProbeClient("viewer", on: server)
        let text = Self.text(lookahead: lookahead).replacing("player:out", with: "jack_delay:out")
          .replacing("lookahead:", with: "limit: null, lookahead:")
        let daemon = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"], preset: text)
        let remote = try Remote(port: try daemon.readyPort())
        try remote.set(Message("/session/music/playing", true))
        let meter = Process()
        meter.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // It prints by the line only where it is told to.
        meter.arguments = [
          "JACK_DEFAULT_SERVER=\(server.name)", "PIPEWIRE_REMOTE=\(server.name)", "stdbuf", "-oL", "jack_iodelay",
        ]
        let lines = Pipe()
        meter.standardOutput = lines
        meter.standardError = lines
        try meter.run()
        defer {
          // It may hang when it is asked to end.
          kill(meter.processIdentifier, SIGKILL)
          meter.waitUntilExit()
        }
        try viewer.connect("eider:speaker_out_1", "jack_delay:in")
        // “   496.000 frames     10.333 ms total roundtrip latency”. A loop itself takes a period.
        let expected = "\(256 + lookahead * 48).000 frames"
        var heard = ""
        let deadline = Date(timeIntervalSinceNow: 60)
        while !heard.contains(expected), Date() < deadline {
          heard = String(decoding: lines.fileHandleForReading.availableData, as: UTF8.self)
        }
        #expect(heard.contains(expected), "\(heard)")
        viewer.close()
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }

    private func output(_ program: String, _ arguments: [String]) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [program] + arguments
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return text
    }
  }
}
