import AddressSpace
import Foundation
import JACKProbe
import Scripts
import Testing

extension Live {
  @Suite struct ShippedPresets {
    private func start(_ name: String, _ server: ProbeServer) throws -> (daemon: EiderProcess, remote: Remote) {
      let daemon = try EiderProcess(
        ["run", "--jack-server", server.name, "--port", "0"], preset: try PackageFiles.text("presets/\(name).json5"))
      return (daemon, try Remote(port: try daemon.readyPort()))
    }

    private func expectWire(
      _ client: ProbeClient, _ port: String, _ destinations: String...,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(
        eventually { client.connections(of: port) == destinations }, "\(port): \(client.connections(of: port))",
        sourceLocation: sourceLocation)
    }

    @Test func `the kiosk is wired, plays what comes, and leaves to a person what a person takes away`() async throws {
      try await withProbeServer(ProbeServer.Options(isSynchronous: false)) { server in
        // The music is there before, the guide comes later.
        let music = try ProbeClient("music", on: server, outputs: ["out_1", "out_2"])
        let (daemon, remote) = try start("kiosk", server)
        expectWire(music, "eider:speaker_out_1", "system:playback_1")
        expectWire(music, "eider:speaker_out_2", "system:playback_2")
        expectWire(music, "system:capture_1", "eider:mic_in_1")
        expectWire(music, "music:out_1", "eider:music_in_1")
        expectWire(music, "music:out_2", "eider:music_in_2")
        try remote.eventually("/session/music/playing", true)
        #expect(try remote.get("/scene/current") == ["day"])
        #expect(try remote.get("/host/volume") == [.float(0.7)])

        let guide = try ProbeProcess("guide", server: server.name, outputs: ["voice"], level: 0.25)
        try remote.eventually("/session/guide/audible", true)
        expectWire(music, "guide:voice", "eider:guide_in_1", "eider:guide_in_2")
        #expect(try remote.get("/session/music/reduction") == [.float(-14)])
        #expect(try remote.get("/session/music/duckedBy") == ["guide"])
        guide.vanish()
        try remote.eventually("/session/music/reduction", .float(0))

        // A person pulls a wire: it stays out, whoever comes and goes.
        try music.disconnect("music:out_2", "eider:music_in_2")
        let second = try ProbeProcess("guide", server: server.name, outputs: ["voice"], level: 0.25)
        try remote.eventually("/session/guide/audible", true)
        second.quit()
        try remote.eventually("/session/guide/state", "inactive")
        expectWire(music, "music:out_2")
        expectWire(music, "music:out_1", "eider:music_in_1")
        // The program starts again, and is wired anew.
        music.close()
        let again = try ProbeClient("music", on: server, outputs: ["out_1", "out_2"])
        expectWire(again, "music:out_2", "eider:music_in_2")

        // The headset takes the sound over, and the music pauses when it is pulled out.
        let headset = try ProbeClient("headset", on: server, inputs: ["playback_1", "playback_2"])
        try remote.eventually("/host/route", "headphones")
        expectWire(again, "eider:headphones_out_2", "headset:playback_2")
        #expect(try remote.get("/session/music/playing") == [true])
        headset.close()
        try remote.eventually("/host/route", "speaker")
        #expect(try remote.get("/session/music/playing") == [false])

        // A visitor asks the staff: the microphone reaches the intercom.
        try remote.set(Message("/session/microphone/playing", true))
        #expect(try remote.get("/session/microphone/mic") == [true])
        #expect(eventually { again.ports.contains("eider:microphone_mic_1") })
        again.close()
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }

    @Test func `the studio is wired, and its monitors fall silent on air`() async throws {
      try await withProbeServer(ProbeServer.Options(playbackPorts: 4)) { server in
        let (daemon, remote) = try start("studio", server)
        let bed = try ProbeClient("bed", on: server, outputs: ["left", "right"])
        let jingles = try ProbeClient("jingles", on: server, outputs: ["out_1", "out_2"])
        let caller = try ProbeClient("baresip", on: server, outputs: ["output_1"])
        expectWire(bed, "bed:left", "eider:bed_in_1")
        expectWire(bed, "bed:right", "eider:bed_in_2")
        expectWire(bed, "system:capture_1", "eider:mics_in_1", "eider:presenter_in_1")
        expectWire(bed, "system:capture_2", "eider:cohost_in_1", "eider:mics_in_2")
        expectWire(bed, "jingles:out_2", "eider:jingles_in_2")
        expectWire(bed, "baresip:output_1", "eider:caller_in_1")
        for channel in 1...2 {
          expectWire(bed, "eider:air_out_\(channel)", "system:playback_\(channel)")
          expectWire(bed, "eider:monitors_out_\(channel)", "system:playback_\(channel + 2)")
        }
        #expect(try remote.get("/scene/current") == ["standby"])
        try remote.set(Message("/scene/recall", "onair"))
        #expect(try remote.get("/session/presenter/mic") == [true])
        try remote.eventually("/route/monitors/volume", .float(0))
        jingles.start(play: [[0.5], [0.5]], repeats: true)
        try remote.eventually("/session/jingles/audible", true)
        try remote.set(Message("/scene/recall", "standby"))
        try remote.eventually("/session/presenter/mic", false)
        for client in [bed, jingles, caller] { client.close() }
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }

    @Test func `the first preset of the README plays two programs, and one turns the other down`() async throws {
      let readme = try PackageFiles.text("README.md")
      let preset = try #require(readme.firstMatch(of: /```json5\n((?:.|\n)*?)```/)?.output.1)
      try await withProbeServer(ProbeServer.Options(isSynchronous: false)) { server in
        let music = try ProbeClient("mpv", on: server, outputs: ["out_0", "out_1"])
        let daemon = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"], preset: String(preset))
        let remote = try Remote(port: try daemon.readyPort())
        try remote.eventually("/session/music/audible", true)
        expectWire(music, "mpv:out_1", "eider:music_in_2")
        #expect(try remote.get("/session/voice/silence") == ["inactive"])
        let voice = try ProbeProcess("speech", server: server.name, outputs: ["out"], level: 0.25)
        try remote.eventually("/session/music/reduction", .float(-14))
        voice.quit()
        try remote.eventually("/session/music/reduction", .float(0))
        music.close()
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }

    @Test func `the scripts of the ready-made presets hold over the wire as they do in virtual time`() async throws {
      let scripts = try PackageFiles.readyMadeScripts()
      #expect(scripts.count >= 6)
      // Short cycles, for each line waits until it is in force.
      let options = ProbeServer.Options(period: Live.periods(64).first ?? 256, playbackPorts: 4)
      try await withProbeServer(options) { server in
        // The headset of the hotel's desk.
        let headset = try ProbeClient(
          "headset", on: server, outputs: ["capture_1"], inputs: ["playback_1", "playback_2"])
        for url in scripts {
          let name = url.deletingPathExtension().lastPathComponent
          var preset = try PackageFiles.text("presets/\(name).json5")
          // The kiosk's headset lies in its drawer.
          if name == "kiosk" { preset.replace("headset:", with: "drawer:") }
          let script = try Script(name: url.lastPathComponent, text: String(contentsOf: url, encoding: .utf8))
          let daemon = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"], preset: preset)
          let replay = try Replay.run(script, port: try daemon.readyPort())
          #expect(replay.passed > 5, "\(script.name)")
          for failure in replay.failures { Issue.record("\(failure)") }
          daemon.terminate()
          #expect(try daemon.exitCode() == 0)
        }
        headset.close()
      }
    }
  }
}
