import Foundation
import Testing

@testable import OfflineRenderer

@Suite struct MistakeTests {
  @Test func `a file that cannot be heard is named, with what is wrong with it`() throws {
    let studio = try Studio()
    studio.session("music")
    #expect(try studio.complaint(inputs: ["music": "/nowhere/a.wav"]) == "/nowhere/a.wav: there is no such file")
    #expect(try studio.complaint(inputs: ["music": "/tmp"]) == "/tmp: this is a directory")
    try Data("no sound at all".utf8).write(to: studio.folder.appendingPathComponent("text.wav"))
    let complaint = try studio.complaint(inputs: ["music": studio.path("text.wav")])
    #expect(complaint.hasPrefix("\(studio.path("text.wav")): this is no sound file that can be read: "))
  }

  @Test func `both rates are named where two differ`() throws {
    let studio = try Studio()
    studio.session("music")
    studio.session("guide")
    let music = try studio.write("music.wav", frames: 10, rate: 44_100, { _ in 0 })
    let guide = try studio.write("guide.wav", frames: 10, { _ in 0 })
    #expect(
      try studio.complaint(inputs: ["guide": guide, "music": music])
        == "\(music) has 44100 Hz, but \(guide) has 48000 Hz; convert one of them")
    #expect(
      try studio.complaint(inputs: ["guide": guide]) { $0.rate = 96_000 }
        == "\(guide) has 48000 Hz, but --rate says 96000 Hz; convert the file, or leave out --rate")
    #expect(try studio.complaint { $0.rate = 10 } == "a rate is 1000…768000 Hz, not 10")
  }

  @Test func `a file with more channels than a session has is refused`() throws {
    let studio = try Studio()
    studio.session("music")
    let file = try studio.write("surround.wav", frames: 10, { _ in 0 }, { _ in 0 }, { _ in 0 })
    #expect(
      try studio.complaint(inputs: ["music": file]) == "\(file) has 3 channels; a session or input hears 1 or 2")
  }

  @Test func `names that do not exist are answered with those that do`() throws {
    let studio = try Studio()
    studio.session("music")
    let file = try studio.write("a.wav", frames: 10, { _ in 0 })
    #expect(
      try studio.complaint("0 /session/open guest ambient", inputs: ["musik": file])
        == "--in musik: there is no such session in the preset or the script, and no such input; "
        + "there is music guest desk")
    #expect(
      try studio.complaint { $0.outputs[0] = .init(name: "speakers", path: studio.path("b.wav")) }
        == "--out speakers: there is no such route in the preset; there is speaker")
    #expect(
      try studio.complaint { $0.inputs = [.init(name: "music", path: file), .init(name: "music", path: file)] }
        == "--in music is given twice; a session or input hears one file")
  }

  @Test func `two routes never share a file`() throws {
    let studio = try Studio()
    studio.preset.routes.append(.init(name: "hall", kind: .line))
    let complaint = try studio.complaint { request in
      request.outputs.append(.init(name: "hall", path: studio.path("./speaker.wav")))
    }
    #expect(complaint.hasSuffix("speaker.wav is to hold two routes; a route has a file of its own"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: studio.folder.path) == [])
  }

  @Test func `what cannot be written is told before anything is rendered`() throws {
    let studio = try Studio()
    #expect(
      try studio.complaint { $0.outputs[0] = .init(name: "speaker", path: "/nowhere/a.wav") }
        == "/nowhere/a.wav: there is no directory /nowhere to write it to")
    #expect(
      try studio.complaint { $0.outputs[0] = .init(name: "speaker", path: studio.folder.path) }
        == "\(studio.folder.path): this is a directory; name a file")
  }

  @Test func `a rendering that fails leaves what was there before`() throws {
    let studio = try Studio()
    studio.session("music")
    _ = try studio.write("speaker.wav", frames: 100, { _ in 0.25 })
    let before = try studio.data("speaker.wav")
    // It says that it has more than it has, in a format that tells it when it ends.
    let file = try studio.write("music.wav", frames: 100_000, { noise($0) })
    let flac = studio.path("music.flac")
    let sox = Process()
    sox.executableURL = URL(fileURLWithPath: "/usr/bin/sox")
    sox.arguments = [file, flac]
    try sox.run()
    sox.waitUntilExit()
    let whole = try Data(contentsOf: URL(fileURLWithPath: flac))
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: flac))
    #expect(try studio.complaint(inputs: ["music": flac]).hasPrefix("\(flac): it is damaged: "))
    #expect(try studio.data("speaker.wav") == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: studio.folder.path)
    #expect(names.sorted() == ["music.flac", "music.wav", "speaker.wav"])
  }

  @Test func `a rendering may write over the file that it reads`() throws {
    let studio = try Studio()
    studio.session("music") { $0.activation = .connected }
    let file = try studio.write("speaker.wav", frames: 30_000, { noise($0) }, { noise($0, seed: 2) })
    let before = try studio.read("speaker.wav")
    try studio.render("", inputs: ["music": file])
    #expect(try studio.read("speaker.wav") == before)
  }

  @Test func `expectations that do not hold are told as a simulation tells them`() throws {
    let studio = try Studio()
    studio.session("music")
    let report = try studio.render(
      """
      0.1 /session/music/playing true
      0.1 ? /session/music/state inactive
      0.2 /session/nobody/playing true
      0.2 ! badAddress /session/music/playing true
      0.2 <! /session/music/interruption
      0.3 < /host/route speaker override
      0.3 ! noSuchSession /session/nobody/playing true
      """)
    #expect(report.judge.passed == 2)
    #expect(
      report.judge.failures.map(\.description) == [
        "test.osc:2: expected /session/music/state inactive, got active",
        "test.osc:4: expected /session/music/playing true to be refused with badAddress, got no error",
        "test.osc:6: expected notice /host/route speaker override, got none",
      ])
    #expect(report.judge.refusals.count == 1)
    let refusal = try #require(report.judge.refusals.first)
    #expect(refusal.hasPrefix("test.osc:3: refused: /session/nobody/playing noSuchSession: "))
  }
}
