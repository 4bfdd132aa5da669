import AddressSpace
import Foundation
import JACKProbe
import Testing

extension Live {
  /// What happens to JACK programs on PipeWire only.
  @Suite(.enabled(if: ServerKind.current == .pipeWire, "jackd has one device, and keeps its period"))
  struct OnPipeWire {
    private static let scenes = """
      scenes: [
        { name: "low", fade: 0.75, set: { "/session/music/volume": 0.5 } },
        { name: "full", fade: 0.75, set: { "/session/music/volume": 1 } },
      ],
      """

    /// Runs a program of PipeWire's, and returns what it prints.
    @discardableResult
    private func run(_ program: String, _ arguments: String..., on server: ProbeServer) throws -> Data {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["PIPEWIRE_REMOTE=\(server.name)", program] + arguments
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw ProbeError("\(program) \(arguments) failed") }
      return data
    }

    /// Music plays and glides while something is done about the server. Nothing of it must be heard but what the server
    /// leaves out, and what is set is in force afterwards.
    private func expectEvenGlides(_ disturbances: [(Rig) throws -> Void]) async throws {
      let text = preset([("music", 2, "")], Self.scenes)
      try await Rig.run(preset: text, sources: ["music_1", "music_2"]) { rig in
        try rig.play("music")
        let sound = rig.player.start(play: [[0.5], [-0.5]], repeats: true)
        defer { rig.player.stop(sound) }
        // So long that frames which begin anew are earlier ones.
        try rig.settle(milliseconds: 1500)
        for (index, disturb) in disturbances.enumerated() {
          let recorder = rig.desk.start(record: rig.frames(20_000))
          defer { rig.desk.stop(recorder) }
          _ = try recorder.begin()
          try rig.remote.set(Message("/scene/recall", index % 2 == 0 ? "low" : "full"))
          try rig.settle(milliseconds: 150)
          try disturb(rig)
          try rig.settle(milliseconds: 1200)
          let take = recorder.soFar
          for (samples, level) in zip(take.channels, [Float(0.5), -0.5]) {
            // What the recorder itself has no cycle for, since its own count of frames begins anew, does not count.
            let heard = samples.indices.filter { index in !take.gaps.contains { $0.contains(index) } }
            // PipeWire runs some cycles before it has all programs together again.
            let gains = heard.filter { samples[$0] != 0 }.map { Double(samples[$0] / level) }
            #expect(heard.count - gains.count < rig.rate / 2)
            let isInRange = gains.allSatisfy { $0 >= 0.125 - 1e-6 && $0 <= 1 }
            #expect(isInRange)
            let steps = zip(gains.dropFirst(), gains).map { index % 2 == 0 ? $1 - $0 : $0 - $1 }
            let isEven = steps.allSatisfy { $0 >= 0 }
            #expect(isEven)
            // A glide of 0.75 s moves by less than this in the third of a second that may be missing.
            #expect((steps.max() ?? 0) < 3.0 * 0.5 / 0.75 / 3)
            #expect(gains.last == (index % 2 == 0 ? 0.125 : 1))
          }
        }
        #expect(rig.daemon.isRunning)
      }
    }

    @Test func `another device comes to drive the sound, which counts frames otherwise: nothing is heard of it`()
      async throws
    {
      try await expectEvenGlides([
        { try $0.desk.connect("eider:speaker_out_1", "system:playback_1") },
        { try $0.desk.disconnect("eider:speaker_out_1", "system:playback_1") },
        { try $0.desk.connect("player:music_1", "system:playback_2") },
      ])
    }

    @Test func `a person sets the period for all of PipeWire: nothing is heard of it`() async throws {
      func set(_ period: Int) -> (Rig) throws -> Void {
        { rig in
          try run("pw-metadata", "-n", "settings", "0", "clock.force-quantum", "\(period)", on: rig.server)
          try rig.remote.eventually("/eider/period", .int(Int32(period)))
        }
      }
      try await expectEvenGlides([set(1024), set(512), set(2048)])
    }

    /// PipeWire leaves out most cycles of all programs then.
    @Test func `a program has the sound run as fast as it can, and no more: all is heard as before`() async throws {
      try await Rig.run(preset: preset([("music", 2, "")], Self.scenes), sources: ["music_1", "music_2"]) { rig in
        try rig.play("music")
        let noise = [Sound.noise(9600, peak: 0.5, seed: 1), Sound.noise(9600, peak: 0.5, seed: 2)]
        let sound = rig.player.start(play: noise, repeats: true)
        defer { rig.player.stop(sound) }
        for _ in 0..<2 {
          try rig.desk.setFreewheeling(true)
          try rig.remote.set(Message("/scene/recall", "low"))
          try rig.settle(milliseconds: 1500)
          try rig.desk.setFreewheeling(false)
          try rig.remote.set(Message("/scene/recall", "full", 0))
          try rig.settle(milliseconds: 250)
          // The desk's frames run ahead of the daemon's as long as PipeWire has not yet gone back to time.
          let isAsBefore = try eventually {
            let take = try rig.unbroken { try rig.desk.start(record: 9600).recording() }
            // The programs count their frames apart from now on.
            guard let phase = noise[0].firstIndex(of: take.channels[0][0]) else { return false }
            return take.channels == noise.map { Array($0[phase...] + $0[..<phase]) }
          }
          #expect(isAsBefore)
        }
      }
    }

    /// PipeWire says that it has ended where Eider lets go of a wire that somebody else has just taken away.
    @Test func `who takes wires away at once has the last word, and nobody else hears of it`() async throws {
      let text = preset([("music", 2, ""), ("guest", 1, "")]).replacing("player:guest", with: "guest:out")
      try await Rig.run(preset: text, sources: ["music_1", "music_2"]) { rig in
        try rig.play("music")
        let sound = rig.player.start(play: [[0.5], [-0.5]], repeats: true)
        defer { rig.player.stop(sound) }
        let guest = try ProbeClient("guest", on: rig.server)
        let nothing: [String] = []
        for _ in 0..<20 {
          try guest.addPort("out_1", isInput: false)
          let deadline = Date(timeIntervalSinceNow: 20)
          while guest.connections(of: "guest:out_1") == nothing, Date() < deadline {}
          try guest.disconnect("guest:out_1", "eider:guest_in_1")
          try rig.settle(milliseconds: 20)
          #expect(guest.connections(of: "guest:out_1") == nothing)
          try guest.removePort("out_1")
        }
        #expect(!rig.daemon.complaints.contains("has ended"))
        let take = try rig.unbroken { try rig.desk.start(record: 4800).recording() }
        #expect(take.channels[0].allSatisfy { $0 == 0.5 })
        guest.close()
      }
    }

    /// PipeWire's libjack tells the next piece of news in the midst of the answer to how long sound takes, and waited for
    /// itself then.
    @Test func `programs come and go while the route changes: the daemon goes on hearing of all`() async throws {
      let text = """
        {
          eider: 1,
          routes: [
            { name: "speaker", kind: "speaker", ports: ["system:playback_1", "system:playback_2"], lookahead: 20 },
            { name: "line", kind: "line", ports: ["guest:in_.*"] },
          ],
          sessions: [{ name: "music", category: "playback", sources: ["guest:out_.*"] }],
        }
        """
      try await withProbeServer { server in
        let daemon = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"], preset: text)
        let remote = try Remote(port: try daemon.readyPort())
        let guest = try ProbeClient("guest", on: server)
        for round in 0..<60 {
          for port in ["in_1", "in_2"] { try guest.addPort(port, isInput: true) }
          for port in ["out_1", "out_2", "out_3"] { try guest.addPort(port, isInput: false) }
          try remote.eventually("/route/line/available", true)
          try remote.set(Message("/host/route", round % 2 == 0 ? "line" : "speaker"))
          #expect(eventually { guest.connections(of: "guest:in_1") == ["eider:line_out_1"] }, "round \(round)")
          for port in ["out_3", "in_2", "out_1", "in_1", "out_2"] { try guest.removePort(port) }
          try remote.eventually("/route/line/available", false)
        }
        #expect(try remote.get("/host/route") == ["speaker"])
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
        guest.close()
      }
    }

    @Test func `a card vanishes: what played on it is paused, and not one sample reaches the speaker`() async throws {
      let text = """
        {
          eider: 1,
          routes: [
            { name: "speaker", kind: "speaker", ports: ["desk:left", "desk:right"] },
            { name: "headphones", kind: "headphones", ports: ["system:playback_.*"], volume: 1 },
          ],
          sessions: [{ name: "music", category: "playback", sources: ["player:music_.*"] }],
        }
        """
      try await Rig.run(preset: text, sources: ["music_1", "music_2"]) { rig in
        try rig.remote.eventually("/host/route", "headphones")
        try rig.play("music")
        try rig.recordEndlessSound { recorder in
          try rig.settle(milliseconds: 100)
          #expect(try rig.remote.get("/session/music/audible") == [true])
          try run("pw-cli", "destroy", "\(try sink(of: rig.server))", on: rig.server)
          try rig.remote.eventually("/host/route", "speaker")
          #expect(try rig.remote.get("/session/music/silence") == ["paused"])
          try rig.settle(milliseconds: 400)
          for samples in recorder.soFar.channels { #expect(samples.allSatisfy { $0 == 0 }) }
          try rig.play("music")
          #expect(try rig.remote.get("/session/music/audible") == [true])
          let isHeard = eventually {
            let take = try? rig.desk.start(record: 256).recording()
            return take?.channels[0].allSatisfy { $0 == 0.5 } ?? false
          }
          #expect(isHeard)
        }
      }
    }

    @Test func `the control thread runs just below the audio thread, whatever priority PipeWire tells of`() async throws
    {
      try await Rig.run(preset: preset([("music", 2, "")]), sources: ["music_1"]) { rig in
        var priorities: [Int32: Int] = [:]
        let isJustBelow = eventually {
          priorities = self.priorities(of: rig.daemon.id)
          let audio = priorities.values.max() ?? 0
          return audio > 0 && priorities[rig.daemon.id] == audio - 1
        }
        // Who may not have any realtime priority here has none in either thread.
        #expect(isJustBelow || priorities.values.allSatisfy { $0 == 0 }, "\(priorities)")
      }
    }

    /// The realtime priorities of the threads of a process.
    private func priorities(of process: Int32) -> [Int32: Int] {
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
      let pairs = threads.compactMap { Int32($0) }.map { thread in
        let stat = (try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/stat", encoding: .utf8)) ?? ""
        // The 40th word of all, of which the first two end with the bracket.
        let words = stat.split(separator: ")").last?.split(separator: " ") ?? []
        return (thread, words.count > 37 ? Int(words[37]) ?? 0 : 0)
      }
      return Dictionary(pairs, uniquingKeysWith: { $1 })
    }

    /// The number of the sink that stands for a card.
    private func sink(of server: ProbeServer) throws -> Int {
      let objects = try JSONSerialization.jsonObject(with: run("pw-dump", on: server)) as? [[String: Any]] ?? []
      let sinks = objects.filter { object in
        let properties = (object["info"] as? [String: Any])?["props"] as? [String: Any]
        return properties?["node.name"] as? String == "system" && properties?["media.class"] as? String == "Audio/Sink"
      }
      guard let number = sinks.first?["id"] as? Int else { throw ProbeError("PipeWire has no sink") }
      return number
    }
  }
}
