import AddressSpace
import JACKProbe
import OSCTransport
import Testing

extension Live {
  @Suite struct TimedBundles {
    /// Changes of a volume that are there at once, so that each shows on its very frame; full scale passes.
    private static let text = preset([("music", 1, "")], "fades: { volume: 0 },")
      .replacing("kind: \"speaker\",", with: "kind: \"speaker\", limit: null,")

    /// Where the gain changes, and to which position.
    private func jumps(_ samples: [Float]) -> [(offset: Int, gain: Float)] {
      (1..<samples.count).filter { samples[$0] != samples[$0 - 1] }.map { ($0, samples[$0]) }
    }

    @Test(arguments: Live.periods(16, 64, 256, 1024))
    func `changes come on their frames, as far apart as their time tags say`(period: Int) async throws {
      try await Rig.run(ProbeServer.Options(period: period), preset: Self.text, sources: ["music_1"]) { rig in
        try rig.play("music")
        let offsets = [3000, 3001, 3006, 3022, 3039, 3103, 3436, 4460, 6000]
        let volumes: [Float] = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
        let take = try rig.take(
          frames: 8000, play: [Sound.level(1, 8000)],
          prepare: { try rig.remote.set(Message("/session/music/volume", 1)) },
          { start in
            try rig.send(
              zip(offsets, volumes).map { (start + $0, [Message("/session/music/volume", .float($1))]) })
          })
        let jumps = jumps(take.channels[0])
        #expect(
          jumps.map(\.gain) == volumes.map { $0 * $0 * $0 },
          "\(take.channels[0].first ?? -1) … \(take.channels[0].last ?? -1)")
        try #require(jumps.count == offsets.count)
        for (jump, offset) in zip(jumps, offsets) {
          #expect(abs(jump.offset - jumps[0].offset - (offset - offsets[0])) <= 1)
        }
      }
    }

    @Test(arguments: [256, 1024])
    func `a time tag means the frame that is played at that time`(period: Int) async throws {
      try await Rig.run(ProbeServer.Options(period: period), preset: Self.text, sources: ["music_1"]) { rig in
        try rig.play("music")
        // A server that falls behind its own rate has frames at other times than it said before: tried until it nearly
        // keeps its rate, and judged by how well it did.
        for _ in 0..<20 {
          var (before, after) = (OSCTimeTag.immediate, OSCTimeTag.immediate)
          let take = try rig.take(
            frames: 5000, play: [Sound.level(1, 5000)],
            prepare: { try rig.remote.set(Message("/session/music/volume", 1)) },
            { start in
              before = rig.timeTag(of: start + 3000)
              try rig.remote.send(.bundle(before, [.message(Message("/session/music/volume", 0.5))]))
              _ = try rig.remote.get("/session/music/title")
              after = rig.timeTag(of: start + 3000)
            })
          let moved = abs(after.seconds(after: before)) * 48_000
          guard moved < 48 else { continue }
          let jumps = jumps(take.channels[0])
          #expect(jumps.count == 1)
          #expect(abs(Double((jumps.first?.offset ?? 0) - 3000)) <= 2 + moved)
          return
        }
        Issue.record("the server never keeps its rate")
      }
    }

    @Test func `bundles that are sent apart keep their distance`() async throws {
      try await Rig.run(preset: Self.text, sources: ["music_1"]) { rig in
        try rig.play("music")
        let take = try rig.take(
          frames: 12_000, play: [Sound.level(1, 12_000)],
          prepare: { try rig.remote.set(Message("/session/music/volume", 1)) },
          { start in
            // The later one is sent first.
            let later = rig.timeTag(of: start + 9001)
            let first = OSCTimeTag(rawValue: later.rawValue - UInt64((5000.0 / 48_000 * 4_294_967_296).rounded()))
            try rig.whileTimeHolds(start) {
              try rig.remote.send(.bundle(later, [.message(Message("/session/music/volume", 0.25))]))
              try rig.remote.send(.bundle(first, [.message(Message("/session/music/volume", 0.5))]))
            }
          })
        let jumps = jumps(take.channels[0])
        #expect(jumps.map(\.gain) == [0.125, 0.015625])
        #expect(abs((jumps.last?.offset ?? 0) - (jumps.first?.offset ?? 0) - 5000) <= 1)
      }
    }

    @Test func `bundles for one frame are in force in the order of their sending, and a bundle is one event`()
      async throws
    {
      try await Rig.run(preset: Self.text, sources: ["music_1"]) { rig in
        try rig.play("music")
        let take = try rig.take(
          frames: 6000, play: [Sound.level(1, 6000)],
          prepare: { try rig.remote.set(Message("/session/music/volume", 1)) },
          { start in
            try rig.send([
              (start + 3000, [Message("/session/music/volume", 0.125), Message("/session/music/volume", 0.75)]),
              (start + 3000, [Message("/session/music/volume", 0.5)]),
            ])
          })
        #expect(jumps(take.channels[0]).map(\.gain) == [0.125])
        #expect(try rig.remote.get("/session/music/volume") == [.float(0.5)])
      }
    }

    @Test func `a time tag that is over is now, and one of the day after tomorrow is refused`() async throws {
      try await Rig.run(preset: Self.text, sources: ["music_1"]) { rig in
        let now = OSCTimeTag.now().rawValue
        let past = OSCTimeTag(rawValue: now - 5 << 32)
        let answers = try rig.remote.exchange([
          .bundle(past, [.message(Message("/session/music/volume", 0.5)), .message(Message("/session/music/volume"))])
        ])
        #expect(answers == [Message("/session/music/volume", .float(0.5))])
        let far = OSCTimeTag(rawValue: now + 172_800 << 32)
        let refusals = try rig.remote.exchange([.bundle(far, [.message(Message("/session/music/volume", 1))])])
        #expect(refusals.map(\.address) == ["/error"])
        #expect(refusals.first?.arguments.dropLast() == ["/session/music/volume", "outOfRange"])
        #expect(try rig.remote.get("/session/music/volume") == [.float(0.5)])
      }
    }
  }
}
