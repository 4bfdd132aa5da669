import AddressSpace
import JACKProbe
import Testing

/// Every test here has a private server, and libjack speaks to one at a time.
@Suite(.serialized) enum Live {}

extension Live {
  @Suite struct UnityGain {
    @Test(arguments: [16, 64, 256, 1024])
    func `what is played at full volume comes out bit by bit, and several sessions as their sum`(
      period: Int
    ) async throws {
      let text = preset([("wide", 2, ""), ("narrow", 1, "options: [\"mixWithOthers\"]"), ("more", 2, "")])
      let mixing = text.replacing("sources", with: "category: \"ambient\", sources")
        .replacing("options: [\"mixWithOthers\"]", with: "")
      let sources = ["wide_1", "wide_2", "narrow_1", "more_1", "more_2"]
      try await Rig.run(ProbeServer.Options(period: period), preset: mixing, sources: sources) { rig in
        for session in ["wide", "narrow", "more"] {
          try rig.remote.set(Message("/session/\(session)/playing", true))
        }
        try rig.wait(until: rig.desk.frame + rig.frames(300))
        let count = 24_000
        let sound = sources.indices.map { Sound.noise(count, peak: 0.3, seed: UInt32($0 + 1)) }
        let take = try rig.take(frames: count, play: sound)
        #expect(take.channels[0] == zip(zip(sound[0], sound[2]), sound[3]).map { $0.0 + $0.1 + $1 })
        #expect(take.channels[1] == zip(zip(sound[1], sound[2]), sound[4]).map { $0.0 + $0.1 + $1 })
      }
    }
  }
}
