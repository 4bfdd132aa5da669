import Foundation
import FoundationXML
import Scripts
import Testing

@testable import OfflineRenderer

/// Gathers the texts of an SVG drawing, and the classes of its shapes.
private final class Reading: NSObject, XMLParserDelegate {
  var texts: [String] = []
  var shapes: [String: Int] = [:]
  var width: Double?
  private var text = ""

  init(_ svg: String) {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    isWellFormed = parser.parse()
  }

  private(set) var isWellFormed = false

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    text = ""
    if name == "svg" { width = attributes["width"].flatMap { Double($0) } }
    if name != "text", let shape = attributes["class"] { shapes[shape, default: 0] += 1 }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    if name == "text" { texts.append(text) }
  }
}

@Suite struct PlotTests {
  @Test func `the drawing shows who sounds, who is turned down, why and when`() throws {
    let studio = try Studio()
    studio.preset.title = "A <house> & \"more\""
    studio.session("music") { session in
      session.activation = .connected
      session.title = "Music"
    }
    studio.session("guide") { $0.options = .duckOthers }
    studio.session("chat", .playAndRecord) { $0.options = .mixWithOthers }
    let file = try studio.write("music.wav", frames: 96_000, { noise($0) })
    let report = try studio.render(
      """
      0.5 /session/guide/playing true
      1 /session/chat/playing true
      1.2 /session/guide/mute true
      """, inputs: ["music": file]
    ) { $0.isPlotted = true }
    let drawing = Reading(try #require(report.plot))
    #expect(drawing.isWellFormed)
    #expect(drawing.width == 1200)
    for text in [
      "A <house> & \"more\"", "Music", "guide", "route speaker", "audible", "muted", "microphone open",
      "time in seconds", "0 dBFS", "−60", "−12 dB", "/session/guide/playing true", "test.osc, 2 s at 48000 Hz",
    ] {
      #expect(drawing.texts.contains(text), "\(text)")
    }
    // Two sessions are turned down; three lines are marked.
    #expect(drawing.shapes["duckArea"] == 2)
    #expect(drawing.shapes["flag"] == 3)
    #expect(drawing.shapes["lane"] == 4)
  }

  @Test func `the courses are those of the sound`() throws {
    let studio = try Studio()
    studio.session("music") { $0.activation = .connected }
    studio.session("guide") { $0.options = .duckOthers }
    let file = try studio.write("music.wav", frames: 48_000, { _ in 0.5 })
    let script = try Script(name: "test.osc", text: "0.5 /session/guide/playing true")
    var request = RenderRequest(preset: studio.preset, script: script)
    request.inputs = [.init(name: "music", path: file)]
    request.isPlotted = true
    let rendering = try Rendering(request, version: "test")
    _ = try rendering.run()
    let record = try #require(rendering.record)
    #expect(record.step == 96 && record.columns == 500)
    let music = try #require(record.sessions.first { $0.name == "music" })
    #expect(music.played.allSatisfy { $0 == 0.5 })
    #expect(music.heard[..<250].allSatisfy { abs($0 - -6.0206) < 1e-3 })
    #expect(music.heard[301...].allSatisfy { abs($0 - -20.0206) < 1e-3 })
    #expect(music.reduction[..<250].allSatisfy { $0 == 0 })
    #expect(music.reduction[250] < 0 && music.reduction[275] > -13.9)
    #expect(music.reduction[300...].allSatisfy { abs($0 + 14) < 1e-3 })
    let guide = try #require(record.sessions.first { $0.name == "guide" })
    #expect(guide.states.spans(until: 48_000).map(\.frames) == [0..<24_000, 24_000..<48_000])
    #expect(guide.states.spans(until: 48_000).map(\.value) == [.inactive, Optional.some(.none)])
    #expect(record.routes[0].peak[..<250].allSatisfy { $0 == 0.5 })
    #expect(record.routes[0].energy[..<250].allSatisfy { abs($0 - 96 * 0.25) < 1e-9 })
  }

  @Test func `a rendering of nothing is drawn too`() throws {
    let studio = try Studio()
    let report = try studio.render("") { $0.isPlotted = true }
    #expect(Reading(try #require(report.plot)).isWellFormed)
  }

  @Test func `a drawing of much sound is small`() throws {
    let studio = try Studio()
    var files: [String: String] = [:]
    for index in 1...4 {
      studio.session("s\(index)") { $0.activation = .connected }
      files["s\(index)"] = try studio.write(
        "s\(index).wav", frames: 96_000, { noise($0, seed: UInt64(index)) * noise($0 / 480) })
    }
    let report = try studio.render("1 /session/s1/volume 0.5", inputs: files) { $0.isPlotted = true }
    #expect(try #require(report.plot).utf8.count < 60_000)
  }
}
