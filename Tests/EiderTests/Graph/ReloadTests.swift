import AddressSpace
import Foundation
import JACKProbe
import Testing

extension Live {
  /// A preset that is changed while everything runs.
  @Suite struct Reload {
    private static func text(sessions: String, routes: String = "", more: String = "") -> String {
      """
      // The comment stays.
      {
        eider: 1,
        routes: [
          { name: "speaker", kind: "speaker", limit: null, ports: ["desk:left", "desk:right"] },
          { name: "line", kind: "line", limit: null, ports: ["desk:left_line", "desk:right_line"] },\(routes)
        ],
        sessions: [
          { name: "music", category: "playback", options: ["mixWithOthers"], routes: ["speaker"], sources: ["player:music_.*"] },
          \(sessions)
        ],
        \(more)
      }
      """
    }

    private static let talk = """
      { name: "talk", category: "playback", options: ["mixWithOthers"], routes: ["line"], channels: 1, sources: ["player:talk"] },
      """

    /// Puts another text in place of the preset's, as editors do: a new file takes the place of the old one.
    private func save(_ text: String, _ rig: Rig) throws {
      try text.write(to: rig.daemon.presetFile, atomically: true, encoding: .utf8)
    }

    private func run(_ text: String, period: Int = 256, _ body: (Rig) async throws -> Void) async throws {
      try await Rig.run(
        ProbeServer.Options(period: period), preset: text, sources: ["music_1", "music_2", "talk"],
        hardware: ["left", "right", "left_line", "right_line"]
      ) { rig in try await body(rig) }
    }

    @Test func `people see the new titles of routes`() async throws {
      func text(
        _ title: String, _ input: String, ports: String = "\"desk:left\", \"desk:right\"", microphone: Int = 1
      ) -> String {
        """
        {
          eider: 1,
          routes: [{ name: "speaker", title: "\(title)", kind: "speaker", ports: [\(ports)] }],
          inputs: [{ name: "mic", title: "\(input)", ports: ["system:capture_\(microphone)"] }],
          sessions: [],
        }
        """
      }
      try await withProbeServer { server in
        let viewer = try ProbeClient("viewer", on: server)
        let daemon = try EiderProcess(
          ["run", "--jack-server", server.name, "--port", "0"], preset: text("Hall", "Desk"))
        _ = try daemon.readyPort()
        func title(_ port: String) -> String? {
          viewer.property(port, key: "http://jackaudio.org/metadata/pretty-name")
        }
        #expect(eventually { title("eider:speaker_out_2") == "Hall 2" && title("eider:mic_in_1") == "Desk 1" })
        try text("Foyer", "Counter").write(to: daemon.presetFile, atomically: true, encoding: .utf8)
        #expect(eventually { title("eider:speaker_out_2") == "Foyer 2" && title("eider:mic_in_1") == "Counter 1" })
        // A port more belongs to the same route, and one that hears another microphone is called otherwise at once.
        try text("Foyer", "Till", ports: "\"desk:left\", \"desk:right\", \"desk:far\"", microphone: 2)
          .write(to: daemon.presetFile, atomically: true, encoding: .utf8)
        #expect(eventually { title("eider:speaker_out_3") == "Foyer 3" && title("eider:mic_in_1") == "Till 1" })
        viewer.close()
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }

    @Test func `where messages are listened for changes at once`() async throws {
      func text(port: Int) -> String {
        Self.text(sessions: Self.talk, more: "osc: { listen: [\"127.0.0.1\"], port: \(port) },")
      }
      try await withProbeServer { server in
        let first = 20_000 + Int.random(in: 0..<5000)
        let daemon = try EiderProcess(["run", "--jack-server", server.name], preset: text(port: first))
        #expect(try Int(daemon.readyPort()) == first)
        let remote = try Remote(port: UInt16(first))
        try remote.set(Message("/session/music/volume", 0.25))
        try text(port: first + 5000).write(to: daemon.presetFile, atomically: true, encoding: .utf8)
        let moved = try Remote(port: UInt16(first + 5000))
        #expect(eventually { (try? moved.get("/session/music/volume")) == [.float(0.25)] })
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }

    @Test(arguments: Live.periods(64, 1024))
    func `what is the same sounds on to the bit, what goes fades out without a click`(period: Int) async throws {
      let before = Self.text(sessions: Self.talk)
      // The talk is gone; a session, a route and a scene are new; the routes have changed places.
      let after = """
        {
          eider: 1,
          routes: [
            { name: "hall", kind: "hdmi", available: "manual", ports: [] },
            { name: "line", kind: "line", limit: null, ports: ["desk:left_line", "desk:right_line"] },
            { name: "speaker", kind: "speaker", limit: null, ports: ["desk:left", "desk:right"] },
          ],
          inputs: [{ name: "mic", ports: [], available: "manual" }],
          sessions: [
            { name: "bell", category: "systemSound", routes: ["line"] },
            { name: "music", category: "playback", options: ["mixWithOthers"], routes: ["speaker"], sources: ["player:music_.*"] },
          ],
          fades: { volume: 100 },
          scenes: [{ name: "night", set: { "/session/music/volume": 0.1 } }],
        }
        """
      try await run(before, period: period) { rig in
        let count = rig.frames(1500)
        let noise = [Sound.noise(count, peak: 0.5, seed: 1), Sound.noise(count, peak: 0.5, seed: 2)]
        let take = try rig.take(
          frames: count, play: noise + [Sound.level(0.5, count)],
          prepare: {
            try save(before, rig)
            try rig.remote.eventually("/session/list", "music", "talk")
            try rig.play("music", "talk")
          },
          { start in
            try rig.wait(until: start + rig.frames(200))
            try save(after, rig)
            try rig.remote.eventually("/session/list", "music", "bell")
            try rig.expectToCome(start + count - rig.frames(250))
          })
        #expect(Array(take.channels[0]) == noise[0] && Array(take.channels[1]) == noise[1])
        let changes = GainHistory(take.channels[2], level: 0.5).changes
        #expect(changes.map(\.to) == [0])
        for change in changes { expectStraight(change) }
        #expect(try rig.remote.get("/host/routes") == ["hall", "line", "speaker"])
        #expect(try rig.remote.get("/scene/list") == ["night"])
        #expect(
          eventually { rig.desk.ports.contains("eider:bell_in_1") && !rig.desk.ports.contains("eider:talk_in_1") })
        #expect(eventually { rig.desk.ports.contains("eider:hall_out_1") && rig.desk.ports.contains("eider:mic_in_1") })
      }
    }

    @Test func `routes that go leave without a click and take their ports along, sources and channels change`()
      async throws
    {
      try await run(Self.text(sessions: Self.talk)) { rig in
        let count = rig.frames(3000)
        let take = try rig.take(
          frames: count, play: [Sound.level(0.5, count), Sound.level(0.5, count), Sound.level(0.25, count)],
          prepare: {
            try save(Self.text(sessions: Self.talk), rig)
            try rig.remote.eventually("/host/routes", "speaker", "line")
            #expect(eventually { !rig.player.connections(of: "player:talk").isEmpty })
            try rig.play("music", "talk")
            try rig.settle(milliseconds: 1000)
          },
          { start in
            try rig.wait(until: start + rig.frames(200))
            try save(
              """
              {
                eider: 1,
                routes: [{ name: "line", kind: "line", limit: null, ports: ["desk:left_line", "desk:right_line"] }],
                sessions: [
                  { name: "music", category: "playback", options: ["mixWithOthers"], sources: ["player:talk"] },
                  { name: "talk", category: "playback", options: ["mixWithOthers"], routes: ["line"], channels: 2 },
                ],
              }
              """, rig)
            try rig.remote.eventually("/host/routes", "line")
            try rig.expectToCome(start + count - rig.frames(1000))
          })
        let left = GainHistory(take.channels[0], level: 0.5).changes
        #expect(left.map(\.to) == [0])
        for change in left { expectStraight(change) }
        // A synchronous server may stand still for a while; what is silent goes by its frames.
        try rig.settle(milliseconds: 1500)
        // What the talk had is the music's now, and the talk has two channels.
        #expect(
          eventually { rig.player.connections(of: "player:talk").sorted() == ["eider:music_in_1", "eider:music_in_2"] })
        #expect(eventually { rig.desk.ports.contains("eider:talk_in_2") })
        #expect(eventually { !rig.desk.ports.contains("eider:speaker_out_1") })
        #expect(try rig.remote.get("/session/music/audible") == [true])
      }
    }

    @Test func `a file with mistakes is refused whole, with all of them, and the preset before goes on`() async throws {
      try await run(Self.text(sessions: Self.talk)) { rig in
        let listener = try Remote(port: try rig.daemon.readyPort())
        try listener.set(Message("/subscribe", "/eider/preset"))
        #expect(try rig.remote.get("/eider/preset") == [.string(rig.daemon.presetFile.path)])
        try save("{ eider: 1,\n sesions: [], fades: { pause: -1 } }", rig)
        let mistakes: [Argument] = [
          .string(rig.daemon.presetFile.path),
          "2:2: sesions: expected a key of a preset, found “sesions”; did you mean “sessions”?",
          "2:31: fades.pause: expected a number from 0 to 60000 (ms), found -1",
        ]
        #expect(try eventually { try rig.remote.get("/eider/preset") == mistakes })
        #expect(try eventually { try listener.takeNews(within: 0.1).contains(Message("/eider/preset", mistakes)) })
        #expect(rig.daemon.complaints.contains("preset.json5:2:2: error: sesions"))
        #expect(try rig.remote.get("/session/list") == ["music", "talk"])
        // Mended, and read again for the asking.
        try save(Self.text(sessions: Self.talk + "{ name: \"film\" },"), rig)
        rig.daemon.hangUp()
        try rig.remote.eventually("/session/list", "music", "talk", "film")
        #expect(try rig.remote.get("/eider/preset") == [.string(rig.daemon.presetFile.path)])
        #expect(rig.daemon.isRunning)
      }
    }

    @Test func `a scene that is stored is in the file, and everything else of the file is as it was`() async throws {
      let text = Self.text(
        sessions: Self.talk, more: "scenes: [{ name: \"day\", set: { \"/session/music/volume\": 1 /* loud */ } }], // !"
      )
      try await run(text) { rig in
        try rig.remote.set(Message("/session/music/volume", 0.3), Message("/scene/store", "day"))
        func file() -> String { (try? String(contentsOf: rig.daemon.presetFile, encoding: .utf8)) ?? "" }
        #expect(eventually { file() == text.replacing("1 /* loud */", with: "0.3 /* loud */") }, "\(file())")
        try rig.remote.set(Message("/scene/store", "dusk"))
        #expect(eventually { file().contains("name: \"dusk\"") && file().contains("// The comment stays.") })
        try rig.remote.eventually("/scene/list", "day", "dusk")
        // Where it cannot be written, that is said; the scene is there for now.
        try "{".write(to: rig.daemon.presetFile, atomically: true, encoding: .utf8)
        var answers = try rig.remote.exchange([.message(Message("/scene/store", "dawn"))])
        answers += try rig.remote.takeNews(within: 1)
        #expect(answers.contains { $0.address == "/error" && $0.arguments[1] == "ioError" })
        #expect(file() == "{")
      }
    }
  }
}
