import Foundation
import Scripts
import Testing

@testable import OfflineRenderer

/// A program of a ready-made preset speaks over the music, and it is measured how far the music is turned down.
struct Passage: Sendable, CustomTestStringConvertible {
  let preset: String
  let music: String
  let speaker: String
  /// A route that both are heard on.
  let route: String
  /// The reduction that is to be heard, dB.
  let reduction: ClosedRange<Double>
  /// What is sent at the start.
  var script = ""

  var testDescription: String { "\(preset): \(speaker)" }

  /// Both play noise of the same loudness.
  static let all = [
    Passage(preset: "kiosk", music: "music", speaker: "guide", route: "speaker", reduction: -14.1 ... -13.9),
    Passage(preset: "shop", music: "music", speaker: "announcements", route: "floor", reduction: -16.1 ... -15.9),
    Passage(preset: "shop", music: "music", speaker: "page", route: "yard", reduction: -24.1 ... -23.9),
    Passage(preset: "shop", music: "music", speaker: "page", route: "floor", reduction: -0.1...0.1),
    Passage(preset: "shop", music: "music", speaker: "till", route: "floor", reduction: -0.1...0.1),
    Passage(preset: "hotel", music: "music", speaker: "bell", route: "lobby", reduction: -12.1 ... -11.9),
    Passage(preset: "hotel", music: "music", speaker: "page", route: "lobby", reduction: -18.1 ... -17.9),
    Passage(preset: "evacuation", music: "music", speaker: "tour", route: "hall", reduction: -14.1 ... -13.9),
    // By margin, as far as it takes: the music at full volume and a voice of the same loudness, 8 LU and 12 LU.
    Passage(
      preset: "class", music: "music", speaker: "instructor", route: "room", reduction: -9 ... -7,
      script: "0 /session/music/volume 1"),
    Passage(
      preset: "studio", music: "bed", speaker: "presenter", route: "air", reduction: -13 ... -11,
      script: "0 /session/bed/volume 1\n0 /session/bed/playing true\n0 /scene/recall onair 0"),
  ]
}

@Suite("The ready-made presets")
struct DuckTests {
  /// As low as loudness can be measured at, for what is heard does not depend on it.
  private static let rate = 16_000
  private static let seconds = 8

  @Test("What speaks is heard over the music, as far as the preset says", arguments: Passage.all)
  func turnsDown(_ passage: Passage) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("duck-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
    try write(path("music.wav"), seed: 1) { _ in true }
    try write(path("speaker.wav"), seed: 2) { $0 >= 3 * Self.rate }
    var request = RenderRequest(
      preset: try ReadyMadeScript.preset(passage.preset), script: try Script(name: "script", text: passage.script))
    request.inputs = [
      .init(name: passage.music, path: path("music.wav")), .init(name: passage.speaker, path: path("speaker.wav")),
    ]
    request.outputs = [.init(name: passage.route, path: path("out.wav"))]
    request.stems = path("stems")
    let report = try Rendering(request, version: "test").run()
    #expect(report.judge.refusals == [])
    let music = try levels("\(path("stems"))/\(passage.music)@\(passage.route).wav")
    let speaker = try levels("\(path("stems"))/\(passage.speaker)@\(passage.route).wav")
    #expect(music[2] > -50 && speaker[2] < -100)
    #expect(passage.reduction.contains(music[7] - music[2]), "\(music[7] - music[2]) dB")
    // A session without the route has no part there.
    #expect(speaker[7] > -50 || passage.speaker == "page" && passage.route == "floor")
  }

  /// A second channel of the same is all that a stereo session needs.
  private func write(_ path: String, seed: UInt64, _ isLoud: (Int) -> Bool) throws {
    let frames = Self.seconds * Self.rate
    var state = seed
    let samples = (0..<frames).map { frame -> Float in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return isLoud(frame) ? Float(Int32(truncatingIfNeeded: state >> 32)) / Float(1 << 33) : 0
    }
    let writer = try SoundFileWriter(path, rate: Self.rate, channels: 2, frames: frames)
    try samples.withUnsafeBufferPointer { try writer.write([$0, $0], frames: frames) }
    try writer.finish()
  }

  /// The RMS of each second in dBFS.
  private func levels(_ path: String) throws -> [Double] {
    guard FileManager.default.fileExists(atPath: path) else { return Array(repeating: -120, count: Self.seconds) }
    let reader = try SoundFileReader(path)
    let samples = Array(try reader.read(reader.length))
    let length = Self.rate * reader.channels
    return (0..<Self.seconds).map { second in
      let power = samples[(second * length)..<((second + 1) * length)].reduce(0.0) { $0 + Double($1) * Double($1) }
      return power > 0 ? 10 * log10(power / Double(length)) : -120
    }
  }
}
