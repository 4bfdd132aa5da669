import AddressSpace
import JACKProbe
import Testing

extension Live {
  @Suite struct Ducks {
    private static let text = preset([
      ("music", 2, "category: \"playback\", options: [\"mixWithOthers\"]"),
      ("guide", 1, "category: \"playback\", options: [\"duckOthers\"]"),
    ])
    private static let sources = ["music_1", "music_2", "guide_1"]

    @Test(arguments: Live.periods)
    func `a guide turns the music down by 14 dB in 100 ms and lets it go in 800 ms, to the frame`(
      period: Int
    ) async throws {
      try await Rig.run(ProbeServer.Options(period: period), preset: Self.text, sources: Self.sources) { rig in
        try rig.play("music")
        let count = rig.frames(1250)
        let speaks = rig.frames(100)
        let falls = rig.frames(300)
        let take = try rig.take(
          frames: count, play: [Sound.level(0.5, count), Sound.level(-0.25, count), Sound.silence(count)],
          prepare: {
            try rig.remote.set(Message("/session/guide/active", false))
            try rig.settle(milliseconds: 800)
          },
          { start in
            try rig.send([
              (start + speaks, [Message("/session/guide/playing", true)]),
              (start + falls, [Message("/session/guide/active", false)]),
            ])
          })
        let left = GainHistory(take.channels[0], level: 0.5)
        #expect(left.gains == GainHistory(take.channels[1], level: -0.25).gains)
        try #require(left.changes.count == 2)
        let (attack, release) = (left.changes[0], left.changes[1])
        #expect(attack.from == 1)
        #expect(abs(attack.to.decibels + 14) < 0.05)
        #expect(attack.length == rig.frames(100))
        #expect(release.from == attack.to)
        #expect(release.to == 1)
        #expect(release.length == rig.frames(800))
        #expect(abs(release.start - attack.start - (falls - speaks)) <= 1)
        for change in left.changes { expectStraight(change) }
      }
    }

    @Test(arguments: Live.periods)
    func `a voice ducks from its first sample on, until its hold is over, to the frame`(period: Int) async throws {
      // The voice is heard on the right, the music is measured on the left.
      let text = preset([
        ("music", 2, "category: \"playback\", options: [\"mixWithOthers\"]"),
        (
          "voice", 1,
          """
          category: "playback", options: ["duckOthers"], pan: 1,
          duck: { trigger: "signal", depth: -20, attack: 30, hold: 100, release: 200, threshold: -40 }
          """
        ),
      ])
      try await Rig.run(ProbeServer.Options(period: period), preset: text, sources: ["music_1", "voice_1"]) { rig in
        try rig.play("music", "voice")
        let count = rig.frames(700)
        // −40 dBFS is 0.01; a pause shorter than the hold does not let go.
        let (first, last) = (rig.frames(50) + 1, rig.frames(250) + 7)
        var voice = Sound.level(0.0099, count)
        for frame in first...last where frame < first + 500 || frame > last - 500 { voice[frame] = 0.0101 }
        for frame in (first + 500)..<(first + 4000) { voice[frame] = 0 }
        for frame in (last + 1)..<count { voice[frame] = 0 }
        let take = try rig.take(
          frames: count, play: [Sound.level(0.5, count), voice],
          prepare: { try rig.settle(milliseconds: 300) })
        let changes = GainHistory(take.channels[0], level: 0.5).changes
        try #require(changes.count == 2)
        #expect(changes[0].start == first)
        #expect(changes[0].length == rig.frames(30))
        #expect(abs(changes[0].to.decibels + 20) < 0.05)
        #expect(changes[1].start == last + rig.frames(100))
        #expect(changes[1].length == rig.frames(200))
        #expect(changes[1].to == 1)
        for change in changes { expectStraight(change) }
      }
    }

    @Test func `who starts during a duck starts ducked, and the duck is gone without a trace`() async throws {
      try await Rig.run(preset: Self.text, sources: Self.sources) { rig in
        try rig.play("guide")
        let count = rig.frames(1500)
        let take = try rig.take(
          frames: count, play: [Sound.level(0.5, count), Sound.silence(count), Sound.silence(count)],
          prepare: { try rig.remote.set(Message("/session/guide/playing", true)) },
          { start in
            try rig.send([
              (start + rig.frames(50), [Message("/session/music/playing", true)]),
              (start + rig.frames(400), [Message("/session/guide/playing", false)]),
              (start + rig.frames(1350), [Message("/session/music/active", false)]),
            ])
          })
        let changes = GainHistory(take.channels[0], level: 0.5).changes
        try #require(changes.count == 3)
        #expect(changes[0].from == 0)
        #expect(abs(changes[0].to.decibels + 14) < 0.05)
        #expect(changes[0].length == rig.frames(250))
        #expect(changes[1].to == 1)
        #expect(changes[2].to == 0)
        for change in changes { expectStraight(change) }
      }
    }
  }
}

/// A change is a straight line between positions of a cubic fader, without a click anywhere.
func expectStraight(_ change: GainHistory.Change, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(change.deviation < 2e-6, sourceLocation: sourceLocation)
  // A few units in the last place of the samples.
  #expect(change.largestStep < change.steepestStep + 1e-6, sourceLocation: sourceLocation)
}
