import AddressSpace
import JACKProbe
import Testing

extension Live {
  @Suite struct PeriodChange {
    /// All that servers offer, up and down and at random.
    private static let periods = [32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 32, 8192, 48, 1000, 64, 4096, 256]

    /// Whether the server has all programs together in every cycle. PipeWire lets some wait while it changes.
    private static let isWhole = ServerKind.current == .jackd

    @Test func `the period changes while music plays: nothing is heard of it, and ramps keep their length`()
      async throws
    {
      let text = preset(
        [("music", 2, "")],
        """
        scenes: [
          { name: "low", fade: 0.75, set: { "/session/music/volume": 0.5 } },
          { name: "full", fade: 0.75, set: { "/session/music/volume": 1 } },
        ],
        """)
      try await Rig.run(preset: text, sources: ["music_1", "music_2"]) { rig in
        try rig.play("music")
        try rig.recordEndlessSound(milliseconds: 120_000) { recorder in
          try rig.settle(milliseconds: 50)
          for (index, period) in Self.periods.enumerated() {
            if index % 4 == 0 { try rig.remote.set(Message("/scene/recall", index % 8 == 0 ? "low" : "full")) }
            try rig.player.setPeriod(period)
            try rig.remote.eventually("/eider/period", .int(Int32(period)))
            try rig.settle(milliseconds: 60)
            if index % 4 == 3 { try rig.settle(milliseconds: 850) }
          }
          let take = recorder.soFar
          for (samples, level) in zip(take.channels, [Float(0.5), -0.5]) {
            // What the server left out, nobody heard.
            let heard = samples.indices.dropFirst(try #require(samples.firstIndex { $0 != 0 }))
            let gains = heard.filter { index in
              !take.gaps.contains { $0.contains(index) } && (samples[index] != 0 || Self.isWhole)
            }.map { Double(samples[$0] / level) }
            let isInRange = gains.allSatisfy { $0 >= 0.125 - 1e-6 && $0 <= 1 }
            #expect(isInRange)
            let steps = zip(gains.dropFirst(), gains).map { abs($0 - $1) }
            let missed = max(take.gaps.map(\.count).max() ?? 0, Self.isWhole ? 0 : rig.frames(330))
            // From one sample to the next a glide of 0.75 s moves by less than this, also across what was left out.
            #expect((steps.max() ?? 0) < 3.0 * 0.5 / Double(rig.frames(750)) * Double(1 + missed))
            guard take.gaps.isEmpty, Self.isWhole else { continue }
            let changes = GainHistory(gains.map { Float($0) }, level: 1).changes
            #expect(changes.map { ($0.to * 8).rounded() } == [1, 8, 1, 8])
            #expect(changes.map(\.length) == [Int](repeating: rig.frames(750), count: 4))
            for change in changes { expectStraight(change) }
          }
          #expect(rig.daemon.isRunning)
        }
      }
    }
  }
}
