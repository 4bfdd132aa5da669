import AddressSpace
import Foundation
import JACKProbe
import Testing

extension Live {
  @Suite struct ServerLoss {
    /// A player, and a desk that stands for the hardware, on the server of the moment. It plays as long as it lives.
    private struct Programs {
      let player: ProbeClient
      let desk: ProbeClient

      init(on server: ProbeServer) throws {
        desk = try ProbeClient("desk", on: server, inputs: ["left", "right"])
        player = try ProbeClient("player", on: server, outputs: ["music_1", "music_2", "by_hand"])
        player.start(play: [[0.25], [0.25]], repeats: true)
      }

      func close() {
        player.close()
        desk.close()
      }

      /// Whether what is played comes out.
      func isHeard() -> Bool {
        eventually(within: 90) {
          let recorder = desk.start(record: 256)
          defer { desk.stop(recorder) }
          let take = try? recorder.recording(within: 2)
          return take?.channels.allSatisfy { $0.allSatisfy { $0 == 0.25 } } ?? false
        }
      }
    }

    private static let text = preset([("music", 2, "category: \"ambient\""), ("hand", 1, "")])

    /// How often the server dies: a few times, or as often as a soak wants, which prints figures and has limits of time.
    private static let soak = ProcessInfo.processInfo.environment["EIDER_SOAK_ROUNDS"].flatMap { Int($0) }

    @Test func `the server dies and comes back, again and again, and everything is as it was`() async throws {
      try await withoutOtherServers {
        let options = ProbeServer.Options(isSynchronous: false)
        var server = try ProbeServer.start(options)
        var programs = try Programs(on: server)
        let daemon = try EiderProcess(
          ["run", "--jack-server", server.name, "--port", "0"], preset: Self.text)
        let port = try daemon.readyPort()
        let remote = try Remote(port: port)
        let subscriber = try Remote(port: port)
        try subscriber.set(Message("/subscribe", "/eider/jack", .int(10)))
        try programs.player.connect("player:by_hand", "eider:hand_in_1")
        try remote.set(Message("/session/music/playing", true), Message("/session/music/title", "Quartet"))
        #expect(programs.isHeard())
        var footprints: [Footprint] = []
        var files: [Int] = []
        var silences: [Double] = []
        for round in 1...(Self.soak ?? 4) {
          _ = try subscriber.takeNews()
          server.kill()
          try remote.eventually("/eider/jack", "lost")
          // Its state can be read and set meanwhile.
          #expect(try remote.get("/session/music/title") == ["Quartet"])
          try remote.set(Message("/session/hand/priority", .int(Int32(round % 100))))
          programs.close()
          server = try ProbeServer.start(options)
          programs = try Programs(on: server)
          let ready = Date()
          try #require(programs.isHeard(), "round \(round): \(daemon.complaints)")
          silences.append(Date().timeIntervalSince(ready))
          try remote.eventually("/eider/jack", "running")
          #expect(eventually { programs.desk.connections(of: "eider:speaker_out_2") == ["desk:right"] })
          #expect(eventually { programs.desk.connections(of: "player:music_1") == ["eider:music_in_1"] })
          // What a person had connected is connected again.
          #expect(eventually { programs.desk.connections(of: "player:by_hand") == ["eider:hand_in_1"] })
          #expect(try remote.get("/session/hand/priority") == [.int(Int32(round % 100))])
          #expect(try remote.get("/session/music/playing") == [true])
          // Who listens has been told, and goes on listening.
          try subscriber.set(Message("/renew"))
          let told = try subscriber.takeNews(within: 0.1).filter { $0.address == "/eider/jack" }.map(\.arguments)
          #expect(told.first == ["lost"] && told.last == ["running"], "round \(round): \(told)")
          footprints.append(try Footprint(of: daemon.id))
          files.append(try Footprint.sharedFiles(of: server.name))
        }
        try expectNoGrowth(footprints, files)
        if let rounds = Self.soak { report(rounds, silences, footprints, files) }
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
        programs.close()
        server.stop()
      }
    }

    /// KiB a round. PipeWire's libjack itself keeps some 230 KiB of each client that is closed, also of those that look for
    /// the server.
    private static let noise = ServerKind.current == .jackd ? 32 : 1024

    /// After the first rounds, which warm all up, nothing may grow with the rounds.
    private func expectNoGrowth(_ footprints: [Footprint], _ files: [Int]) throws {
      let first = try #require(footprints.dropFirst().first)
      let last = try #require(footprints.last)
      #expect(last.descriptors <= first.descriptors, "\(first.files) became \(last.files)")
      #expect(last.threads <= first.threads + 1, "\(first) became \(last)")
      // A few pages a round are noise of the allocator; the mixer alone is some MiB.
      #expect(last.memory < first.memory + 2048 + Self.noise * footprints.count, "\(first) became \(last)")
      #expect(last.segments <= first.segments, "\(first) became \(last)")
      #expect(files.last == files.first, "semaphores and sockets: \(files)")
    }

    private func report(_ rounds: Int, _ silences: [Double], _ footprints: [Footprint], _ files: [Int]) {
      let sorted = silences.sorted()
      func text(_ seconds: Double) -> String { String(format: "%.2f s", seconds) }
      print(
        """
        server-loss: the JACK server was killed \(rounds) times; process never restarted
          sound back after \(text(sorted[sorted.count / 2])) (half of the rounds), at most \(text(sorted.last ?? 0))
          after round 2: \(footprints.dropFirst().first?.description ?? "–")
          after round \(rounds): \(footprints.last?.description ?? "–")
          semaphores and sockets of the server in shared memory: \(files.first ?? 0) at first, \(files.last ?? 0) at last
        """)
      #expect(sorted.last.map { $0 < 3 } ?? false, "sound came back after \(silences)")
    }

    /// A server that waits for all programs, but not for half a minute: where the daemon comes back while programs come and
    /// go, libjack may forget to wake one of them until the daemon has noticed it.
    private static func impatient(rate: Int = 48_000) -> ProbeServer.Options {
      var options = ProbeServer.Options(rate: rate, period: 1024)
      if ServerKind.current == .jackd { options.arguments = ["-t", "300"] }
      return options
    }

    /// Eider finds a server with all programs running: what is wired within its fade must not begin in the middle of it.
    @Test func `after the return of the server sound fades in, from the first sample on`() async throws {
      try await withoutOtherServers {
        // A server that has forgotten to wake a program has left out a cycle of it: what is heard then is no fade.
        for _ in 0..<4 {
          guard let take = try fadesAfterReturn() else { continue }
          for samples in take.channels {
            let changes = GainHistory(samples, level: 0.25).changes
            #expect(changes.map(\.to) == [1, 0])
            #expect(changes.map(\.length) == [44_100 / 4, 44_100 / 50])
            for change in changes { expectStraight(change) }
          }
          return
        }
        Issue.record("the server leaves out cycles again and again")
      }
    }

    /// What is heard after the return of the server at another rate, and when music is muted then; nil if the server has
    /// left out something.
    private func fadesAfterReturn() throws -> ProbeRecording? {
      let first = try ProbeServer.start(Self.impatient())
      var programs = try Programs(on: first)
      let daemon = try EiderProcess(["run", "--jack-server", first.name, "--port", "0"], preset: Self.text)
      let remote = try Remote(port: try daemon.readyPort())
      try remote.set(Message("/session/music/playing", true))
      #expect(programs.isHeard())
      first.kill()
      try remote.eventually("/eider/jack", "lost")
      let (lost, xruns) = (try remote.get("/eider/lostFrames"), try remote.get("/eider/xruns"))
      programs.close()
      // Where fades have another number of frames.
      let second = try ProbeServer.start(Self.impatient(rate: 44_100))
      programs = try Programs(on: second)
      let recorder = programs.desk.start(record: 30 * 44_100)
      try remote.eventually("/eider/jack", "running")
      #expect(try remote.get("/eider/rate") == [.int(44_100)])
      #expect(try remote.get("/eider/period") == [.int(1024)])
      #expect(programs.isHeard())
      // A change in the new time has its length in the new frames, too.
      try remote.set(Message("/session/music/mute", true))
      let end = programs.desk.heard + 8192
      #expect(eventually { programs.desk.heard > end })
      let take = recorder.soFar
      var isWhole = try take.gaps.isEmpty && remote.get("/eider/lostFrames") == lost
      // PipeWire waits for nobody.
      if ServerKind.current == .pipeWire {
        isWhole =
          try isWhole && remote.get("/eider/xruns") == xruns && programs.player.misses + programs.desk.misses == 0
      }
      daemon.terminate()
      #expect(try daemon.exitCode() == 0)
      programs.close()
      second.stop()
      return isWhole ? take : nil
    }

    @Test func `who takes a wire away before the daemon has heard that it was back has the last word`() async throws {
      try await withoutOtherServers {
        let options = ProbeServer.Options(isSynchronous: false)
        let first = try ProbeServer.start(options)
        var person = try ProbeClient("person", on: first, outputs: ["out"])
        let daemon = try EiderProcess(["run", "--jack-server", first.name, "--port", "0"], preset: Self.text)
        let remote = try Remote(port: try daemon.readyPort())
        try person.connect("person:out", "eider:hand_in_1")
        // It hears of things in their order, so that it knows the one once it has done what follows from the other.
        let early = try ProbeClient("player", on: first, outputs: ["music_1"])
        #expect(eventually { early.connections(of: "player:music_1").count == 2 })
        first.kill()
        try remote.eventually("/eider/jack", "lost")
        for program in [person, early] { program.close() }
        let second = try ProbeServer.start(options)
        person = try ProbeClient("person", on: second)
        try remote.eventually("/eider/jack", "running")
        // The daemon is held up, and reads all of this at once.
        let held = try StoppedThread(controlOf: daemon.id)
        try person.addPort("out", isInput: false)
        try person.connect("person:out", "eider:hand_in_1")
        try person.disconnect("person:out", "eider:hand_in_1")
        // A server waits until each client has heard of another: all before has come to the daemon, too.
        let player = try ProbeClient("player", on: second, outputs: ["music_1"])
        // PipeWire waits for nobody, but nobody takes a second to hear.
        let later = player.heard + (ServerKind.current == .pipeWire ? second.rate : 0)
        #expect(eventually { player.heard >= later })
        held.release()
        #expect(eventually { player.connections(of: "player:music_1").count == 2 })
        let nothing: [String] = []
        #expect(person.connections(of: "person:out") == nothing)
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
        for program in [person, player] { program.close() }
        second.stop()
      }
    }

    @Test(.disabled(if: ServerKind.current == .pipeWire, "PipeWire is started by systemd, and by no program"))
    func `a server of its own that dies is started again, and ended with it`() async throws {
      try await withoutOtherServers {
        let name = ProbeName.own
        let daemon = try EiderProcess(
          ["run", "--jack-server", name, "--start-server", "auto", "--port", "0"], preset: Self.text)
        let remote = try Remote(port: try daemon.readyPort())
        try remote.set(Message("/session/music/playing", true))
        var servers: [Int32] = []
        for _ in 0..<2 {
          let server = try #require(daemon.children.first)
          servers.append(server)
          kill(server, SIGKILL)
          #expect(eventually { daemon.children.first.map { $0 != server } ?? false })
          try remote.eventually("/eider/jack", "running")
          #expect(try remote.get("/session/music/playing") == [true])
          let client = try ProbeClient("player", server: name, outputs: ["music_1"])
          #expect(eventually { client.connections(of: "player:music_1").count == 2 })
          client.close()
        }
        servers += daemon.children
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
        #expect(servers.count == 3)
        #expect(eventually { servers.allSatisfy { kill($0, 0) != 0 } })
      }
    }
  }
}
