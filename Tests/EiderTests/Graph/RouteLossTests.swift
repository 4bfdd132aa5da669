import AddressSpace
import JACKProbe
import Testing

extension Live {
  @Suite struct RouteLoss {
    /// How the headphones go.
    enum Loss: CaseIterable { case unplugged, crashed }

    private static let text = """
      {
        eider: 1,
        routes: [
          { name: "speaker", kind: "speaker", ports: ["desk:left", "desk:right"] },
          { name: "headphones", kind: "headphones", ports: ["headset:left", "headset:right"], volume: 1 },
        ],
        sessions: [{ name: "music", category: "playback", sources: ["player:music_.*"] }],
      }
      """

    @Test(arguments: Live.periods, Loss.allCases)
    func `not one sample reaches the speaker when the headphones go`(period: Int, loss: Loss) async throws {
      // A synchronous server would take seconds to see that a client has crashed.
      let options = ProbeServer.Options(period: period, isSynchronous: loss == .unplugged)
      try await Rig.run(options, preset: Self.text, sources: ["music_1", "music_2"]) { rig in
        let headset = try Headset(loss, rig)
        try rig.remote.eventually("/host/route", "headphones")
        try rig.play("music")
        try rig.recordEndlessSound(milliseconds: 6000) { recorder in
          let start = try recorder.begin()
          try rig.settle(milliseconds: 100)
          #expect(try rig.remote.get("/session/music/audible") == [true])

          headset.go()
          try rig.remote.eventually("/host/route", "speaker")
          #expect(try rig.remote.get("/session/music/playing") == [false])
          #expect(try rig.remote.get("/session/music/silence") == ["paused"])
          #expect(try rig.remote.get("/session/music/state") == ["active"])
          try rig.settle(milliseconds: 400)
          try expectSilence(recorder, from: start, to: rig.desk.heard)

          // Plugged in again: nothing begins by itself.
          let again = try Headset(loss, rig)
          try rig.remote.eventually("/host/route", "headphones")
          #expect(try rig.remote.get("/session/music/playing") == [false])
          again.go()
          try rig.remote.eventually("/host/route", "speaker")
          try expectSilence(recorder, from: start, to: rig.desk.heard)

          // Asked to, it plays on the speaker: what was recorded is what people would hear.
          try rig.play("music")
          // Few frames: with very short periods a server that waits for nobody loses many cycles.
          let heard = try rig.take(frames: max(256, 2 * period), play: [])
          #expect(heard.channels[0].allSatisfy { $0 == 0.5 })
          #expect(heard.channels[1].allSatisfy { $0 == -0.5 })
        }
      }
    }

    @Test(arguments: Live.periods(64, 1024))
    func `what goes on without headphones goes over to the speaker`(period: Int) async throws {
      let text = Self.text.replacing(
        "category: \"playback\"", with: "category: \"playback\", onRouteLoss: \"continue\"")
      try await Rig.run(ProbeServer.Options(period: period), preset: text, sources: ["music_1", "music_2"]) { rig in
        let sound = rig.player.start(play: [[0.5], [0.5]], repeats: true)
        defer { rig.player.stop(sound) }
        let take = try rig.unbroken {
          let headset = try Headset(.unplugged, rig)
          try rig.remote.eventually("/host/route", "headphones")
          try rig.play("music")
          let recorder = rig.desk.start(record: rig.frames(20_000))
          defer { rig.desk.stop(recorder) }
          _ = try recorder.begin()
          try rig.settle(milliseconds: 100)
          headset.go()
          try rig.remote.eventually("/host/route", "speaker")
          try rig.settle(milliseconds: 200)
          let take = recorder.soFar
          return take.gaps.isEmpty ? take : nil
        }
        let changes = GainHistory(take.channels[0], level: 0.5).changes
        #expect(changes.map(\.to) == [1])
        #expect(changes.map(\.length) == [rig.frames(50)])
        #expect(try rig.remote.get("/session/music/playing") == [true])
      }
    }

    /// Everything that was recorded so far is exactly zero.
    private func expectSilence(_ recorder: ProbeJob, from start: Int, to frame: Int) throws {
      try #require(eventually { recorder.soFar.channels[0].count >= frame - start })
      let take = recorder.soFar
      #expect(take.firstFrame == start)
      for samples in take.channels { #expect(samples.allSatisfy { $0 == 0 }) }
    }
  }
}

/// Headphones: two ports of a client that can go in good order or crash.
private final class Headset {
  private var client: ProbeClient?
  private var process: ProbeProcess?

  init(_ loss: Live.RouteLoss.Loss, _ rig: Rig) throws {
    switch loss {
    case .unplugged: client = try ProbeClient("headset", on: rig.server, inputs: ["left", "right"])
    case .crashed: process = try ProbeProcess("headset", server: rig.server.name, inputs: ["left", "right"])
    }
  }

  func go() {
    client?.close()
    process?.vanish()
  }
}
