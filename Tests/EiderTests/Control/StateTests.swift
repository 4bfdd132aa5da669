import AddressSpace
import Conductor
import Foundation
import JACKProbe
import Testing

extension Live {
  /// What is as it was when the daemon starts again.
  @Suite struct State {
    private static let preset = """
      {
        eider: 1,
        sessions: [{ name: "music", category: "playback" }, { name: "guide", category: "playback" }],
        scenes: [{ name: "day" }],
      }
      """

    /// A folder for one state file.
    private final class Folder {
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)")
      init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
      deinit { try? FileManager.default.removeItem(at: url) }
      var file: URL { url.appendingPathComponent("deep/state.json") }
      var memory: Memory? {
        (try? String(contentsOf: file, encoding: .utf8)).flatMap { try? Memory(text: $0) }
      }
    }

    private func start(
      _ server: ProbeServer, _ folder: Folder, name: String, _ preset: String = State.preset
    ) throws -> (EiderProcess, Remote) {
      let daemon = try EiderProcess(
        ["run", "--jack-server", server.name, "--jack-name", name, "--port", "0", "--state", folder.file.path],
        preset: preset)
      return (daemon, try Remote(port: try daemon.readyPort()))
    }

    @Test func `after an end in good order all is as it was, and a damaged file is set aside`() async throws {
      try await withProbeServer(ProbeServer.Options(isSynchronous: false)) { server in
        let folder = try Folder()
        let (first, remote) = try start(server, folder, name: "first")
        try remote.set(
          Message("/session/music/volume", 0.3), Message("/session/guide/mute", true), Message("/host/silent", true),
          Message("/scene/recall", "day"))
        first.terminate()
        #expect(try first.exitCode() == 0)
        #expect(folder.memory?.hasEnded == true)
        let (second, again) = try start(server, folder, name: "second")
        #expect(try again.get("/session/music/volume") == [.float(0.3)])
        #expect(try again.get("/session/guide/mute") == [true] && again.get("/host/silent") == [true])
        #expect(try again.get("/scene/current") == ["day"])
        second.terminate()
        #expect(try second.exitCode() == 0)

        try "{ \"eiderState\" : 1, \"scene\" :".write(to: folder.file, atomically: true, encoding: .utf8)
        let (third, fresh) = try start(server, folder, name: "third")
        #expect(try fresh.get("/session/music/volume") == [.float(1)])
        #expect(third.complaints.contains("cannot be used: it is damaged"))
        #expect(FileManager.default.fileExists(atPath: folder.file.path + ".damaged"))
        third.terminate()
        #expect(try third.exitCode() == 0)
      }
    }

    @Test func `after a crash what played plays again if the preset says so, and no microphone opens`() async throws {
      let text = """
        {
          eider: 1,
          resume: true,
          inputs: [{ name: "mic", ports: [], available: "manual" }],
          sessions: [
            { name: "music", category: "playback", options: ["mixWithOthers"] },
            { name: "chat", category: "playAndRecord", options: ["mixWithOthers"] },
          ],
        }
        """
      try await withProbeServer(ProbeServer.Options(isSynchronous: false)) { server in
        let folder = try Folder()
        let (first, remote) = try start(server, folder, name: "first", text)
        try remote.set(Message("/session/*/playing", true))
        #expect(try remote.get("/session/chat/mic") == [true])
        #expect(eventually { folder.memory?.playing == ["music"] })
        first.vanish()
        _ = try first.exitCode()
        let (second, again) = try start(server, folder, name: "second", text)
        #expect(try again.get("/session/music/playing") == [true])
        #expect(try again.get("/session/chat/state") == ["inactive"])
        second.terminate()
        #expect(try second.exitCode() == 0)
        let (third, quiet) = try start(server, folder, name: "third", text)
        #expect(try quiet.get("/session/music/playing") == [false])
        third.terminate()
        #expect(try third.exitCode() == 0)
      }
    }

    /// Kills the daemon at random moments while values change. What is found is always one whole event, and one that
    /// was in force not long before: within a second, on a machine that has time for it.
    @Test func `killed at any moment it leaves a whole state that was in force just before`() async throws {
      let environment = ProcessInfo.processInfo.environment
      let rounds = environment["EIDER_STATE_ROUNDS"].flatMap { Int($0) } ?? 10
      let oldest = environment["EIDER_STATE_ROUNDS"] == nil ? 10.0 : 1.0
      try await withProbeServer(ProbeServer.Options(isSynchronous: false)) { server in
        let folder = try Folder()
        var count: Int32 = 0
        var expected: Int32?
        var worst = 0.0
        var renewed = 0
        for round in 0..<rounds {
          let (daemon, remote) = try start(server, folder, name: "round\(round)")
          // It has begun with what was found in the file.
          if let expected { #expect(try remote.get("/session/music/volume") == [.float(Float(expected) / 100_000)]) }
          let first = count
          var ends: [Int32: Double] = [:]
          let begin = ProcessInfo.processInfo.systemUptime
          let life = Double.random(in: 0.5...1.7)
          while ProcessInfo.processInfo.systemUptime - begin < life {
            ends[count] = ProcessInfo.processInfo.systemUptime
            count += 1
            let value = Argument.float(Float(count) / 100_000)
            try remote.send(
              .bundle(
                .immediate,
                [
                  .message(Message("/session/music/volume", value)), .message(Message("/session/guide/volume", value)),
                ]))
            usleep(UInt32.random(in: 1000...20_000))
          }
          daemon.vanish()
          let killed = ProcessInfo.processInfo.systemUptime
          _ = try? daemon.exitCode()
          let memory = try #require(folder.memory, "the file is not whole")
          let volumes = memory.values.map(\.arguments)
          try #require(volumes.count == 2 && volumes[0] == volumes[1], "half an event: \(memory.values)")
          let found = Int32(((volumes[0].first?.number ?? 0) * 100_000).rounded())
          // The last one is in force still.
          let age = found == count ? 0 : killed - (ends[found] ?? begin)
          worst = max(worst, age)
          if found > first { renewed += 1 }
          #expect(age <= oldest, "in round \(round) the state was \(age) s old")
          #expect(memory.hasEnded == false)
          expected = found
        }
        // Busy as the machine may be: most lives are long enough for a new state.
        #expect(renewed * 2 > rounds)
        print("state: \(rounds) rounds, the oldest was in force \(worst) s before the end")
      }
    }
  }
}
