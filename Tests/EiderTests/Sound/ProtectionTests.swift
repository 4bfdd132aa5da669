import AddressSpace
import JACKProbe
import Testing

extension Live {
  @Suite struct Protection {
    private static let text = preset([
      ("bad", 2, "category: \"ambient\""), ("good", 2, "category: \"ambient\""),
    ])
    private static let sources = ["bad_1", "bad_2", "good_1", "good_2"]

    @Test(arguments: Live.periods)
    func `samples that are no numbers are silence, are counted, and touch nobody else`(period: Int) async throws {
      try await Rig.run(ProbeServer.Options(period: period), preset: Self.text, sources: Self.sources) { rig in
        try rig.play("bad", "good")
        let count = 9600
        var sound = (0..<4).map { Sound.noise(count, peak: 0.4, seed: UInt32($0 + 11)) }
        let clean = sound
        let wrong: [(place: Int, value: Float)] = [
          (0, .nan), (1, .infinity), (15, -.infinity), (16, .nan), (1000, .signalingNaN), (4095, .nan), (9599, .nan),
        ]
        for (place, value) in wrong { sound[0][place] = value }
        for place in 5000..<5100 { sound[1][place] = .nan }
        var counted = 0
        let take = try rig.take(
          frames: count, play: sound, prepare: { counted = try Self.badSamples("bad", rig) })
        var expected = [clean[0], clean[1]]
        for (place, _) in wrong { expected[0][place] = 0 }
        for place in 5000..<5100 { expected[1][place] = 0 }
        #expect(take.channels[0] == zip(expected[0], clean[2]).map { $0 + $1 })
        #expect(take.channels[1] == zip(expected[1], clean[3]).map { $0 + $1 })
        #expect(try Self.badSamples("bad", rig) - counted == wrong.count + 100)
        #expect(try Self.badSamples("good", rig) == 0)

        // Another session has nothing to do with that.
        try rig.remote.set(Message("/session/close", "bad"), Message("/session/open", "bad", "ambient"))
        #expect(try Self.badSamples("bad", rig) == 0)
      }
    }

    private static func badSamples(_ session: String, _ rig: Rig) throws -> Int {
      guard case .int(let count)? = try rig.remote.get("/session/\(session)/badSamples").first else { return -1 }
      return Int(count)
    }

    @Test(arguments: Live.periods)
    func `a program that goes leaves silence behind`(period: Int) async throws {
      let text = preset([("music", 2, "")]).replacing("player:music", with: "band:music")
      try await Rig.run(ProbeServer.Options(period: period), preset: text, sources: []) { rig in
        let sound = [Sound.noise(4800, peak: 0.9, seed: 1), Sound.noise(4800, peak: 0.9, seed: 2)]
        let take = try rig.unbroken {
          let band = try ProbeClient("band", on: rig.server, outputs: ["music_1", "music_2"])
          defer { band.close() }
          #expect(eventually { band.connections(of: "band:music_2") == ["eider:music_in_2"] })
          try rig.play("music")
          let (start, misses) = (rig.soon, band.misses)
          band.start(play: sound, repeats: true, at: start)
          let recorder = rig.desk.start(record: rig.frames(20_000), at: start)
          defer { rig.desk.stop(recorder) }
          try rig.wait(until: start + rig.frames(300))
          band.close()
          try rig.settle(milliseconds: 100)
          return band.misses == misses ? recorder.soFar : nil
        }
        for (samples, played) in zip(take.channels, sound) {
          let last = samples.lastIndex { $0 != 0 } ?? 0
          #expect(last > rig.frames(250) && last < samples.count - rig.frames(50))
          let isRight = take.isCovered(0...last) { samples[$0] == played[$0 % played.count] }
          #expect(isRight)
        }
        #expect(try rig.remote.get("/session/music/playing") == [true])
      }
    }

    @Test(arguments: Live.periods(16, 1024))
    func `a session that is closed fades out, gives its ports back, and can be opened again at once`(
      period: Int
    ) async throws {
      let text = preset([("music", 1, "")])
      try await Rig.run(ProbeServer.Options(period: period), preset: text, sources: ["music_1"]) { rig in
        try rig.play("music")
        let count = rig.frames(200)
        let take = try rig.take(
          frames: count, play: [Sound.level(0.5, count)],
          prepare: {
            guard try rig.remote.get("/session/list").isEmpty else { return }
            try rig.remote.set(Message("/session/open", "music", "playback"))
            try rig.play("music")
          },
          { start in try rig.send([(start + rig.frames(50), [Message("/session/close", "music")])]) })
        let changes = GainHistory(take.channels[0], level: 0.5).changes
        try #require(changes.count == 1)
        #expect(changes[0].to == 0)
        #expect(changes[0].length == rig.frames(60))
        expectStraight(changes[0])
        #expect(eventually { !rig.player.ports.contains("eider:music_in_1") })

        try rig.remote.set(Message("/session/open", "music", "playback"))
        #expect(eventually { rig.player.connections(of: "player:music_1") == ["eider:music_in_1"] })
        try rig.play("music")
        let noise = Sound.noise(4800, peak: 0.5, seed: 3)
        #expect(try rig.take(frames: 4800, play: [noise]).channels[0] == noise)

        // Closed and opened in one event: it begins anew, with its ports.
        let packet = [Message("/session/close", "music"), Message("/session/open", "music", "playback")]
        _ = try rig.remote.exchange([.bundle(.immediate, packet.map { .message($0) })])
        #expect(try rig.remote.get("/session/music/state") == ["inactive"])
        try rig.play("music")
        #expect(eventually { rig.player.connections(of: "player:music_1") == ["eider:music_in_1"] })
        #expect(try rig.take(frames: 4800, play: [noise]).channels[0] == noise)
      }
    }

    @Test(arguments: [1024])
    func `a session can be opened again at any moment of its going`(period: Int) async throws {
      let text = preset([("music", 1, "")])
      try await Rig.run(ProbeServer.Options(period: period), preset: text, sources: ["music_1"]) { rig in
        for milliseconds in [0, 40, 80, 120] + stride(from: 380.0, through: 470, by: 10) {
          try rig.remote.set(Message("/session/close", "music"))
          try rig.settle(milliseconds: milliseconds)
          try rig.remote.set(Message("/session/open", "music", "playback"))
          #expect(
            eventually { rig.player.ports.filter { $0.hasPrefix("eider:music") } == ["eider:music_in_1"] },
            "\(rig.player.ports), reopened after \(milliseconds) ms")
        }
        #expect(eventually { rig.player.connections(of: "player:music_1") == ["eider:music_in_1"] })
        try rig.play("music")
        let noise = Sound.noise(4800, peak: 0.5, seed: 3)
        #expect(try rig.take(frames: 4800, play: [noise]).channels[0] == noise)
      }
    }
  }
}
