import AddressSpace
import JACKProbe
import Testing

extension Live {
  /// The presets of a desk and a hall, on two machines.
  @Suite(
    .disabled(if: ServerKind.current == .pipeWire, "PipeWire 0.3.65 has no NetJack"),
    .disabled(if: !TwoMachines.isPossible, "only root may make network namespaces"))
  struct Network {
    /// A daemon on one of the machines with its preset, on whose sound card the test listens.
    private func start(_ name: String, on server: ProbeServer) throws -> (daemon: EiderProcess, remote: Remote) {
      let text = try PackageFiles.text("presets/\(name).json5").replacing("system:playback_", with: "card:playback_")
      let daemon = try EiderProcess(
        ["run", "--jack-server", server.name, "--port", "0", "--listen", "127.0.0.1"], preset: text)
      return (daemon, try Remote(port: try daemon.readyPort()))
    }

    private static let card = ["playback_1", "playback_2"]

    @Test func `music of the desk is heard in the hall, falls silent with the cable, and is back with it`() async throws
    {
      // Done anew where the server itself does not see that the cable is out.
      for _ in 1..<4 where try await musicFollowsCable() { return }
      #expect(try await musicFollowsCable(), "the desk's server never sees that the cable is out")
    }

    /// Whether the servers did what is theirs.
    private func musicFollowsCable() async throws -> Bool {
      try await withoutOtherServers {
        let machines = try TwoMachines()
        defer { machines.close() }
        let card = try ProbeProcess("card", server: machines.desk.name, inputs: Self.card)
        let player = try ProbeProcess("music", server: machines.desk.name, outputs: ["out_1", "out_2"], level: 0.25)
        let (deskDaemon, desk) = try start("network", on: machines.desk)
        let speakers = try ProbeClient("card", on: machines.hall, inputs: Self.card)
        let (hallDaemon, hall) = try start("network-hall", on: machines.hall)

        /// Whether the hall hears a level, to the bit, once what is on the way has arrived.
        func hears(_ level: Float) -> Bool {
          eventually(within: 60) {
            let take = try? speakers.start(record: 512).recording(within: 10)
            return take?.channels.allSatisfy { $0.allSatisfy { $0 == level } } ?? false
          }
        }
        try desk.eventually("/route/hall/available", true)
        #expect(hears(0.25))
        #expect(try desk.get("/session/music/audible") == [true])

        var isCutSeen = true
        for _ in 1...2 {
          try machines.cut()
          // On a busy machine NetJack2 may hang when the cable goes, and keep the ports for ever.
          isCutSeen = eventually(within: 30) { !machines.deskSeesHall }
          guard isCutSeen else { break }
          try desk.eventually("/route/hall/available", false)
          #expect(try desk.get("/session/music/silence") == ["noRoute"])
          #expect(try desk.get("/session/music/playing") == [true])
          #expect(try desk.get("/host/route") == ["speaker"])
          // The hall's server goes on without the desk.
          #expect(hears(0))
          #expect(try hall.get("/eider/jack") == ["running"])

          try machines.mend()
          try desk.eventually("/route/hall/available", true)
          #expect(try desk.get("/session/music/silence") == ["none"])
          #expect(hears(0.25))
        }

        guard isCutSeen else {
          // Its clients hang with it.
          for daemon in [deskDaemon, hallDaemon] { daemon.vanish() }
          for program in [player, card] { program.vanish() }
          speakers.close()
          return false
        }
        // One controller drives both.
        try desk.set(Message("/session/music/volume", 0.5))
        #expect(hears(0.25 * 0.125))
        try hall.set(Message("/host/panic"))
        #expect(hears(0))

        #expect(deskDaemon.isRunning && hallDaemon.isRunning)
        for daemon in [deskDaemon, hallDaemon] {
          daemon.terminate()
          #expect(try daemon.exitCode() == 0)
        }
        player.quit()
        card.quit()
        speakers.close()
        return true
      }
    }
  }
}
