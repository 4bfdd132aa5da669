import AddressSpace
import JACKProbe
import Testing

extension Live {
  @Suite struct Labels {
    private static let text = """
      {
        eider: 1,
        title: "Museum",
        routes: [
          { name: "speaker", title: "Hall", kind: "speaker", ports: ["desk:left", "desk:right"] },
          { name: "cans", kind: "headphones", ports: ["headset:.*"] },
        ],
        inputs: [{ name: "mic", title: "Desk", ports: ["system:capture_1"] }],
        sessions: [
          { name: "music", title: "Streichquartett – Müller", category: "playback" },
          { name: "phone", category: "call" },
        ],
      }
      """

    /// Whether programs are told of what is taken away with its port. On PipeWire they may forget the port first.
    private let knowsWhatIsGone = ServerKind.current == .jackd

    private func label(_ viewer: ProbeClient, _ port: String) -> [String?] {
      ["pretty-name", "port-group", "icon-name"].map {
        viewer.property(port, key: "http://jackaudio.org/metadata/\($0)")
      }
    }

    @Test func `people see titles, groups, order and icons, and none of it stays behind`() async throws {
      try await withProbeServer { server in
        let viewer = try ProbeClient("viewer", on: server)
        // What somebody who crashed has left behind.
        let before = viewer.propertyCount
        let daemon = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"], preset: Self.text)
        let remote = try Remote(port: try daemon.readyPort())
        let title = "Streichquartett – Müller"
        for (port, expected) in [
          ("speaker_out_2", ["Hall 2", "Hall", "audio-speakers"]),
          ("cans_out_1", ["cans 1", "cans", "audio-headphones"]),
          ("mic_in_1", ["Desk 1", "Desk", "audio-input-microphone"]),
          ("music_in_1", ["\(title) 1", title, "audio-x-generic"]),
          ("phone_mic_2", ["phone microphone 2", "phone", "audio-input-microphone"]),
        ] {
          #expect(eventually { label(viewer, "eider:\(port)") == expected })
        }
        let client = "http://jackaudio.org/metadata/pretty-name"
        #expect(eventually { viewer.property(ofClient: "eider", key: client) == "Museum" })

        // In the order of the preset.
        let ports = viewer.ports.filter { $0.hasPrefix("eider:") }
        let orders = ports.map { viewer.property($0, key: "http://jackaudio.org/metadata/order").flatMap { Int($0) } }
        #expect(!orders.contains(nil) && Set(orders).count == ports.count)
        func order(_ port: String) -> Int { ports.firstIndex(of: port).flatMap { orders[$0] } ?? -1 }
        #expect(order("eider:speaker_out_1") < order("eider:speaker_out_2"))
        #expect(order("eider:music_in_1") < order("eider:music_in_2"))
        #expect(order("eider:music_in_2") < order("eider:phone_in_1"))

        // A title that changes changes them, a session that closes takes them along.
        try remote.set(Message("/session/music/title", "Radio"))
        #expect(eventually { label(viewer, "eider:music_in_2") == ["Radio 2", "Radio", "audio-x-generic"] })
        let open = viewer.propertyCount
        try remote.set(Message("/session/close", "music"))
        #expect(eventually { !knowsWhatIsGone || viewer.propertyCount == open - 8 })

        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
        #expect(
          eventually { !knowsWhatIsGone || viewer.propertyCount == before },
          "\(viewer.propertyCount) properties are left")
        viewer.close()
      }
    }

    @Test func `people see the titles again on the next server`() async throws {
      try await withoutOtherServers {
        let first = try ProbeServer.start()
        let daemon = try EiderProcess(["run", "--jack-server", first.name, "--port", "0"], preset: Self.text)
        let remote = try Remote(port: try daemon.readyPort())
        try remote.set(Message("/session/music/title", "Radio"))
        first.kill()
        try remote.eventually("/eider/jack", "lost")
        let second = try ProbeServer.start()
        let viewer = try ProbeClient("viewer", on: second)
        try remote.eventually("/eider/jack", "running")
        for (port, expected) in [
          ("speaker_out_2", ["Hall 2", "Hall", "audio-speakers"]),
          ("music_in_1", ["Radio 1", "Radio", "audio-x-generic"]),
        ] {
          #expect(eventually { label(viewer, "eider:\(port)") == expected })
        }
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
        viewer.close()
        second.stop()
      }
    }

    @Test(.disabled(if: ServerKind.current == .pipeWire, "PipeWire takes all metadata along when it ends"))
    func `the death of the server takes them away, too`() async throws {
      try await withoutOtherServers {
        let first = try ProbeServer.start()
        // It keeps the metadata open, which are shared by all servers of a user.
        let viewer = try ProbeClient("viewer", on: first)
        let before = viewer.propertyCount
        let daemon = try EiderProcess(["run", "--jack-server", first.name, "--port", "0"], preset: Self.text)
        let remote = try Remote(port: try daemon.readyPort())
        #expect(viewer.propertyCount > before)
        first.kill()
        try remote.eventually("/eider/jack", "lost")
        #expect(eventually { viewer.propertyCount == before }, "\(viewer.propertyCount) properties are left")
        viewer.close()
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }
  }
}
