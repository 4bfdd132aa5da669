import AddressSpace
import Foundation
import JACKProbe
import Testing

extension Live {
  @Suite struct End {
    /// Who asks the daemon to end.
    enum Way: CaseIterable { case signal, message }

    @Test(arguments: Live.periods, Way.allCases)
    func `it ends with a fade and without a click`(period: Int, way: Way) async throws {
      // Done anew where the server lost cycles.
      for _ in 1..<8 where try await endsWithFade(period, way) { return }
      #expect(try await endsWithFade(period, way), "the server lost cycles")
    }

    /// Whether the server ran all cycles, so that it could be seen.
    private func endsWithFade(_ period: Int, _ way: Way) async throws -> Bool {
      let text = preset([("music", 2, "")])
      var isWhole = false
      try await Rig.run(ProbeServer.Options(period: period), preset: text, sources: ["music_1", "music_2"]) { rig in
        try rig.play("music")
        // As long as it lives, it tells of cycles that PipeWire ran without it.
        try rig.remote.set(Message("/subscribe", "/eider/xruns", .int(1)))
        _ = try rig.remote.takeNews()
        try rig.recordEndlessSound { recorder in
          let misses = rig.player.misses + rig.desk.misses
          try rig.settle(milliseconds: 100)
          switch way {
          case .signal: rig.daemon.terminate()
          case .message: try rig.remote.send(Message("/eider/quit"))
          }
          #expect(try rig.daemon.exitCode() == 0)
          #expect(rig.daemon.complaints.hasSuffix("eider: ended\n"))
          try rig.settle(milliseconds: 20)
          let take = recorder.soFar
          // PipeWire may lose a cycle when a client goes, which is after its fade.
          let end = take.channels.map { $0.lastIndex { $0 != 0 } ?? 0 }.max() ?? 0
          isWhole = take.gaps.allSatisfy { $0.lowerBound > end + 1 } && rig.player.misses + rig.desk.misses == misses
          if ServerKind.current == .pipeWire {
            isWhole = try isWhole && !rig.remote.takeNews().contains { $0.address == "/eider/xruns" }
          }
          guard isWhole else { return }
          for (samples, level) in zip(take.channels, [Float(0.5), -0.5]) {
            let first = try #require(samples.firstIndex { $0 != 0 })
            let history = GainHistory(samples[first...], level: level)
            #expect(history.changes.map(\.to) == [0])
            #expect(history.changes.map(\.from) == [1])
            for change in history.changes { expectStraight(change) }
          }
          #expect(eventually { !rig.desk.ports.contains { $0.hasPrefix("eider:") } })
        }
      }
      return isWhole
    }

    /// Who sends a message and then asks whether it is in force may be put aside in between.
    @Test func `who asks while it ends is answered`() async throws {
      let text = preset([("music", 2, "")])
      try await Rig.run(ProbeServer.Options(period: 4096), preset: text, sources: ["music_1"]) { rig in
        // It ends by the frames of the server, which stands still for a while.
        rig.player.stall(milliseconds: 600)
        try rig.remote.send(Message("/eider/quit"))
        try await Task.sleep(for: .milliseconds(200))
        #expect(try rig.remote.exchange([]).isEmpty)
        #expect(try rig.daemon.exitCode() == 0)
      }
    }

    @Test func `it says that its server is gone, and can be ended without one`() async throws {
      try await withProbeServer { server in
        let daemon = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"])
        let remote = try Remote(port: try daemon.readyPort())
        server.kill()
        try remote.eventually("/eider/jack", "lost")
        #expect(daemon.complaints.contains("the JACK server has ended"))
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }
  }
}
