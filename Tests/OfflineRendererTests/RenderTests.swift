import Foundation
import Testing

@testable import OfflineRenderer

@Suite struct RenderTests {
  @Test func `a session at full volume is written as it was read, bit by bit`() throws {
    let studio = try Studio()
    studio.session("music") { $0.activation = .connected }
    let file = try studio.write("music.wav", frames: 20_001, { noise($0) }, { noise($0, seed: 2) })
    let report = try studio.render("", inputs: ["music": file])
    #expect(report.frames == 20_001)
    #expect(report.rate == 48_000)
    #expect(try studio.read("speaker.wav") == studio.read("music.wav"))
  }

  @Test func `a mono file is heard on both sides, and in a mono session stereo folds down at -3 dB`() throws {
    let studio = try Studio()
    studio.session("music") { $0.activation = .connected }
    let mono = try studio.write("mono.wav", frames: 5000, { noise($0) })
    try studio.render("", inputs: ["music": mono])
    let one = try studio.read("mono.wav")[0]
    #expect(try studio.read("speaker.wav") == [one, one])

    studio.preset.sessions[0].channels = 1
    let stereo = try studio.write("stereo.wav", frames: 5000, { noise($0) }, { noise($0, seed: 2) })
    try studio.render("", inputs: ["music": stereo])
    let folded = (0..<5000).map { (noise($0) + noise($0, seed: 2)) * 0.70710678 }
    #expect(try studio.read("speaker.wav") == [folded, folded])
  }

  @Test func `a ducker turns the music down by 14 dB from the frame of its line on`() throws {
    let studio = try Studio()
    studio.session("music") { $0.activation = .connected }
    studio.session("guide") { $0.options = .duckOthers }
    let file = try studio.write("music.wav", frames: 48_000, { _ in 0.5 })
    // 0.12346 s is between two frames: 5926.08.
    let report = try studio.render(
      """
      0.12346 /session/guide/playing true
      0.12346 ? /session/music/reduction -14
      0.5 ? /session/music/gain -14
      """, inputs: ["music": file])
    #expect(report.judge.failures.map(\.description) == [])
    let sound = try studio.read("speaker.wav")[0]
    #expect(sound[...5926].allSatisfy { $0 == 0.5 })
    #expect(sound[5927] < 0.5)
    let ducked = Float(0.5 * pow(10, -14.0 / 20))
    #expect(sound[10_725] > ducked + 1e-6)
    #expect(sound[10_726...].allSatisfy { abs($0 - ducked) < 1e-6 })
  }

  @Test(arguments: [44_100, 48_000, 96_000])
  func `a fade begins and ends on its frames at every rate`(rate: Int) throws {
    let studio = try Studio()
    studio.session("music") { $0.activation = .connected }
    let file = try studio.write("music.wav", frames: rate, rate: rate, { _ in 0.5 })
    try studio.render("0.25003 /session/music/playing false", inputs: ["music": file])
    let sound = try studio.read("speaker.wav")[0]
    let (start, fade) = (Int((0.25003 * Double(rate)).rounded()), Int((0.06 * Double(rate)).rounded()))
    #expect(sound[...start].allSatisfy { $0 == 0.5 })
    #expect(sound[start + 1] < 0.5)
    #expect(sound[start + fade - 1] > 0)
    #expect(sound[(start + fade)...].allSatisfy { $0 == 0 })
  }

  @Test func `an idle session is released on its frame`() throws {
    let studio = try Studio()
    studio.preset.fades.interrupt = 0
    studio.session("music") { session in
      session.options = []
      session.activation = .connected
    }
    studio.session("visitor") { session in
      session.options = []
      session.idleRelease = 0.1001
    }
    let file = try studio.write("music.wav", frames: 48_000, { _ in 0.5 })
    let report = try studio.render(
      """
      0.1 /session/visitor/playing true
      0.2 /session/visitor/playing false
      0.3 ? /session/visitor/state active
      0.301 ? /session/visitor/state inactive
      0.301 < /session/music/interruption end 1
      """, inputs: ["music": file])
    #expect(report.judge.failures.map(\.description) == [])
    let sound = try studio.read("speaker.wav")[0]
    // 0.3001 s is frame 14404.8.
    #expect(sound[4800..<14_405].allSatisfy { $0 == 0 })
    #expect(sound[14_405...].allSatisfy { $0 == 0.5 })
  }

  @Test func `a rendering is as long as its longest input, and at least up to the last line`() throws {
    let studio = try Studio()
    studio.session("music") { $0.activation = .connected }
    let file = try studio.write("music.wav", frames: 4800, { _ in 0.5 })
    #expect(try studio.render("0.05 /host/volume 1", inputs: ["music": file]).frames == 4800)
    #expect(try studio.render("0.5 /host/volume 1", inputs: ["music": file]).frames == 24_000)
    let sound = try studio.read("speaker.wav")[0]
    #expect(sound[..<4800].allSatisfy { $0 == 0.5 } && sound[4800...].allSatisfy { $0 == 0 })
    #expect(try studio.render("1 /host/volume 1") { $0.rate = 44_100 }.frames == 44_100)
    #expect(try studio.render("").frames == 0)
  }

  @Test func `a session that the script opens plays its file from the beginning of time`() throws {
    let studio = try Studio()
    let file = try studio.write("music.wav", frames: 9600, { Float($0) / 10_000 })
    try studio.render(
      """
      0.1 /session/open music ambient
      0.1 /session/music/playing true
      """, inputs: ["music": file])
    let sound = try studio.read("speaker.wav")[0]
    #expect(sound[..<4800].allSatisfy { $0 == 0 })
    #expect(sound[4800...].enumerated().allSatisfy { $1 == Float($0 + 4800) / 10_000 })
  }

  @Test func `each route has a file of its own, and what nobody has asked for is named`() throws {
    let studio = try Studio()
    studio.preset.routes.append(.init(name: "hall", kind: .line))
    studio.session("music") { $0.activation = .connected }
    studio.session("bell") { session in
      session.activation = .connected
      session.routes = ["hall"]
    }
    let music = try studio.write("music.wav", frames: 4800, { _ in 0.5 })
    let bell = try studio.write("bell.wav", frames: 4800, { _ in 0.25 })
    let hall = RenderRequest.Binding(name: "hall", path: studio.path("hall.wav"))
    let report = try studio.render("", inputs: ["music": music, "bell": bell]) { $0.outputs.append(hall) }
    #expect(report.warnings == [])
    #expect(try studio.read("speaker.wav")[0].allSatisfy { $0 == 0.5 })
    #expect(try studio.read("hall.wav")[1].allSatisfy { $0 == 0.25 })

    let other = try studio.render("0 /host/route hall", inputs: ["music": music])
    #expect(other.warnings.count == 1)
    #expect(other.warnings.first?.hasPrefix("speaker was silent all the time; the sound was on hall") ?? false)
  }

  @Test func `a signal plays its session and ducks the others`() throws {
    let studio = try Studio()
    studio.session("music") { $0.activation = .connected }
    studio.session("guide") { session in
      session.options = .duckOthers
      session.activation = .signal
    }
    let music = try studio.write("music.wav", frames: 96_000, { _ in 0.5 })
    let guide = try studio.write("guide.wav", frames: 24_000, { $0 < 12_000 ? 0 : 0.25 })
    let report = try studio.render(
      """
      0.26 ? /session/guide/silence inactive
      0.272 ? /session/guide/silence none
      0.272 ? /session/music/duckedBy guide
      1.9 ? /session/music/duckedBy guide
      """, inputs: ["music": music, "guide": guide])
    #expect(report.judge.failures.map(\.description) == [])
    // Heard 20 ms after the signal has begun, at the next multiple of 64 frames.
    let sound = try studio.read("speaker.wav")[0]
    #expect(sound[..<12_992].allSatisfy { $0 == 0.5 })
    #expect(sound[12_992] > 0.7)
  }
}
