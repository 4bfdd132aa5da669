import Foundation
import Testing

@testable import OfflineRenderer

@Suite struct StemTests {
  @Test func `the stems of a route make up the route, whatever happens`() throws {
    let studio = try Studio()
    studio.preset.routes.append(.init(name: "hall", kind: .line))
    studio.preset.routes[1].ports = [try .init("hall:1")]
    studio.session("music") { session in
      session.activation = .connected
      session.routes = ["speaker", "hall"]
      session.volume = 0.8
    }
    studio.session("guide") { session in
      session.options = .duckOthers
      session.activation = .signal
      session.activationHold = 60
      session.duck.trigger = .signal
      session.duck.hold = 20
      session.channels = 1
    }
    let frames = 50_001
    // Quiet enough for the limiter to have nothing to do.
    let inputs = [
      "music": try studio.write("m.wav", frames: frames, { noise($0) / 4 }, { noise($0, seed: 2) / 4 }),
      "guide": try studio.write("g.wav", frames: frames, { $0 / 5003 % 2 == 1 ? noise($0, seed: 3) / 4 : 0 }),
      "late": try studio.write("l.wav", frames: frames, { noise($0, seed: 4) / 4 }),
    ]
    let report = try studio.render(
      """
      0.2 /session/music/pan 0.4
      0.4 /session/open late ambient
      0.4 /session/late/playing true
      0.61 /session/close late
      0.63 /session/open late playback
      0.63 /session/late/options mixWithOthers
      0.63 /session/late/playing true
      0.7 /host/route hall
      """, inputs: inputs
    ) { request in
      request.stems = studio.path("parts")
      request.period = 100
      request.outputs.append(.init(name: "hall", path: studio.path("hall.wav")))
    }
    #expect(report.judge.refusals == [])
    let names = try FileManager.default.contentsOfDirectory(atPath: studio.path("parts")).sorted()
    #expect(
      names == [
        "guide@hall.wav", "guide@speaker.wav", "late@hall.wav", "late@speaker.wav", "music@hall.wav",
        "music@speaker.wav",
      ])
    for route in ["speaker", "hall"] {
      let whole = try studio.read("\(route).wav")
      let parts = try ["music", "guide", "late"].map { try studio.read("parts/\($0)@\(route).wav") }
      #expect(whole.count == (route == "hall" ? 1 : 2))
      for channel in whole.indices {
        #expect(parts.allSatisfy { $0.count == whole.count && $0[channel].count == frames })
        #expect(
          whole[channel].indices.allSatisfy { frame in
            abs(parts.reduce(0) { $0 + $1[channel][frame] } - whole[channel][frame]) < 1e-6
          })
      }
    }
    // Each has sounded on the speaker, and has been silent where it had to be.
    let late = try studio.read("parts/late@speaker.wav")[0]
    #expect(late[..<19_200].allSatisfy { $0 == 0 } && late[19_300...].contains { $0 != 0 })
    #expect(try studio.read("parts/guide@speaker.wav")[0][..<5003].allSatisfy { $0 == 0 })
    #expect(try studio.read("parts/late@hall.wav")[0].contains { $0 != 0 })
  }

  @Test func `the stem of the only session is the route, bit by bit, and stems change nothing`() throws {
    let studio = try Studio()
    studio.session("music") { $0.activation = .connected }
    let file = try studio.write("m.wav", frames: 30_000, { noise($0) }, { noise($0, seed: 2) })
    let script = "0.1 /session/music/volume 0.5\n0.3 /session/music/playing false"
    try studio.render(script, inputs: ["music": file])
    let plain = try studio.data("speaker.wav")
    try studio.render(script, inputs: ["music": file]) { $0.stems = studio.path("parts") }
    #expect(try studio.data("speaker.wav") == plain)
    #expect(try studio.data("parts/music@speaker.wav") == plain)
  }

  @Test func `what a session hears of the microphone is a stem of its own`() throws {
    let studio = try Studio()
    studio.preset.fades.mic = 10
    studio.session("chat", .playAndRecord) { $0.channels = 1 }
    studio.session("music")
    let file = try studio.write("desk.wav", frames: 24_000, { noise($0) })
    let report = try studio.render(
      """
      0.1 /session/chat/playing true
      0.1 ? /session/chat/mic true
      0.3 /session/chat/micMute true
      """, inputs: ["desk": file]
    ) { $0.stems = studio.path("parts") }
    #expect(report.judge.failures.map(\.description) == [])
    let heard = try studio.read("parts/chat@mic.wav")
    #expect(heard.count == 1 && heard[0].count == 24_000)
    #expect(heard[0][...4800].allSatisfy { $0 == 0 })
    #expect((5280...14_400).allSatisfy { heard[0][$0] == noise($0) })
    #expect(heard[0][14_880...].allSatisfy { $0 == 0 })
    let names = try FileManager.default.contentsOfDirectory(atPath: studio.path("parts")).sorted()
    #expect(names == ["chat@mic.wav", "chat@speaker.wav", "music@speaker.wav"])
  }

  @Test func `a folder that cannot be made is named`() throws {
    let studio = try Studio()
    #expect(
      try studio.complaint { $0.stems = "/dev/null/parts" }
        .hasPrefix("/dev/null/parts: this directory cannot be made: "))
    studio.preset.routes[0].name = "mic"
    #expect(
      try studio.complaint { request in
        request.stems = studio.path("parts")
        request.outputs = []
      } == "--stems: SESSION@mic.wav is the microphone of a session; give the route mic another name")
  }
}
