import AddressSpace
import JACKProbe
import Testing

extension Live {
  @Suite struct Connections {
    private static func text(_ sources: String...) -> String {
      """
      {
        eider: 1,
        routes: [{ name: "speaker", kind: "speaker", ports: ["desk:left", "desk:right"] }],
        sessions: [{ name: "music", category: "playback", channels: 1, sources: [\(sources.joined(separator: ", "))] }],
      }
      """
    }

    private func start(_ server: ProbeServer, _ text: String) throws -> (daemon: EiderProcess, remote: Remote) {
      let daemon = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"], preset: text)
      return (daemon, try Remote(port: try daemon.readyPort()))
    }

    private func end(_ daemon: EiderProcess, _ clients: ProbeClient...) throws {
      for client in clients { client.close() }
      daemon.terminate()
      #expect(try daemon.exitCode() == 0)
    }

    @Test func `a port is known by an alias or a pretty name that it gets later`() async throws {
      try await withProbeServer { server in
        let (daemon, _) = try start(server, Self.text("\"Sax.*\"", "\"Voice (left)\""))
        let player = try ProbeClient("player", on: server, outputs: ["a"])
        let singer = try ProbeClient("singer", on: server, outputs: ["b"])
        let nothing: [String] = []
        #expect(player.connections(of: "player:a") == nothing)
        // PipeWire keeps the alias to the program that has set it.
        if ServerKind.current == .jackd {
          try player.setAlias("player:a", "Saxophone")
          #expect(eventually { player.connections(of: "player:a") == ["eider:music_in_1"] })
        }
        // What is said of a port before a program knows it is lost to that program on PipeWire: said again until it is not.
        #expect(
          eventually {
            try? singer.setProperty(
              "singer:b", key: "http://jackaudio.org/metadata/pretty-name", value: "Voice (left)")
            return player.connections(of: "singer:b") == ["eider:music_in_1"]
          })
        try end(daemon, player, singer)
      }
    }

    /// Full names of 255 bytes, of which the server takes no more.
    private static let longName = String(repeating: "ü", count: 123) + "!!"

    @Test(arguments: [
      ("radio", "out: left (1)"), ("radio (2)", "out: 1"), ("USB: card", "playback"), ("USB: card", "side: 1"),
      ("Klavier ♫ 日本", "L/R [a.b] (c)"), ("radio", longName),
    ])
    func `a program is connected whatever it is called, and again when it has restarted`(
      client: String, port: String
    ) async throws {
      try await withProbeServer { server in
        let name = "\(client):\(port)"
        let (daemon, _) = try start(server, Self.text("\"\(name)\""))
        var program = try ProbeClient(client, on: server, outputs: [port])
        #expect(program.ports.contains(name))
        #expect(eventually { program.connections(of: name) == ["eider:music_in_1"] })
        // A person takes it away, while the server stands still: it stays so until the program restarts.
        program.stall(milliseconds: 100)
        try program.disconnect(name, "eider:music_in_1")
        try program.addPort("more", isInput: false)
        let nothing: [String] = []
        #expect(!eventually(within: 0.5) { program.connections(of: name) != nothing })
        program.close()
        program = try ProbeClient(client, on: server, outputs: [port])
        #expect(eventually { program.connections(of: name) == ["eider:music_in_1"] })
        try end(daemon, program)
      }
    }

    @Test func `two programs whose names differ only after a colon are two`() async throws {
      try await withProbeServer { server in
        let text = Self.text("\"USB: .*\"").replacing("channels: 1", with: "channels: 2")
        let (daemon, _) = try start(server, text)
        let first = try ProbeClient("USB: one", on: server, outputs: ["out"])
        let second = try ProbeClient("USB: two", on: server, outputs: ["out"])
        // Each of them is mono, and goes to both sides.
        for name in ["USB: one:out", "USB: two:out"] {
          #expect(eventually { first.connections(of: name) == ["eider:music_in_1", "eider:music_in_2"] })
        }
        try end(daemon, first, second)
      }
    }

    @Test func `what a person wires differently at a route stays so while its server lives`() async throws {
      try await withProbeServer { server in
        let desk = try ProbeClient("desk", on: server, inputs: ["left", "right", "extra"])
        let (daemon, remote) = try start(server, Self.text("\"player:.*\""))
        #expect(eventually { desk.connections(of: "eider:speaker_out_2") == ["desk:right"] })
        try desk.disconnect("eider:speaker_out_1", "desk:left")
        try desk.connect("eider:speaker_out_1", "desk:extra")
        let player = try ProbeClient("player", on: server, outputs: ["out"])
        #expect(eventually { player.connections(of: "player:out") == ["eider:music_in_1"] })
        try remote.set(Message("/session/open", "other", "ambient"), Message("/session/close", "other"))
        try desk.addPort("more", isInput: true)
        #expect(!eventually(within: 0.5) { desk.connections(of: "eider:speaker_out_1") != ["desk:extra"] })
        #expect(try remote.get("/route/speaker/available") == [true])
        try end(daemon, desk, player)
      }
    }

    @Test func `headphones that arrive while music plays are faded in from their first sample on`() async throws {
      let text = """
        {
          eider: 1,
          routes: [
            { name: "speaker", kind: "speaker", ports: ["desk:left", "desk:right"] },
            { name: "headphones", kind: "headphones", ports: ["Ear L", "Ear R"], volume: 1 },
          ],
          sessions: [{ name: "music", category: "playback", sources: ["player:music_.*"] }],
        }
        """
      try await Rig.run(ProbeServer.Options(period: 1024), preset: text, sources: ["music_1", "music_2"]) { rig in
        let sound = rig.player.start(play: [[0.5], [-0.5]], repeats: true)
        defer { rig.player.stop(sound) }
        let take = try rig.unbroken {
          try rig.remote.eventually("/host/route", "speaker")
          try rig.play("music")
          let headset = try ProbeClient("headset", on: rig.server, inputs: ["left", "right"])
          defer { headset.close() }
          let recorder = headset.start(record: rig.frames(20_000))
          _ = try recorder.begin()
          let misses = headset.misses
          let key = "http://jackaudio.org/metadata/pretty-name"
          try headset.setProperty("headset:left", key: key, value: "Ear L")
          try headset.setProperty("headset:right", key: key, value: "Ear R")
          try rig.remote.eventually("/host/route", "headphones")
          try rig.settle(milliseconds: 250)
          let take = recorder.soFar
          return headset.misses == misses && take.gaps.isEmpty ? take : nil
        }
        for (samples, level) in zip(take.channels, [Float(0.5), -0.5]) {
          let changes = GainHistory(samples, level: level).changes
          #expect(changes.map(\.from) == [0])
          #expect(changes.map(\.to) == [1])
          #expect(changes.map(\.length) == [rig.frames(50)])
          for change in changes { expectStraight(change) }
        }
      }
    }

    @Test(.disabled(if: ServerKind.current == .pipeWire, "PipeWire has no limit of ports"))
    func `when ports run out a session is refused, and nothing is lost`() async throws {
      try await withProbeServer(ProbeServer.Options(portMax: 64)) { server in
        let desk = try ProbeClient("desk", on: server, inputs: ["left", "right"])
        let player = try ProbeClient("player", on: server, outputs: ["out"])
        let (daemon, remote) = try start(server, Self.text("\"player:.*\""))
        try remote.set(Message("/session/music/playing", true))
        var names: [Argument] = ["music"]
        var refusal: Message?
        while refusal == nil, names.count < 64 {
          let name = Argument.string("s\(names.count)")
          let answers = try remote.exchange([.message(Message("/session/open", name, "ambient"))])
          refusal = answers.first { $0.address == "/error" }
          if refusal == nil { names.append(name) }
        }
        let error = try #require(refusal)
        #expect(error.arguments[1] == "tooMany")
        #expect(error.arguments[2].description.contains("--port-max"))
        #expect(try remote.get("/session/list") == names)
        #expect(try remote.get("/session/music/audible") == [true])
        #expect(player.connections(of: "player:out") == ["eider:music_in_1"])
        // Half a session leaves no port behind, and a place that is given back can be had.
        try remote.set(Message("/session/close", names[1]))
        let open = Message("/session/open", "again", "ambient")
        #expect(eventually { (try? remote.exchange([.message(open)]).isEmpty) ?? false })
        try end(daemon, desk, player)
      }
    }

    @Test(.disabled(if: ServerKind.current == .pipeWire, "PipeWire has no limit of ports"))
    func `what finds no port at the start gets it when one is free`() async throws {
      try await withProbeServer(ProbeServer.Options(portMax: 64)) { server in
        let desk = try ProbeClient("desk", on: server, inputs: ["left", "right"])
        let player = try ProbeClient("player", on: server, outputs: ["out"])
        let crowd = try ProbeClient("crowd", on: server)
        var count = 0
        while (try? crowd.addPort("p\(count)", isInput: true)) != nil { count += 1 }
        let (daemon, remote) = try start(server, Self.text("\"player:.*\""))
        #expect(eventually { daemon.complaints.contains("--port-max") })
        #expect(!player.ports.contains("eider:music_in_1"))
        crowd.close()
        #expect(eventually { player.connections(of: "player:out") == ["eider:music_in_1"] })
        #expect(eventually { player.connections(of: "eider:speaker_out_2") == ["desk:right"] })
        try remote.set(Message("/session/music/playing", true))
        player.start(play: [[0.5]], repeats: true)
        let isHeard = eventually {
          let take = try? desk.start(record: 256, at: desk.frame + 2 * desk.period).recording()
          return take?.channels.allSatisfy { $0.allSatisfy { $0 == 0.5 } } ?? false
        }
        #expect(isHeard)
        try end(daemon, desk, player)
      }
    }
  }
}
