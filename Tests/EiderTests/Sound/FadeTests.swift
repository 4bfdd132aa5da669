import AddressSpace
import Foundation
import JACKProbe
import Testing

extension Live {
  @Suite struct Fades {
    /// Something that changes how the music sounds on the speaker.
    private struct Step {
      let message: Message
      let milliseconds: Double
      /// Positions, left and right.
      let left: Double
      var right: Double
      init(
        _ address: String, _ arguments: Argument..., takes milliseconds: Double, to left: Double, _ right: Double? = nil
      ) {
        message = Message(address, arguments)
        self.milliseconds = milliseconds
        self.left = left
        self.right = right ?? left
      }
    }

    private static let trimmed = pow(10, -6.0 / 60)

    /// From a music that plays to one that does not.
    private static let steps = [
      Step("/session/music/volume", 0.5, takes: 30, to: 0.5),
      Step("/session/music/volume", 1, takes: 30, to: 1),
      Step("/session/music/pan", -0.75, takes: 30, to: 1, 0.25),
      Step("/session/music/pan", 0, takes: 30, to: 1),
      Step("/host/volume", 0.25, takes: 30, to: 0.25),
      Step("/host/volume", 1, takes: 30, to: 1),
      Step("/route/speaker/trim", -6, takes: 30, to: trimmed),
      Step("/route/speaker/trim", 0, takes: 30, to: 1),
      Step("/session/music/mute", true, takes: 20, to: 0),
      Step("/session/music/mute", false, takes: 20, to: 1),
      Step("/host/silent", true, takes: 20, to: 0),
      Step("/host/silent", false, takes: 20, to: 1),
      Step("/host/locked", true, takes: 20, to: 0),
      Step("/host/locked", false, takes: 20, to: 1),
      Step("/session/film/active", true, takes: 250, to: 0),
      Step("/session/film/active", false, "notifyOthers", takes: 250, to: 1),
      Step("/host/interruption", "begin", "desk", takes: 250, to: 0),
      Step("/host/interruption", "end", "desk", "resumable", takes: 250, to: 1),
      Step("/host/route", "line", takes: 50, to: 0),
      Step("/host/route", "speaker", takes: 50, to: 1),
      Step("/session/music/playing", false, takes: 60, to: 0),
      Step("/session/music/playing", true, takes: 250, to: 1),
      Step("/session/music/active", false, takes: 60, to: 0),
      Step("/session/music/playing", true, takes: 250, to: 1),
      Step("/host/panic", takes: 4, to: 0),
    ]

    /// The steps that are recorded at a time; each pair ends as it began. PipeWire, which waits for nobody, runs so many
    /// cycles without leaving one out, hardly more.
    private static let takes: [ArraySlice<Step>] =
      ServerKind.current == .jackd
      ? [steps[...]] : stride(from: 0, to: steps.count, by: 4).map { steps[$0..<min($0 + 4, steps.count)] }

    @Test(arguments: Live.periods)
    func `every change takes its time, in a straight line of the fader`(period: Int) async throws {
      let text = """
        {
          eider: 1,
          routes: [
            { name: "speaker", kind: "speaker", ports: ["desk:left", "desk:right"] },
            { name: "line", kind: "line", ports: ["desk:left_line", "desk:right_line"] },
          ],
          sessions: [
            { name: "music", category: "soloAmbient", sources: ["player:music_.*"] },
            { name: "film", category: "playback" },
          ],
        }
        """
      try await Rig.run(
        ProbeServer.Options(period: period), preset: text, sources: ["music_1", "music_2"],
        hardware: ["left", "right", "left_line", "right_line"]
      ) { rig in
        for steps in Self.takes {
          var offsets: [Int] = []
          var next = rig.frames(50)
          for step in steps {
            offsets.append(next)
            next += rig.frames(step.milliseconds + 20)
          }
          let take = try rig.take(
            frames: next, play: [Sound.level(0.5, next), Sound.level(0.5, next)], prepare: { try rig.play("music") },
            { start in try rig.send(zip(offsets, steps).map { (start + $0, [$1.message]) }) })
          let timeline = Array(zip(offsets, steps))
          try judge(take.channels[0], timeline, rig) { $0.left }
          try judge(take.channels[1], timeline, rig) { $0.right }
          judgeLine(take.channels[2], steps, rig)
        }
      }
    }

    private func judge(
      _ samples: [Float], _ timeline: [(Int, Step)], _ rig: Rig, _ position: (Step) -> Double
    ) throws {
      var now = 1.0
      let expected = timeline.filter { _, step in
        defer { now = position(step) }
        return position(step) != now
      }
      let changes = GainHistory(samples, level: 0.5).changes
      try #require(changes.count == expected.count)
      let shift = zip(changes, expected).map { $0.start - $1.0 }.first ?? 0
      for (change, (offset, step)) in zip(changes, expected) {
        #expect(abs(change.start - offset - shift) <= 1, "\(step.message)")
        #expect(change.length == rig.frames(step.milliseconds), "\(step.message)")
        #expect(abs(cbrt(change.to) - position(step)) < 1e-6, "\(step.message)")
        if [0, 1].contains(position(step)) { #expect(change.to == position(step), "\(step.message)") }
        expectStraight(change)
      }
    }

    /// The line has the music while it is the current route, and nothing else.
    private func judgeLine(_ samples: [Float], _ steps: ArraySlice<Step>, _ rig: Rig) {
      let changes = GainHistory(samples, level: 0.5).changes
      let isChosen = steps.contains { $0.message.address == "/host/route" }
      #expect(changes.map(\.to) == (isChosen ? [1, 0] : []))
      #expect(changes.map(\.length) == (isChosen ? [rig.frames(50), rig.frames(50)] : []))
      for change in changes { expectStraight(change) }
    }

    @Test(arguments: Live.periods)
    func `a fade that is turned round goes on from where it is`(period: Int) async throws {
      let text = preset([("music", 1, "")])
      try await Rig.run(ProbeServer.Options(period: period), preset: text, sources: ["music_1"]) { rig in
        let count = rig.frames(500)
        let (pause, resume) = (rig.frames(50), rig.frames(80))
        let take = try rig.take(
          frames: count, play: [Sound.level(0.5, count)], prepare: { try rig.play("music") },
          { start in
            try rig.send([
              (start + pause, [Message("/session/music/playing", false)]),
              (start + resume, [Message("/session/music/playing", true)]),
            ])
          })
        let history = GainHistory(take.channels[0], level: 0.5)
        try #require(history.changes.count == 1)
        let change = history.changes[0]
        #expect(change.from == 1 && change.to == 1)
        // Half of 60 ms down; then up, as the whole way is 250 ms.
        let positions = history.gains[change.start...change.end].map { cbrt($0) }
        let half = rig.frames(30)
        let turn = positions.indices.min { positions[$0] < positions[$1] } ?? 0
        #expect(abs(turn - half) <= 1)
        #expect(abs(change.end - change.start - half - rig.frames(250)) <= 1)
        for index in 0...turn {
          #expect(abs(positions[index] - (1 - Double(index) / Double(rig.frames(60)))) < 2e-6)
        }
        let rise = positions.count - 1 - turn
        for index in 0...rise {
          let line = positions[turn] + (1 - positions[turn]) * Double(index) / Double(rise)
          #expect(abs(positions[turn + index] - line) < 2e-6)
        }
      }
    }

    @Test func `a preset sets how long changes take, and a scene how long it glides`() async throws {
      let text = preset(
        [("music", 1, "")],
        """
        fades: { pause: 10, resume: 125, volume: 100 },
        scenes: [{ name: "night", fade: 0.3, set: { "/session/music/volume": 0.25 } }],
        """)
      try await Rig.run(preset: text, sources: ["music_1"]) { rig in
        let count = rig.frames(850)
        let take = try rig.take(
          frames: count, play: [Sound.level(0.5, count)],
          prepare: {
            try rig.play("music")
            try rig.remote.set(Message("/session/music/volume", 1), Message("/host/volume", 1))
            try rig.settle(milliseconds: 100)
          },
          { start in
            try rig.send([
              (start + rig.frames(20), [Message("/session/music/playing", false)]),
              (start + rig.frames(60), [Message("/session/music/playing", true)]),
              (start + rig.frames(220), [Message("/session/music/volume", 0.5)]),
              (start + rig.frames(360), [Message("/scene/recall", "night")]),
              (start + rig.frames(700), [Message("/scene/recall", "night", 0.05), Message("/host/volume", 0.5)]),
            ])
          })
        let changes = GainHistory(take.channels[0], level: 0.5).changes
        #expect(changes.map(\.length) == [10, 125, 100, 300, 50].map { rig.frames($0) })
        for change in changes { expectStraight(change) }
      }
    }
  }
}
