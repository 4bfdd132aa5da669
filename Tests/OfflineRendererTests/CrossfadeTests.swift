import Foundation
import SessionPolicy
import Testing

@testable import OfflineRenderer
@testable import Presets

/// Scenes as they are heard.
@Suite struct CrossfadeTests {
  private static let rate = 48_000
  /// What a session plays: one level, so that the samples are the gain.
  private static let level: Float = 0.5

  /// Plays `music` and `talk`, a level each, under a preset with scenes.
  private func studio(_ scenes: String) throws -> (Studio, [String: String]) {
    let studio = try Studio()
    studio.preset = try Preset(
      SourceText(
        """
        {
          eider: 1,
          routes: [{ name: "speaker", kind: "speaker", limit: null }],
          sessions: [
            { name: "music", category: "playback", options: ["mixWithOthers"], volume: 1 },
            { name: "talk", category: "playback", options: ["mixWithOthers"], routes: ["speaker"] },
            { name: "film", category: "playback" },
          ],
          fades: { resume: 0 },
          scenes: [\(scenes)],
        }
        """, file: "test.json5"))
    let inputs = [
      "music": try studio.write("music.wav", frames: 3 * Self.rate, { _ in Self.level }),
      "talk": try studio.write("talk.wav", frames: 3 * Self.rate, { _ in 0 }),
    ]
    return (studio, inputs)
  }

  /// The fader position of the music at a frame.
  private func positions(_ studio: Studio) throws -> [Double] {
    try studio.read("speaker.wav")[0].map { cbrt(Double($0) / Double(Self.level)) }
  }

  private func expectLine(
    _ positions: [Double], _ frames: Range<Int>, from: Double, to: Double, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let worst = frames.map { frame in
      let part = Double(frame - frames.lowerBound) / Double(frames.count)
      return abs(positions[frame] - (from + (to - from) * part))
    }.max()
    #expect(worst ?? 1 < 1e-5, comment, sourceLocation: sourceLocation)
  }

  @Test func `a scene glides in one straight line, to the frame, whatever the period`() throws {
    let (studio, inputs) = try studio(
      """
      { name: "low", fade: 1, set: { "/session/music/volume": 0.25, "/host/volume": 1 } },
      """)
    var results: [Data] = []
    for period in [64, 1024, 8192] {
      let report = try studio.render(
        """
        0     /session/music/playing true
        0.5   /scene/recall low
        1     ? /session/music/volume 0.625
        1.25  ? /session/music/volume 0.4375
        1.5   ? /session/music/volume 0.25
        """, inputs: inputs, { $0.period = period })
      #expect(report.judge.failures.isEmpty && report.judge.passed == 3)
      results.append(try studio.data("speaker.wav"))
    }
    #expect(results[0] == results[1] && results[1] == results[2])
    let positions = try positions(studio)
    #expect(positions[1..<24_000].allSatisfy { $0 == 1 })
    expectLine(positions, 24_000..<72_000, from: 1, to: 0.25)
    #expect(positions[72_000...].allSatisfy { abs($0 - 0.25) < 1e-7 })
  }

  @Test func `what closes fades out in the scene's time and closes then, what opens fades in from its start`() throws {
    let (studio, inputs) = try studio(
      """
      { name: "off", fade: 0.5, set: { "/session/music/playing": false } },
      { name: "on", fade: 0.25, set: { "/session/music/playing": true } },
      """)
    let report = try studio.render(
      """
      0     /session/music/playing true
      1     /scene/recall off
      1.499 ? /session/music/playing true
      1.5   ? /session/music/playing false
      2     /scene/recall on
      2     ? /session/music/playing true
      """, inputs: inputs)
    #expect(report.judge.failures.isEmpty)
    let positions = try positions(studio)
    expectLine(positions, 48_000..<72_000, from: 1, to: 0)
    #expect(positions[72_000..<96_000].allSatisfy { $0 == 0 })
    expectLine(positions, 96_000..<108_000, from: 0, to: 1)
    #expect(positions[108_000...].allSatisfy { $0 == 1 })
  }

  @Test func `a recall during a recall goes on from the present gain, also to the same place`() throws {
    let (studio, inputs) = try studio(
      """
      { name: "low", fade: 1, set: { "/session/music/volume": 0, "/session/music/mute": false } },
      { name: "high", fade: 0.5, set: { "/session/music/volume": 1 } },
      """)
    try studio.render(
      """
      0     /session/music/playing true
      0.5   /scene/recall low
      1     /scene/recall high
      1.25  /scene/recall low
      1.75  /scene/recall low 0.1
      2.5   /scene/recall high 0
      """, inputs: inputs)
    let positions = try positions(studio)
    expectLine(positions, 24_000..<48_000, from: 1, to: 0.5)
    expectLine(positions, 48_000..<60_000, from: 0.5, to: 0.75)
    expectLine(positions, 60_000..<84_000, from: 0.75, to: 0.375)
    expectLine(positions, 84_000..<88_800, from: 0.375, to: 0)
    #expect(positions[88_800..<120_000].allSatisfy { $0 == 0 })
    expectLine(positions, 120_000..<121_440, from: 0, to: 1)
  }

  @Test func `whoever pauses, interrupts or panics does not wait for the scene`() throws {
    for (words, milliseconds) in [
      ("/session/music/playing false", 60.0), ("/session/film/playing true", 250), ("/host/panic", 4),
      ("/session/music/mute true", 20), ("/scene/recall off 0.1", 100), ("/scene/recall off 0", 60),
    ] {
      let (studio, inputs) = try studio(
        """
        { name: "off", fade: 2, set: { "/session/music/playing": false } },
        """)
      try studio.render(
        """
        0     /session/music/options none
        0     /session/music/playing true
        0.5   /scene/recall off
        1     \(words)
        """, inputs: inputs)
      let positions = try positions(studio)
      expectLine(positions, 24_000..<48_000, from: 1, to: 0.75)
      let end = 48_000 + Int(milliseconds * 48)
      expectLine(positions, 48_000..<end, from: 0.75, to: 0, "\(words)")
      #expect(positions[end...].allSatisfy { $0 == 0 }, "\(words)")
    }
  }

  @Test func `whoever sets a volume has it within its own fade`() throws {
    for words in ["/session/music/volume 0", "/host/volume 0", "/session/music/volume 0.5"] {
      let (studio, inputs) = try studio(
        """
        { name: "low", fade: 2, set: { "/session/music/volume": 0, "/host/volume": 0.5 } },
        """)
      try studio.render(
        """
        0     /session/music/playing true
        0.5   /scene/recall low 2 /session/music/volume
        1     \(words)
        """, inputs: inputs)
      let positions = try positions(studio)
      #expect(abs(positions[48_000] - 0.75) < 1e-5)
      if words.hasSuffix("volume 0") { #expect(positions[48_000 + 1440] == 0, "\(words)") }
      if words.hasSuffix("0.5") { expectLine(positions, 48_000..<49_440, from: 0.75, to: 0.5) }
    }
  }
}
