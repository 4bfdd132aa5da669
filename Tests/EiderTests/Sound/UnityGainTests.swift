import AddressSpace
import JACKProbe
import Testing

extension Live {
  @Suite struct UnityGain {
    @Test(arguments: Live.periods(16, 64, 256, 1024))
    func `what is played at full volume comes out bit by bit, and several sessions as their sum`(
      period: Int
    ) async throws {
      let text = preset([
        ("wide", 2, "category: \"ambient\""), ("narrow", 1, "category: \"ambient\""),
        ("more", 2, "category: \"ambient\""),
      ])
      let sources = ["wide_1", "wide_2", "narrow_1", "more_1", "more_2"]
      try await Rig.run(ProbeServer.Options(period: period), preset: text, sources: sources) { rig in
        try rig.play("wide", "narrow", "more")
        let count = 12_000
        let sound = sources.indices.map { Sound.noise(count, peak: 0.3, seed: UInt32($0 + 1)) }
        let take = try rig.take(frames: count, play: sound)
        #expect(take.channels[0] == zip(zip(sound[0], sound[2]), sound[3]).map { $0.0 + $0.1 + $1 })
        #expect(take.channels[1] == zip(zip(sound[1], sound[2]), sound[4]).map { $0.0 + $0.1 + $1 })
      }
    }

    @Test func `a sound just below the limiter's ceiling is left as it is`() async throws {
      let text = preset([("loud", 2, "")])
      try await Rig.run(preset: text, sources: ["loud_1", "loud_2"]) { rig in
        #expect(try rig.remote.get("/route/speaker/limit") == [.float(-0.1)])
        try rig.play("loud")
        // −0.1 dBFS is 0.98855.
        let count = 24_000
        let sound = [Sound.noise(count, peak: 0.985, seed: 7), Sound.noise(count, peak: 0.985, seed: 8)]
        let take = try rig.take(frames: count, play: sound)
        #expect(take.channels == sound)
      }
    }
  }
}
