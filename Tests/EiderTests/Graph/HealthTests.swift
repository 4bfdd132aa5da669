import AddressSpace
import Foundation
import JACKProbe
import Testing

extension Live {
  @Suite struct Health {
    private func number(_ argument: Argument?) -> Double { argument?.number ?? .nan }

    @Test func `how the audio thread fares is told, and who was late`() async throws {
      let options = ProbeServer.Options(isSynchronous: false)
      try await Rig.run(options, preset: preset([("music", 2, "")]), sources: ["music_1", "music_2"]) { rig in
        let remote = rig.remote
        try rig.play("music")
        // Figures are taken once a second.
        let isMeasured = try eventually {
          let times = try remote.get("/eider/cycleTime").map { number($0) }
          return times.count == 3 && times[0] > 0 && times[2] > 0
        }
        #expect(isMeasured)
        let times = try remote.get("/eider/cycleTime").map { number($0) }
        #expect(times[0] <= times[1])
        #expect(number(try remote.get("/eider/ownLoad").first) > 0)
        let waits = try remote.get("/eider/contextSwitches").map { number($0) }
        #expect(waits.count == 2)
        // It waits once a cycle, which the other threads of libjack do not.
        #expect(
          try eventually { try number(remote.get("/eider/contextSwitches").first) > waits[0] + 300 })
        #expect(try remote.get("/eider/pageFaults").map { number($0) >= 0 } == [true, true])

        // Another program is late: the server's xrun, and not Eider's.
        func stall() throws -> Bool {
          let (xruns, lost) = (try remote.get("/eider/xruns"), try remote.get("/eider/lostFrames"))
          let own = try remote.get("/eider/lateCycles")
          rig.player.stall(milliseconds: 300)
          #expect(try eventually { try number(remote.get("/eider/xruns").first) > number(xruns.first) })
          #expect(try eventually { try number(remote.get("/eider/lostFrames").first) > number(lost.first) })
          return try remote.get("/eider/lateCycles") == own
        }
        // On a busy machine it may be late itself at the same time; hardly every time.
        #expect(try (1...8).contains { _ in try stall() })
      }
    }

    @Test func `the command prints every figure with what it means`() async throws {
      try await withProbeServer { server in
        let daemon = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"])
        let port = try daemon.readyPort()
        let status = try EiderProcess(["status", "--port", "\(port)"])
        #expect(try status.exitCode() == 0)
        let lines = status.answers.split(separator: "\n")
        #expect(lines.map { $0.prefix { $0 != " " } } == DaemonFigure.allCases.map { $0.rawValue[...] })
        func line(_ name: String) -> Substring { lines.first { $0.hasPrefix(name + " ") } ?? "" }
        #expect(line("jack").contains(" running "))
        #expect(line("rate").contains(" 48000 "))
        #expect(line("load").contains(" % "))
        #expect(line("cycleTime").split(separator: "µs").count > 3)
        #expect(line("xruns").hasSuffix("Late cycles of the JACK server."))
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
        let nobody = try EiderProcess(["status", "--port", "\(port)"])
        #expect(try nobody.exitCode() == 3)
      }
    }
  }
}
