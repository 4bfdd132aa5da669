import Foundation
import Testing

@testable import OfflineRenderer

/// A house where much happens: signals that activate and duck, ramps that overlap, routes that go, sessions that come,
/// end and come again, a bundle, an idle release, a scene's glide.
private struct Bustle {
  let studio: Studio
  let inputs: [String: String]
  let frames = 52_345

  static let script = """
    0       /host/volume 0.9
    0.0101  /session/music/volume 0.7
    0.02003 /session/music/volume 0.4
    0.0214  /session/music/pan -0.3
    0.1     /session/open visitor playback
    0.1     /session/visitor/options mixWithOthers
    0.1001  /session/visitor/playing true
    0.15    /session/close visitor
    0.1502  /session/open visitor ambient
    0.1502  /session/visitor/playing true
    0.2     /session/visitor/activation signal
    {
    0.3     /session/music/mute true
    0.3     /route/hall/available false
    }
    0.30001 /session/music/mute false
    0.35    /route/hall/available true
    0.4     /session/close visitor
    0.45    /session/open later playback
    0.45    /session/later/options mixWithOthers
    0.45    /session/later/idleRelease 0.1
    0.45    /session/later/playing true
    0.5     /session/later/playing false
    0.61    /session/later/playing true
    0.7     /route/speaker/trim -3
    0.7     /session/guide/duck/depth -20
    0.9     /session/open visitor playback
    0.9     /session/visitor/options duckOthers
    0.9     /session/visitor/playing true
    0.95    /host/panic
    1       /session/music/playing true
    """

  init() throws {
    studio = try Studio()
    studio.preset.fades.resume = 25
    studio.preset.routes.append(.init(name: "hall", kind: .line))
    studio.preset.routes[1].availability = .manual
    studio.session("music") { session in
      session.activation = .connected
      session.routes = ["speaker", "hall"]
    }
    studio.session("guide") { session in
      session.options = .duckOthers
      session.activation = .signal
      session.activationHold = 60
      session.duck.trigger = .signal
      session.duck.hold = 20
      session.duck.attack = 13
      session.duck.release = 77
      session.channels = 1
    }
    let (frames, studio) = (self.frames, studio)
    inputs = [
      "music": try studio.write("music.wav", frames: frames, { noise($0) }, { noise($0, seed: 2) }),
      // It speaks and falls silent now and then, on no round frame.
      "guide": try studio.write("guide.wav", frames: frames, { $0 / 5003 % 2 == 1 ? noise($0, seed: 3) : 0 }),
      "visitor": try studio.write("visitor.wav", frames: frames, { $0 / 7001 % 2 == 0 ? noise($0, seed: 4) : 0 }),
      "later": try studio.write("later.wav", frames: frames, { noise($0, seed: 5) }),
    ]
  }

  /// Renders it, asking more in between, and returns the bytes of both routes' files, and the drawing.
  func render(
    period: Int, expecting: String = "", isPlotted: Bool = false
  ) throws -> (files: [Data], report: RenderReport) {
    var questions = expecting.split(separator: "\n").map(String.init)[...]
    var lines: [String] = []
    let sent = Self.script.split(separator: "\n").map(String.init)
    var isInBundle = false
    for (index, line) in sent.enumerated() {
      // A brace has the time of the line after it.
      if !isInBundle, let time = time(line) ?? time(sent[index + 1]) {
        while let next = questions.first, self.time(next) ?? 0 < time { lines.append(questions.removeFirst()) }
      }
      isInBundle = line == "{" || isInBundle && line != "}"
      lines.append(line)
    }
    let report = try studio.render((lines + questions).joined(separator: "\n"), inputs: inputs) { request in
      request.period = period
      request.isPlotted = isPlotted
      request.outputs.append(.init(name: "hall", path: studio.path("hall.wav")))
    }
    return (try [studio.data("speaker.wav"), studio.data("hall.wav")], report)
  }

  /// The time of a line; of a brace, none.
  private func time(_ line: String) -> Double? { line.split(separator: " ").first.flatMap { Double($0) } }
}

@Suite struct PeriodTests {
  @Test func `the result is the same for every period, bit by bit`() throws {
    let bustle = try Bustle()
    let reference = try bustle.render(period: 1024)
    #expect(reference.report.judge.refusals == [])
    let sound = try bustle.studio.read("speaker.wav")
    #expect(sound[0].count == bustle.frames)
    // It has to be something that could differ.
    #expect(Set(sound[0]).count > 30_000)
    for period in [1, 16, 17, 64, 100, 256, 1000, 4096, 8192] {
      let other = try bustle.render(period: period)
      #expect(other.files == reference.files, "period \(period)")
    }
  }

  @Test func `the result is the same on every run, and nothing of it is the time of day`() throws {
    let bustle = try Bustle()
    let first = try bustle.render(period: 256, isPlotted: true)
    let second = try bustle.render(period: 256, isPlotted: true)
    #expect(first.files == second.files)
    #expect(first.files.allSatisfy { $0.prefix(256).range(of: Data("PEAK".utf8)) == nil })
    #expect(first.report.plot == second.report.plot)
  }

  @Test func `who asks and who draws changes nothing`() throws {
    let bustle = try Bustle()
    let plain = try bustle.render(period: 512)
    let asked = try bustle.render(
      period: 512,
      expecting: (0..<400).map { "\(Double($0) * 0.00253) ? /*/*/peak 12345" }.joined(separator: "\n"))
    #expect(asked.report.judge.failures.count == 400)
    #expect(asked.files == plain.files)
    let drawn = try bustle.render(period: 512, isPlotted: true)
    #expect(drawn.files == plain.files)
  }

  @Test(arguments: [17, 1024])
  func `what is measured reads the same for every period`(period: Int) throws {
    let bustle = try Bustle()
    // Read in one period …
    let times = [0.05, 0.13, 0.31, 0.333, 0.52, 0.777]
    let addresses = ["/session/music/gain", "/session/music/peak", "/route/speaker/peak", "/session/guide/state"]
    let questions = times.flatMap { time in addresses.map { "\(time) ? \($0) 12345" } }.joined(separator: "\n")
    func answers(_ period: Int) throws -> [String] {
      try bustle.render(period: period, expecting: questions).report.judge.failures.map(\.got)
    }
    let reference = try answers(64)
    #expect(reference.count == 24)
    #expect(Set(reference).count > 12)
    #expect(try answers(period) == reference)
  }

  @Test func `many events of one frame take effect together`() throws {
    let studio = try Studio()
    let file = try studio.write("last.wav", frames: 4800, { _ in 0.5 })
    let opening = (0..<300).map { "0.01 /session/open s\($0) playback" }
    let mixing = (0..<300).map { "0.01 /session/s\($0)/options mixWithOthers" }
    let playing = (0..<300).map { "0.01 /session/s\($0)/playing true" }
    let last = [
      "0.01 /session/open last ambient", "0.01 /session/last/playing true", "0.01 ? /session/last/silence none",
    ]
    let report = try studio.render(
      (opening + mixing + playing + last).joined(separator: "\n"), inputs: ["last": file])
    #expect(report.judge.failures.map(\.description) == [] && report.judge.refusals == [])
    let sound = try studio.read("speaker.wav")[0]
    #expect(sound[..<480].allSatisfy { $0 == 0 } && sound[480...].allSatisfy { $0 == 0.5 })
  }
}
