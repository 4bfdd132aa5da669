import AddressSpace
import Foundation
import JACKProbe
import Testing

@testable import OfflineRenderer

extension Live {
  /// What `eider render` writes is what the daemon plays: the same preset, the same sound in, the same events on the same
  /// frames.
  ///
  /// A session that plays 1 on a route of its own is muted or let sound by each event too, without a fade: so the
  /// recording itself says on which frame the daemon had each event.
  @Suite struct RenderedAlike {
    private static let text = """
      {
        eider: 1,
        routes: [
          { name: "speaker", kind: "speaker", ports: ["desk:left", "desk:right"] },
          { name: "marks", kind: "line", ports: ["desk:marks"], limit: null },
        ],
        sessions: [
          { name: "music", category: "playback", options: ["mixWithOthers"], sources: ["player:music_.*"] },
          { name: "guide", category: "playback", options: ["duckOthers"], channels: 1, sources: ["player:guide_.*"],
            duck: { trigger: "signal", hold: 30, attack: 21, release: 170 } },
          { name: "marker", category: "playback", options: ["mixWithOthers"], channels: 1, routes: ["marks"],
            sources: ["player:marker_.*"] },
        ],
        fades: { mute: 0 },
      }
      """
    private static let sources = ["music_1", "music_2", "guide_1", "marker_1"]
    private static let hardware = ["left", "right", "marks"]

    /// What is done, one bundle after the other.
    private static let events: [[Message]] = [
      [Message("/session/music/volume", .double(0.3))],
      [Message("/session/music/pan", .double(-0.5)), Message("/session/music/volume", .double(0.9))],
      [Message("/session/guide/duck/depth", .double(-30))],
      [Message("/session/music/playing", false)],
      [Message("/session/music/playing", true)],
      [Message("/route/speaker/trim", .double(-2.5))],
      [Message("/host/volume", .double(0.6)), Message("/session/guide/volume", .double(0.7))],
    ]

    /// The same with what marks it.
    private static var bundles: [[Message]] {
      events.enumerated().map { index, messages in
        messages + [Message("/session/marker/mute", .bool(index % 2 == 0))]
      }
    }

    /// Everything as it was at the start.
    private static let rest: [Message] = [
      Message("/session/music/volume", 1), Message("/session/music/pan", 0), Message("/session/music/playing", true),
      Message("/session/guide/duck/depth", -14), Message("/session/guide/volume", 1), Message("/host/volume", 1),
      Message("/route/speaker/trim", 0), Message("/session/marker/mute", false),
    ]

    /// By port of the player: music, a guide that speaks now and then, and the marks.
    private static func sound(_ frames: Int) -> [[Float]] {
      let guide = Sound.noise(frames, peak: 0.3, seed: 3).enumerated().map { $0 / 9001 % 3 == 1 ? $1 : 0 }
      return [
        Sound.noise(frames, peak: 0.4, seed: 1), Sound.noise(frames, peak: 0.4, seed: 2), guide, Sound.level(1, frames),
      ]
    }

    /// On which frame of a recording each event was, if all of them were.
    private func marks(_ recording: ProbeRecording) -> [Int]? {
      let marks = recording.channels[2]
      let offsets = (1..<marks.count).filter { marks[$0] != marks[$0 - 1] }
      return marks[0] == 1 && offsets.count == Self.events.count ? offsets : nil
    }

    /// Renders the same events on the same frames by the program, and returns what comes to each port of the desk.
    private func rendered(_ sound: [[Float]], events offsets: [Int], rate: Int) throws -> [[Float]] {
      // All is faded in and at rest before.
      let lead = rate
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("alike-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
      func write(_ name: String, _ channels: [[Float]]) throws {
        let silence = Sound.silence(lead)
        let buffers = channels.map { samples in
          let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: lead + samples.count)
          _ = buffer.initialize(from: silence + samples)
          return buffer
        }
        defer { for buffer in buffers { buffer.deallocate() } }
        let frames = lead + channels[0].count
        let writer = try SoundFileWriter(path(name), rate: rate, channels: channels.count, frames: frames)
        try writer.write(buffers.map { UnsafeBufferPointer($0) }, frames: frames)
        try writer.finish()
      }
      try write("music.wav", Array(sound[0...1]))
      try write("guide.wav", [sound[2]])
      try write("marker.wav", [sound[3]])
      var script = "0 /session/music/playing true\n0 /session/guide/playing true\n0 /session/marker/playing true\n"
      for (offset, messages) in zip(offsets, Self.bundles) {
        let time = Double(lead + offset) / Double(rate)
        let lines = messages.map { message in
          "\(time) \(message.address) \(message.arguments.map(\.description).joined(separator: " "))"
        }
        script += "{\n\(lines.joined(separator: "\n"))\n}\n"
      }
      try script.write(toFile: path("script.osc"), atomically: false, encoding: .utf8)
      let program = try EiderProcess(
        [
          "render", "--script", path("script.osc"), "--in", "music=\(path("music.wav"))", "guide=\(path("guide.wav"))",
          "marker=\(path("marker.wav"))", "--out", "speaker=\(path("speaker.wav"))", "marks=\(path("marks.wav"))",
        ], preset: Self.text)
      #expect(try program.exitCode() == 0, "\(program.complaints)")
      func read(_ name: String) throws -> [[Float]] {
        let reader = try SoundFileReader(path(name))
        let samples = Array(try reader.read(reader.length))
        return (0..<reader.channels).map { channel in
          stride(from: lead * reader.channels + channel, to: samples.count, by: reader.channels).map { samples[$0] }
        }
      }
      return try read("speaker.wav") + read("marks.wav")
    }

    /// - Parameter isTimed: Whether the events had a time. What has none glides from the frame that was heard last, as if
    ///   it had been one frame earlier; only the marks, which do not glide, are not heard before their frame.
    private func compare(
      _ recording: ProbeRecording, _ sound: [[Float]], events: [Int], isTimed: Bool, rate: Int
    ) throws {
      var rendering = try rendered(sound, events: events.map { isTimed ? $0 : $0 - 1 }, rate: rate)
      try #require(rendering.count == 3)
      if !isTimed { rendering[2] = [1] + rendering[2].dropLast() }
      for (channel, (live, offline)) in zip(recording.channels, rendering).enumerated() {
        let first = zip(live, offline).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(
          first == nil && live.count == offline.count,
          "channel \(channel) differs from frame \(first?.offset ?? live.count) on; events on \(events)")
      }
      // It has to be something that could differ.
      #expect(Set(recording.channels[0]).count > recording.channels[0].count / 4)
    }

    @Test(
      .disabled(
        if: ServerKind.current == .pipeWire,
        "PipeWire freewheels without waiting for programs, and leaves out most of their cycles"),
      arguments: [64, 1000])
    func `a server that freewheels plays what is rendered, sample by sample`(period: Int) async throws {
      try await Rig.run(
        ProbeServer.Options(period: period), preset: Self.text, sources: Self.sources, hardware: Self.hardware
      ) { rig in
        try rig.play("music", "guide", "marker")
        let frames = 400_000
        let sound = Self.sound(frames)
        try rig.desk.setFreewheeling(true)
        defer { try? rig.desk.setFreewheeling(false) }
        // As fast as it can, it may be at the end before the last event has come.
        for _ in 0..<20 {
          for message in Self.rest { try rig.remote.set(message) }
          try rig.settle(milliseconds: 1500)
          let start = rig.desk.heard + rig.frames(1000)
          let player = rig.player.start(play: sound, at: start)
          defer { rig.player.stop(player) }
          let recorder = rig.desk.start(record: frames, at: start)
          defer { rig.desk.stop(recorder) }
          try rig.wait(until: start + 5000)
          for messages in Self.bundles {
            _ = try rig.remote.exchange([.bundle(.immediate, messages.map { .message($0) })])
          }
          let recording = try recorder.recording()
          guard recording.gaps.isEmpty, let events = marks(recording) else { continue }
          try compare(recording, sound, events: events, isTimed: false, rate: rig.rate)
          return
        }
        Issue.record("the events never came in time")
      }
    }

    @Test(arguments: Live.periods(64, 1024))
    func `timed bundles within a period play as they are rendered, sample by sample`(period: Int) async throws {
      try await Rig.run(
        ProbeServer.Options(period: period), preset: Self.text, sources: Self.sources, hardware: Self.hardware
      ) { rig in
        try rig.play("music", "guide", "marker")
        let frames = 60_000
        let sound = Self.sound(frames)
        let offsets = [3001, 3017, 9500, 12_345, 30_011, 30_500, 40_003]
        let recording = try rig.take(
          frames: frames, play: sound,
          prepare: {
            for message in Self.rest { try rig.remote.set(message) }
            try rig.settle(milliseconds: 1500)
          },
          { start in try rig.send(zip(offsets, Self.bundles).map { (start + $0, $1) }) })
        let events = try #require(marks(recording))
        try compare(recording, sound, events: events, isTimed: true, rate: rig.rate)
      }
    }
  }
}
