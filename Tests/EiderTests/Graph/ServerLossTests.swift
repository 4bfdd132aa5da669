import AddressSpace
import Foundation
import JACKProbe
import Testing

extension Live {
  @Suite struct ServerLoss {
    /// A player, and a desk that stands for the hardware, on the server of the moment.
    private struct Programs {
      let player: ProbeClient
      let desk: ProbeClient

      init(on server: ProbeServer) throws {
        desk = try ProbeClient("desk", on: server, inputs: ["left", "right"])
        player = try ProbeClient("player", on: server, outputs: ["music_1", "music_2", "by_hand"])
      }

      func close() {
        player.close()
        desk.close()
      }

      /// Whether what is played comes out.
      func isHeard() throws -> Bool {
        let sound = player.start(play: [Sound.level(0.25, 64), Sound.level(0.25, 64)], repeats: true)
        defer { player.stop(sound) }
        return eventually(within: 20) {
          let take = try? desk.start(record: 256, at: desk.frame + 2 * desk.period).recording()
          return take?.channels.allSatisfy { $0.allSatisfy { $0 == 0.25 } } ?? false
        }
      }
    }

    private static let text = preset([("music", 2, "category: \"ambient\""), ("hand", 1, "")])

    @Test func `the server dies and comes back, again and again, and everything is as it was`() async throws {
      try await withoutOtherServers {
        let options = ProbeServer.Options(isSynchronous: false)
        var server = try ProbeServer.start(options)
        var programs = try Programs(on: server)
        let daemon = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"], preset: Self.text)
        let remote = try Remote(port: try daemon.readyPort())
        try programs.player.connect("player:by_hand", "eider:hand_in_1")
        try remote.set(Message("/session/music/playing", true), Message("/session/music/title", "Quartet"))
        let files = try Self.descriptors(of: daemon)
        for round in 1...4 {
          #expect(try programs.isHeard(), "round \(round)")
          server.kill()
          try remote.eventually("/eider/jack", "lost")
          // Its state can be read and set meanwhile.
          #expect(try remote.get("/session/music/title") == ["Quartet"])
          try remote.set(Message("/session/hand/priority", .int(Int32(round))))
          programs.close()
          server = try ProbeServer.start(options)
          programs = try Programs(on: server)
          try remote.eventually("/eider/jack", "running")
          #expect(eventually(within: 20) { programs.desk.connections(of: "eider:speaker_out_2") == ["desk:right"] })
          #expect(eventually(within: 20) { programs.desk.connections(of: "player:music_1") == ["eider:music_in_1"] })
          // What a person had connected is connected again.
          #expect(eventually(within: 20) { programs.desk.connections(of: "player:by_hand") == ["eider:hand_in_1"] })
          #expect(try remote.get("/session/hand/priority") == [.int(Int32(round))])
          #expect(try remote.get("/session/music/playing") == [true])
        }
        #expect(try programs.isHeard())
        #expect(try Self.descriptors(of: daemon) <= files + 2)
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
        programs.close()
        server.stop()
      }
    }

    private static func descriptors(of daemon: EiderProcess) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.id)/fd").count
    }

    @Test func `a server that comes back at another rate is played at that rate`() async throws {
      try await withoutOtherServers {
        let first = try ProbeServer.start(ProbeServer.Options(isSynchronous: false))
        var programs = try Programs(on: first)
        let daemon = try EiderProcess(["run", "--jack-server", first.name, "--port", "0"], preset: Self.text)
        let remote = try Remote(port: try daemon.readyPort())
        try remote.set(Message("/session/music/playing", true))
        first.kill()
        try remote.eventually("/eider/jack", "lost")
        programs.close()
        let second = try ProbeServer.start(ProbeServer.Options(rate: 44_100, period: 1024, isSynchronous: false))
        programs = try Programs(on: second)
        try remote.eventually("/eider/jack", "running")
        #expect(try remote.get("/eider/rate") == [.int(44_100)])
        #expect(try remote.get("/eider/period") == [.int(1024)])
        #expect(try programs.isHeard())
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
        programs.close()
        second.stop()
      }
    }
  }
}
