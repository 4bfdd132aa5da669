import AddressSpace
import JACKProbe
import Testing

extension Live {
  @Suite struct AutomaticActivation {
    /// A preset with sessions for programs that know nothing of it.
    private func text(_ sessions: String...) -> String {
      """
      {
        eider: 1,
        routes: [{ name: "speaker", kind: "speaker", ports: ["desk:left", "desk:right"] }],
        inputs: [{ name: "mic", ports: ["system:capture_1"] }],
        sessions: [\(sessions.joined(separator: ",\n"))],
      }
      """
    }

    @Test func `a session of activation connected plays while a program is connected`() async throws {
      let preset = text(
        "{ name: \"film\", category: \"playback\", activation: \"connected\", linger: 60000, sources: [\"mpv:.*\"] }")
      try await Rig.run(preset: preset, sources: []) { rig in
        #expect(try rig.remote.get("/session/film/state") == ["inactive"])
        for _ in 0..<2 {
          let program = try ProbeClient("mpv", on: rig.server, outputs: ["out_0", "out_1"])
          let sound = [Sound.noise(4800, peak: 0.5, seed: 1), Sound.noise(4800, peak: 0.5, seed: 2)]
          program.start(play: sound, repeats: true, at: 0)
          try rig.remote.eventually("/session/film/playing", true)
          #expect(eventually { program.connections(of: "mpv:out_1") == ["eider:film_in_2"] })
          try rig.settle(milliseconds: 250)
          let take = try rig.take(frames: 4800, play: [])
          let phase = take.firstFrame % 4800
          #expect(take.channels == sound.map { Array($0[phase...] + $0[..<phase]) })
          program.close()
          try rig.remote.eventually("/session/film/state", "inactive")
        }
        // A person connects and disconnects another program.
        let other = try ProbeClient("other", on: rig.server, outputs: ["out"])
        try other.connect("other:out", "eider:film_in_1")
        try rig.remote.eventually("/session/film/playing", true)
        try other.disconnect("other:out", "eider:film_in_1")
        try rig.remote.eventually("/session/film/state", "inactive")
        other.close()
      }
    }

    @Test(arguments: Live.periods(64, 1024))
    func `a signal of 20 ms plays a session, gaps below its hold do not end it`(period: Int) async throws {
      let preset = text(
        """
        { name: "guide", category: "playback", channels: 1, activation: "signal", activationHold: 400,
          sources: ["player:guide_1"] }
        """)
      try await Rig.run(ProbeServer.Options(period: period), preset: preset, sources: ["guide_1"]) { rig in
        // −50 dBFS is 0.0032: what is below plays nothing, and neither does what is short.
        let faint = rig.player.start(play: [[0.003, -0.003]], repeats: true)
        let click = rig.player.start(play: [Sound.level(0.5, rig.frames(15))])
        try rig.wait(until: try click.begin() + rig.frames(200))
        #expect(try rig.remote.get("/session/guide/state") == ["inactive"])
        rig.player.stop(faint)
        rig.player.stop(click)

        // Three bursts with gaps of 200 ms: the first is faded in, the others come out as they are.
        let burst = Sound.level(0.5, rig.frames(400)) + Sound.silence(rig.frames(200))
        let count = 3 * burst.count + rig.frames(200)
        let take = try rig.take(
          frames: count, play: [burst + burst + burst],
          prepare: {
            try rig.remote.eventually("/session/guide/state", "inactive")
          })
        let heard = take.channels[0]
        let begins = try #require(heard.firstIndex { $0 != 0 })
        #expect(begins > rig.frames(20))
        for round in 1...2 {
          let place = round * burst.count
          #expect(Array(heard[place..<place + burst.count]) == burst)
        }
        // After its hold the session is over, and the next sound is faded in again.
        try rig.remote.eventually("/session/guide/state", "inactive")
        let again = try rig.take(frames: burst.count, play: [burst])
        #expect(again.channels[0].prefix(rig.frames(20)).allSatisfy { $0 == 0 })
        try rig.remote.eventually("/session/guide/state", "inactive")
      }
    }

    /// A server that sees at once that a program has crashed.
    private static let crashing = ProbeServer.Options(isSynchronous: false)

    private static let player = "{ name: \"radio\", category: \"playback\", sources: [\"player:radio_1\"] }"

    @Test func `a program that has crashed gives the floor back after its linger`() async throws {
      let preset = text(
        Self.player, "{ name: \"film\", category: \"playback\", linger: 1000, sources: [\"film:.*\"] }",
        "{ name: \"hand\", category: \"ambient\", linger: 0 }")
      try await Rig.run(Self.crashing, preset: preset, sources: ["radio_1"]) { rig in
        try rig.play("radio", "hand")
        let film = try ProbeProcess("film", server: rig.server.name, outputs: ["out"], level: 0.25)
        #expect(eventually { rig.desk.connections(of: "film:out").count == 2 })
        try rig.play("film")
        #expect(try rig.remote.get("/session/radio/causes") == ["film"])
        film.vanish()
        try rig.remote.eventually("/session/film/state", "inactive")
        #expect(try rig.remote.get("/session/radio/playing") == [true])
        // A session that never had a program is left alone.
        #expect(try rig.remote.get("/session/hand/playing") == [true])
      }
    }

    @Test func `a program that returns within its linger has lost nothing`() async throws {
      let preset = text("{ name: \"film\", category: \"playback\", linger: 4000, sources: [\"film:.*\"] }")
      try await Rig.run(Self.crashing, preset: preset, sources: []) { rig in
        let first = try ProbeProcess("film", server: rig.server.name, outputs: ["out"], level: 0.25)
        #expect(eventually { rig.desk.connections(of: "film:out").count == 2 })
        try rig.play("film")
        first.vanish()
        #expect(eventually { rig.desk.connections(of: "film:out").isEmpty })
        let second = try ProbeProcess("film", server: rig.server.name, outputs: ["out"], level: 0.25)
        defer { second.quit() }
        #expect(eventually { rig.desk.connections(of: "film:out").count == 2 })
        try rig.settle(milliseconds: 4500)
        #expect(try rig.remote.get("/session/film/playing") == [true])
        let take = try rig.take(frames: 1024, play: [])
        #expect(take.channels[0].allSatisfy { $0 == 0.25 })
      }
    }

    @Test func `a crash of a program of activation signal or connected ends its session, its return begins it`()
      async throws
    {
      let preset = text(
        "{ name: \"guide\", category: \"ambient\", activation: \"signal\", linger: 200, sources: [\"guide:.*\"] }",
        "{ name: \"film\", category: \"ambient\", activation: \"connected\", linger: 200, sources: [\"guide:.*\"] }")
      try await Rig.run(Self.crashing, preset: preset, sources: []) { rig in
        for _ in 0..<2 {
          let program = try ProbeProcess("guide", server: rig.server.name, outputs: ["out"], level: 0.5)
          try rig.remote.eventually("/session/guide/playing", true)
          try rig.remote.eventually("/session/film/playing", true)
          program.vanish()
          try rig.remote.eventually("/session/guide/state", "inactive")
          try rig.remote.eventually("/session/film/state", "inactive")
        }
      }
    }

    @Test func `what was refused during a call begins when the call is over`() async throws {
      let preset = text(
        """
        { name: "guide", category: "playback", channels: 1, activation: "signal", activationHold: 100,
          sources: ["player:guide_1"] }
        """,
        "{ name: \"phone\", category: \"call\" }")
      try await Rig.run(preset: preset, sources: ["guide_1"]) { rig in
        try rig.play("phone")
        let sound = rig.player.start(play: [[0.5]], repeats: true)
        try rig.settle(milliseconds: 300)
        #expect(try rig.remote.get("/session/guide/state") == ["inactive"])
        try rig.remote.set(Message("/session/phone/active", false))
        try rig.remote.eventually("/session/guide/playing", true)
        // Silent again before the next call is over: there is nothing to begin.
        try rig.remote.set(Message("/session/guide/active", false), Message("/session/phone/playing", true))
        rig.player.stop(sound)
        try rig.settle(milliseconds: 300)
        try rig.remote.set(Message("/session/phone/active", false))
        try rig.settle(milliseconds: 100)
        #expect(try rig.remote.get("/session/guide/state") == ["inactive"])
      }
    }

    @Test func `a panic lets nothing begin by itself`() async throws {
      let preset = text(
        """
        { name: "guide", category: "playback", channels: 1, activation: "signal", activationHold: 100,
          sources: ["player:guide_1"] }
        """)
      try await Rig.run(preset: preset, sources: ["guide_1"]) { rig in
        let sound = rig.player.start(play: [[0.5]], repeats: true)
        try rig.remote.eventually("/session/guide/playing", true)
        try rig.remote.set(Message("/host/panic"))
        rig.player.stop(sound)
        try rig.settle(milliseconds: 300)
        let take = try rig.take(frames: rig.frames(300), play: [Sound.level(0.5, rig.frames(300))])
        #expect(take.channels[0].allSatisfy { $0 == 0 })
        #expect(try rig.remote.get("/session/guide/playing") == [false])
      }
    }
  }
}
