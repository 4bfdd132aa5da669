import AddressSpace
import JACKProbe
import Testing

extension Live {
  @Suite struct Microphones {
    private static let text = """
      {
        eider: 1,
        routes: [{ name: "speaker", kind: "speaker", ports: ["desk:left", "desk:right"] }],
        inputs: [{ name: "mic", ports: ["player:mic"] }],
        sessions: [
          { name: "chat", category: "playAndRecord", options: ["mixWithOthers"], channels: 1 },
          { name: "memo", category: "playAndRecord", options: ["mixWithOthers"], channels: 1 },
        ],
      }
      """

    @Test(arguments: Live.periods)
    func `a microphone opens and closes in 20 ms, and is heard by nobody else`(period: Int) async throws {
      try await Rig.run(
        ProbeServer.Options(period: period), preset: Self.text, sources: ["mic"],
        hardware: ["left", "right", "chat", "memo"]
      ) { rig in
        try rig.desk.connect("eider:chat_mic_1", "desk:chat")
        try rig.desk.connect("eider:memo_mic_1", "desk:memo")
        let steps: [(at: Double, message: Message, isOpen: Bool)] = [
          (50, Message("/session/chat/playing", true), true),
          (100, Message("/session/chat/micMute", true), false),
          (150, Message("/session/chat/micMute", false), true),
          (200, Message("/session/chat/playing", false), false),
          (250, Message("/session/chat/playing", true), true),
          (300, Message("/host/cover", "closed"), false),
          (350, Message("/host/cover", "open"), false),
        ]
        let count = rig.frames(400)
        let take = try rig.take(
          frames: count, play: [Sound.level(0.5, count)],
          prepare: {
            try rig.remote.set(Message("/session/memo/active", true), Message("/session/chat/active", false))
            try rig.settle(milliseconds: 20)
          },
          { start in try rig.send(steps.map { (start + rig.frames($0.at), [$0.message]) }) })
        for channel in [0, 1, 3] { #expect(take.channels[channel].allSatisfy { $0 == 0 }) }
        let changes = GainHistory(take.channels[2], level: 0.5).changes
        #expect(changes.map(\.to) == [1, 0, 1, 0, 1, 0])
        #expect(changes.allSatisfy { $0.length == rig.frames(20) })
        for change in changes { expectStraight(change) }
        for (change, step) in zip(changes, steps) {
          #expect(abs(change.start - changes[0].start - rig.frames(step.at - steps[0].at)) <= 1)
        }
        #expect(try rig.remote.get("/session/chat/mic") == [false])

        try rig.play("chat")
        let noise = Sound.noise(4800, peak: 0.9, seed: 5)
        let open = try rig.take(frames: 4800, play: [noise])
        #expect(open.channels[2] == noise)
        #expect(open.channels[3].allSatisfy { $0 == 0 })
      }
    }
  }
}
