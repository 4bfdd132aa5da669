import AddressSpace
import Foundation
import SessionPolicy
import Testing

@testable import Presets

@Suite struct PresetReadingTests {
  @Test func `a preset says what it says`() throws {
    let preset = try read(
      """
      {
        eider: 1,
        title: "Museum kiosk",
        routes: [
          { name: "speaker", kind: "speaker", ports: ["system:playback_1", "system:playback_2"] },
          { name: "headphones", kind: "headphones", ports: ["headset:playback_.*"] },  // regular expressions
        ],
        inputs: [ { name: "mic", ports: ["system:capture_1"] } ],
        sessions: [
          { name: "music", category: "playback", options: ["mixWithOthers"], controls: true, volume: 0.8,
            channels: 2, activation: "connected", sources: ["mpv:.*"] },
          { name: "guide", category: "playback", options: ["duckOthers"],
            duck: { style: "margin", margin: 12 }, activation: "signal", sources: ["guide:.*"] },
        ],
        fades: { pause: 60 },
        scenes: [
          { name: "day",   fade: 1.5, set: { "/session/music/volume": 0.8, "/host/silent": false } },
          { name: "night", fade: 4,   set: { "/session/music/volume": 0.3 } },
        ],
        start: { scene: "day", set: { "/host/volume": 0.7 } },
        safe: ["/host/volume"],
        osc: { listen: ["127.0.0.1"], port: 9770, allow: [], readOnly: [] },   // allow, readOnly: CIDR
      }
      """)

    var speaker = Preset.Route(name: "speaker", kind: .speaker)
    speaker.ports = try [PortExpression("system:playback_1"), PortExpression("system:playback_2")]
    var headphones = Preset.Route(name: "headphones", kind: .headphones)
    headphones.ports = try [PortExpression("headset:playback_.*")]
    var microphone = Preset.Input(name: "mic")
    microphone.ports = try [PortExpression("system:capture_1")]
    var music = Preset.Session(name: "music")
    music.category = .playback
    music.options = .mixWithOthers
    music.controls = true
    music.volume = 0.8
    music.activation = .connected
    music.sources = try [PortExpression("mpv:.*")]
    var guide = Preset.Session(name: "guide")
    guide.category = .playback
    guide.options = .duckOthers
    guide.duck.style = .margin
    guide.duck.margin = 12
    guide.activation = .signal
    guide.sources = try [PortExpression("guide:.*")]
    var day = Preset.Scene(name: "day")
    day.fade = 1.5
    day.set = [Message("/session/music/volume", 0.8), Message("/host/silent", false)]
    var night = Preset.Scene(name: "night")
    night.fade = 4
    night.set = [Message("/session/music/volume", 0.3)]
    var expected = Preset()
    expected.title = "Museum kiosk"
    expected.routes = [speaker, headphones]
    expected.inputs = [microphone]
    expected.sessions = [music, guide]
    expected.scenes = [day, night]
    expected.start.scene = "day"
    expected.start.set = [Message("/host/volume", 0.7)]
    expected.safe = ["/host/volume"]
    #expect(preset == expected)
  }

  @Test func `every key of every object is taken`() throws {
    let preset = try read(
      """
      { eider: 1, "$schema": "eider.schema.json", resume: true,
        routes: [{ name: "a", title: "A", kind: "usb", ports: ["x"], available: "manual", volume: 0.25, trim: -3,
          fixedVolume: true, pausesOnLoss: true, personal: true, limit: null, lookahead: 1.5 }],
        inputs: [{ name: "i", title: "I", ports: [], available: "manual", trim: 12 }],
        sessions: [{ name: "s", title: "S", channels: 1, sources: ["y", "z"], category: "playback",
          options: ["duckOthers", "interruptSpokenAudioAndMixWithOthers"], mode: "spokenAudio", controls: true,
          remote: ["next"], foreground: false, priority: -100, volume: 0, pan: -1, mute: true, solo: true,
          routes: ["a"], onRouteLoss: "continue", activation: "connected", activationThreshold: -30,
          activationHold: 100, linger: 200, idleRelease: 86400, micMute: true,
          duck: { trigger: "signal", style: "margin", depth: -20, attack: 1, hold: 0, release: 2, threshold: -60,
            margin: 3, maxDepth: -12 } }],
        fades: { volume: 1, mute: 2, pause: 3, resume: 4, interrupt: 5, route: 6, mic: 7 },
        scenes: [{ name: "night shift", title: "Night", fade: 2, set: {} }],
        start: { scene: "night shift" }, safe: ["/session/*/mute"],
        osc: { listen: ["0.0.0.0", "::1"], port: 9000, allow: ["10.0.0.0/8"], readOnly: ["fd00::/16", "10.1.1.1"] } }
      """)
    let route = try #require(preset.routes.first)
    #expect(route.title == "A" && route.kind == .usb && route.ports?.map(\.text) == ["x"])
    #expect(route.availability == .manual && route.volume == 0.25 && route.trim == -3 && route.hasFixedVolume)
    #expect(route.pausesOnLoss == true && route.isPersonal == true && route.limit == nil && route.lookahead == 1.5)
    let input = try #require(preset.inputs.first)
    #expect(input.title == "I" && input.ports == [] && input.availability == .manual && input.trim == 12)
    let session = try #require(preset.sessions.first)
    #expect(session.title == "S" && session.channels == 1 && session.sources.map(\.text) == ["y", "z"])
    #expect(session.options == [.duckOthers, .interruptSpokenAudioAndMixWithOthers] && session.mode == .spokenAudio)
    #expect(session.controls && session.remote == RemoteCommands(.next) && !session.foreground)
    #expect(session.priority == -100 && session.volume == 0 && session.pan == -1 && session.mute && session.solo)
    #expect(session.routes == ["a"] && session.onRouteLoss == .continue && session.activation == .connected)
    #expect(session.activationThreshold == -30 && session.activationHold == 100 && session.linger == 200)
    #expect(session.idleRelease == 86400 && session.micMute)
    var duck = DuckParameters()
    duck.trigger = .signal
    duck.style = .margin
    (duck.depth, duck.attack, duck.hold, duck.release) = (-20, 1, 0, 2)
    (duck.threshold, duck.margin, duck.maxDepth) = (-60, 3, -12)
    #expect(session.duck == duck)
    let fades = preset.fades
    #expect([fades.volume, fades.mute, fades.pause, fades.resume] == [1, 2, 3, 4])
    #expect([fades.interrupt, fades.route, fades.mic] == [5, 6, 7])
    #expect(preset.scenes.first?.title == "Night" && preset.start.scene == "night shift" && preset.resume)
    #expect(preset.safe == ["/session/*/mute"] && preset.osc.port == 9000)
    #expect(preset.osc.listen.map(\.description) == ["0.0.0.0", "::1"])
    #expect(preset.osc.allow.map(\.description) == ["10.0.0.0/8"])
    #expect(preset.osc.readOnly.map(\.description) == ["fd00::/16", "10.1.1.1/32"])
  }

  @Test func `without a key everything is as the policy has it`() throws {
    let preset = try read(#"{ eider: 1, sessions: [{ name: "s" }] }"#)
    #expect(preset.routes == [.physicalSpeaker])
    #expect(preset.routes[0].name == "speaker" && preset.routes[0].kind == .speaker && preset.routes[0].ports == nil)
    #expect(preset.inputs.isEmpty && preset.scenes.isEmpty && preset.safe.isEmpty && !preset.resume)
    let session = preset.sessions[0]
    #expect(session.category == .soloAmbient && session.options == [] && session.mode == .default)
    #expect(!session.controls && session.remote == nil && session.foreground && session.priority == 0)
    #expect(session.volume == 1 && session.pan == 0 && !session.mute && !session.solo && session.routes.isEmpty)
    #expect(session.onRouteLoss == nil && session.activation == .manual && session.idleRelease == 0)
    #expect(session.activationThreshold == -50 && session.activationHold == 2000 && session.linger == 2000)
    #expect(!session.micMute && session.channels == 2 && session.duck == DuckParameters())
    let fades = preset.fades
    #expect([fades.volume, fades.mute, fades.pause, fades.resume] == [30, 20, 60, 250])
    #expect([fades.interrupt, fades.route, fades.mic] == [250, 50, 20])
    #expect(preset.osc.listen == [.loopback] && preset.osc.port == 9770)
    #expect(preset.osc.allow.isEmpty && preset.osc.readOnly.isEmpty)
  }

  @Test func `routes are what the policy makes of their kind`() throws {
    let preset = try read(
      """
      { eider: 1, routes: [
        { name: "a", kind: "speaker" }, { name: "b", kind: "headphones" }, { name: "c", kind: "airplay" },
        { name: "d", kind: "line", personal: true, pausesOnLoss: true, limit: -3, title: "D" },
        { name: "e", kind: "headphones", personal: false, pausesOnLoss: false, volume: 1, fixedVolume: true },
        { name: "f", kind: "speaker", available: "manual" }, { name: "g", kind: "bluetooth", available: "manual" },
      ] }
      """)
    let routes = preset.routes.map { $0.outputRoute(portsExist: false) }
    #expect(routes.map(\.isPersonal) == [false, true, false, true, false, false, true])
    #expect(routes.map(\.pausesOnLoss) == [false, true, true, true, false, false, true])
    #expect(routes.map(\.volume) == [1, 0.5, 1, 0.5, 1, 1, 0.5])
    #expect(routes.map(\.isDetected) == [true, true, true, true, true, false, false])
    #expect(routes.map(\.isAvailable) == [false, false, false, false, false, true, false])
    #expect(preset.routes.prefix(5).allSatisfy { $0.outputRoute(portsExist: true).isAvailable })
    #expect(routes[3].title == "D" && routes[0].title == "a" && routes[3].limit == -3 && routes[4].hasFixedVolume)
  }

  @Test func `a script without preset runs on a speaker, three absent routes and a microphone`() {
    let preset = Preset.scriptDefault
    let routes = preset.routes.map { $0.outputRoute(portsExist: true) }
    #expect(routes.map(\.name) == ["speaker", "headphones", "bluetooth", "line"])
    #expect(routes.map(\.kind) == [.speaker, .headphones, .bluetooth, .line])
    #expect(routes.map(\.isAvailable) == [true, false, false, false])
    #expect(routes.allSatisfy { !$0.isDetected })
    let inputs = preset.inputs.map { $0.inputRoute(portsExist: false) }
    #expect(inputs.map(\.name) == ["mic"] && inputs[0].isAvailable && !inputs[0].isDetected)
    #expect(preset.sessions.isEmpty && preset.scenes.isEmpty)
  }

  @Test func `the messages of a scene keep their order and their types`() throws {
    let preset = try read(
      """
      { eider: 1, scenes: [{ name: "x", set: {
        "/z": 1, "/a": 1.0, "/y": -0x10, "/b": 3000000000, "/x": "day", "/c": true,
        "/w": ["playback", "mixWithOthers"], "/d": [], "/v": [1, 0.5, false, "x"], "/e": 1e3,
      } }] }
      """)
    #expect(
      preset.scenes[0].set == [
        Message("/z", .int(1)), Message("/a", .double(1)), Message("/y", .int(-16)),
        Message("/b", .long(3_000_000_000)),
        Message("/x", .string("day")), Message("/c", .bool(true)),
        Message("/w", .string("playback"), .string("mixWithOthers")), Message("/d"),
        Message("/v", .int(1), .double(0.5), .bool(false), .string("x")), Message("/e", .double(1000)),
      ])
  }

  @Test(arguments: ["class", "evacuation", "hotel", "kiosk", "shop", "studio"])
  func `a ready-made preset is read without a complaint`(name: String) throws {
    let preset = try Preset(contentsOf: readyMade(name).path)
    #expect(preset.title != nil && preset.sessions.count >= 3 && !preset.routes.isEmpty && preset.scenes.count >= 3)
    for session in preset.sessions { #expect(!session.sources.isEmpty && session.title != nil) }
  }

  @Test(arguments: ["", "  // nothing yet\n"])
  func `who begins with an empty file is told what a preset begins with`(text: String) throws {
    let mistakes = #expect(throws: PresetMistakes.self) {
      try Preset(SourceText(text, file: "my.json5"), addresses: AnyAddress())
    }
    #expect(mistakes?.diagnostics.map(\.expected) == ["a preset, which begins with { eider: 1, … }"])
  }

  @Test func `a file that cannot be read is named with its reason`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let missing = folder.appendingPathComponent("none.json5").path
    let error = #expect(throws: PresetFileError.self) { try Preset(contentsOf: missing, addresses: AnyAddress()) }
    #expect(error?.description == "\(missing): cannot be read: No such file or directory")
    let directory = #expect(throws: PresetFileError.self) {
      try Preset(contentsOf: folder.path, addresses: AnyAddress())
    }
    #expect(directory?.description == "\(folder.path): cannot be read: Is a directory")

    let broken = folder.appendingPathComponent("broken.json5")
    try Data("{ eider: 1,\n title: \"é".utf8 + [0xE9, 0x22, 0x7D]).write(to: broken)
    let mistakes = #expect(throws: PresetMistakes.self) {
      try Preset(contentsOf: broken.path, addresses: AnyAddress())
    }
    #expect(mistakes?.diagnostics.map(\.start) == [SourcePosition(line: 2, column: 11)])
    #expect(mistakes?.diagnostics.first?.expected == "UTF-8 text")
  }
}
