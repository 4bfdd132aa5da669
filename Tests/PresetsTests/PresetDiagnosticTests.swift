import AddressSpace
import Foundation
import Testing

@testable import Presets

@Suite struct PresetDiagnosticTests {
  @Test func `all the mistakes of a file are told at once, in the order of the file`() {
    let all = mistakes(
      """
      {
        eider: 1,
        ▸tilte: "Kiosk",
        routes: [
          { name: "speaker", kind: ▸"speakr", ports: ["system:playback_1", ▸"system:playback_1"] },
          { name: ▸"speaker", kind: "line", ▸volumes: 1, limit: ▸1 },
          ▸{ name: "third" },
          ▸"fourth",
        ],
        sessions: [
          { name: "music", volume: ▸1.5, volume▸: 0.5, channels: ▸3 },
          { name: ▸"host", duck: { depth: ▸3, ▸atack: 5 }, sources: [▸"mpv:(", "ok"], priority: ▸0.5 },
          { name: "a b"▸ category: "playback" },
        ],
        scenes: [{ name: "day", fade: ▸-1, set: { ▸"volume": 1, "/a": ▸null, "/b": [1, ▸[2]], "/c": ▸NaN } }],
        start: { scene: ▸"dya" },
        osc: { port: ▸99999, listen: [▸"localhost"], allow: [▸"10.0.0.0/33"] },
        resume: ▸"no",
      }
      """.replacing("volume▸: 0.5", with: "▸volume: 0.5").replacing("\"a b\"▸ c", with: "▸\"a b\" ▸c"))
    #expect(
      all.map(\.path) == [
        "tilte", "routes[0].kind", "routes[0].ports[1]", "routes[1].name", "routes[1].volumes", "routes[1].limit",
        "routes[2]", "routes[3]", "sessions[0].volume", "sessions[0].volume", "sessions[0].channels",
        "sessions[1].name", "sessions[1].duck.depth", "sessions[1].duck.atack", "sessions[1].sources[0]",
        "sessions[1].priority", "sessions[2].name", "sessions[2]", "scenes[0].fade", "scenes[0].set.volume",
        #"scenes[0].set["/a"]"#, #"scenes[0].set["/b"][1]"#, #"scenes[0].set["/c"]"#, "start.scene", "osc.port",
        "osc.listen[0]",
        "osc.allow[0]", "resume",
      ])
  }

  @Test func `a misspelt name gets the nearest one that exists`() {
    let all = mistakes(
      """
      { eider: 1, ▸sesions: 1, sessions: [
        { name: "music", category: ▸"playbak", ▸Volume: 1, routes: [▸"Speaker"], remote: [▸"pley"] },
        { name: "guide", category: "playback", options: [▸"duckothers"], mode: ▸"spoken" },
      ], scenes: [{ name: "night" }], start: { scene: ▸"nihgt" } }
      """)
    #expect(
      all.map(\.nearest) == [
        "sessions", "playback", "volume", "speaker", "play", "duckOthers", nil, "night",
      ])
    #expect(all.first?.message == "expected a key of a preset, found “sesions”; did you mean “sessions”?")
    #expect(
      all[6].message == "expected a mode: one of default, spokenAudio, found the text “spoken”")
  }

  @Test func `a misspelt key is not missing too`() {
    let all = mistakes(
      "{ eidre: 1, sessions: [{ ▸nam: 's' }, ▸{ title: 'x' }, ▸{}] }".replacing("eidre", with: "▸eidre"))
    #expect(all.map(\.nearest) == ["eider", "name", nil, nil])
    #expect(
      all.last?.message
        == "expected the key “name” in a session (a name of 1 to 32 of A-Z a-z 0-9 - _), found none")
  }

  @Test func `a name that is near nothing gets the list`() {
    let all = mistakes(#"{ eider: 1, start: { ▸colour: "red" } }"#)
    #expect(all.first?.message == "expected a key of the start (scene, set), found “colour”")
  }

  @Test(arguments: [
    #"{ category: "record", options: [▸"mixWithOthers"] }"#,
    #"{ options: [▸"duckOthers"] }"#,  // soloAmbient
    #"{ category: "auto", options: [▸"duckOthers"], mode: ▸"spokenAudio" }"#,
    #"{ category: "ambient", options: ["duckOthers", ▸"mixWithOthers"] }"#,
    #"{ category: "playback", options: [▸"overrideMutedMicrophoneInterruption"], mode: "spokenAudio" }"#,
    #"{ category: "playAndRecord", options: ["overrideMutedMicrophoneInterruption"], mode: ▸"spokenAudio" }"#,
    #"{ category: "ringtone", options: [▸"duckOthers"] }"#,
    #"{ category: ▸"bananas", options: ["duckOthers"], mode: "spokenAudio" }"#,
  ])
  func `category, options and mode must go together`(session: String) {
    _ = mistakes("{ eider: 1, sessions: [" + session.replacing("{ ", with: #"{ name: "s", "#) + "] }")
  }

  @Test(arguments: ["open", "mic", "none", "host", "session", "", "a b", "ä", "a/b", String(repeating: "x", count: 33)])
  func `a session may not have a name that the policy refuses`(name: String) {
    _ = mistakes("{ eider: 1, sessions: [{ name: ▸\"\(name)\" }] }")
  }

  @Test func `names up to the limit are taken`() throws {
    let name = String(repeating: "x", count: 31) + "-"
    #expect(try read("{ eider: 1, sessions: [{ name: '\(name)' }, { name: 'mic_1' }] }").sessions.count == 2)
  }

  @Test func `names are unique in their list, not across lists`() {
    _ = mistakes(
      """
      { eider: 1, routes: [{ name: "a", kind: "line" }, { name: "b", kind: "line" }, { name: ▸"a", kind: "line" }],
        inputs: [{ name: "a" }, { name: ▸"a" }], sessions: [{ name: "a" }, { name: ▸"a" }, { name: ▸"a" }],
        scenes: [{ name: "a" }, { name: ▸"a" }] }
      """)
  }

  @Test func `more than 64 routes or inputs are refused at the 65th`() {
    func list(_ count: Int, _ rest: String) -> String {
      let elements = (0..<count).map { ($0 == 64 ? "▸" : "") + "{ name: 'n\($0)'\(rest) }" }
      return elements.joined(separator: ", ")
    }
    let all = mistakes("{ eider: 1, routes: [\(list(66, ", kind: 'line'"))], inputs: [\(list(65, ""))] }")
    #expect(all.map(\.message) == ["expected at most 64 routes, found 66", "expected at most 64 inputs, found 65"])
    _ = mistakes("{ eider: 1, routes: [\(list(64, ", kind: 'line'"))] }")
  }

  @Test func `a preset of a newer format is refused kindly, for that alone`() {
    let all = mistakes(#"{ eider: ▸2, zones: [1], routes: "elsewhere", start: { scene: "x" } }"#)
    #expect(
      all.first?.message
        == "expected 1, the format that this Eider reads, found 2, the format of a newer one: it takes that to read it")
  }

  @Test(arguments: ["▸{}", "{ eider: ▸0 }", "{ eider: ▸'1' }", "▸[]", "▸1", "{ eider: ▸1.5 }"])
  func `a preset says that it is one`(text: String) {
    _ = mistakes(text)
  }

  @Test func `numbers must lie in their range, the borders included`() {
    _ = mistakes("{ eider: 1, sessions: [{ name: 's', volume: 1, pan: -1, priority: 100, idleRelease: 86400 }] }")
    _ = mistakes(
      """
      { eider: 1, sessions: [{ name: 's', volume: ▸-0.1, pan: ▸1.01, priority: ▸101, idleRelease: ▸Infinity,
        linger: ▸NaN, activationThreshold: ▸1, channels: ▸0, duck: { attack: ▸0, release: ▸0, margin: ▸41 } }] }
      """)
  }

  @Test func `an expression that does not compile is told with its reason`() {
    let all = mistakes(
      "{ eider: 1, sessions: [{ name: 's', sources: [▸'mpv:(', ▸'*:out', ▸'a[b', ▸'', 'a2j:Midi Through (in)'] }] }")
    #expect(all.map(\.found).first == "“mpv:(”, which is none: expected ')'")
    #expect(all[1].found.contains("write “.*” for anything"))
  }

  @Test func `messages must be ones that the address space takes`() {
    let all = mistakes(
      """
      { eider: 1, routes: [{ name: "hall", kind: "line" }, { name: "hdmi", kind: "hdmi", available: "manual" }],
        sessions: [{ name: "music" }],
        scenes: [{ name: "a", set: {
          ▸"/session/musik/volume": 1, ▸"/session/music/volum": 1, ▸"/hots/silent": true, ▸"/nowhere/at/all": 1,
          "/session/music/volume": ▸"loud", "/session/music/pan": [0, ▸[1]], "/session/music/priority": ▸1000,
          "/session/music/mute": ▸[true, 1], "/session/music/category": ▸"playbak", "/host/route": ▸"hal",
          "/session/music/options": ["mixWithOthers", ▸"duckothers"], "/session/music/routes": ["hall", ▸"hal"],
          ▸"/session/music/state": "active", ▸"/route/hal/volume": 1, ▸"/route/hall/available": true,
          "/host/cover": ▸[], "/session/open": ▸["none", "playback"],
        } }],
        safe: [▸"/hots/volume", ▸"/", "/session/*/mute", "/{host,route}/*", "/session/later/volume"] }
      """, addresses: AddressTableChecker())
    #expect(
      all.map(\.nearest) == [
        "/session/music/volume", "/session/music/volume", "/host/silent", nil, nil, nil, nil, nil, "playback", "hall",
        "duckOthers", "hall", nil, "/route/hall/volume", nil, nil, nil, "/host/volume", nil,
      ])
    #expect(all.map(\.path).first == #"scenes[0].set["/session/musik/volume"]"#)
  }

  @Test func `what the address space takes is taken`() {
    _ = mistakes(
      """
      { eider: 1, routes: [{ name: "hdmi", kind: "hdmi", available: "manual" }], inputs: [{ name: "mic" }],
        sessions: [{ name: "music", category: "playback" }],
        start: { set: {
          "/session/open": ["later", "playback", "Later"], "/session/later/playing": true, "/session/*/mute": false,
          "/session/music/category": ["playback", "duckOthers"], "/session/music/options": "none",
          "/session/music/mode": "spokenAudio", "/session/music/routes": ["hdmi"], "/route/hdmi/available": false,
          "/host/volumeUp": [], "/host/panic": [], "/session/music/active": [false, "notifyOthers"],
          "/host/interruption": ["begin", "alarm"], "/session/music/duck/depth": -20, "/route/*/trim": -3,
        } } }
      """, addresses: AddressTableChecker())
  }

  @Test func `where a name could not be read, what refers to it is no further mistake`() {
    _ = mistakes(
      #"{ eider: 1, start: { set: { "/session/x/volume": 1 }, scene: ▸"s" }, sessions: [{ name: ▸x }] }"#,
      addresses: AddressTableChecker())
    _ = mistakes(
      #"{ eider: 1, routes: [{ name: ▸1, kind: "line" }], sessions: [{ name: "x", routes: ["y"] }] }"#,
      addresses: AddressTableChecker())
  }

  @Test func `a preset that is no JSON5 tells that beside its other mistakes`() {
    let all = mistakes("{ eider: 1\n  ▸title: 'x', ▸colour: 1, sessions: [{ name: 'a', volume: ▸2 }▸")
    #expect(all.map(\.path) == ["", "colour", "sessions[0].volume", "sessions"])
  }

  @Test func `mistakes are shown as a compiler shows them`() throws {
    let text = "{\n\teider: 1, volüme: 3,\n  sessions: [{ name: \"m\", volume: 80 }],\n}"
    let error = #expect(throws: PresetMistakes.self) { try read(text) }
    #expect(
      error?.description == """
        test.json5:2:12: error: volüme: expected a key of a preset ($schema, eider, title, routes, inputs, sessions, \
        fades, scenes, start, safe, osc, resume), found “volüme”
        \teider: 1, volüme: 3,
        \t          ^~~~~~
        test.json5:3:35: error: sessions[0].volume: expected a number from 0 to 1, found 80
          sessions: [{ name: "m", volume: 80 }],
                                          ^~
        test.json5: 2 errors

        """)
  }

  @Test func `of a long line only the part around the mistake is shown`() throws {
    let text =
      "{ eider: 1, title: '" + String(repeating: "x", count: 500) + "', wrong: 1, "
      + "inputs: [" + String(repeating: " ", count: 500) + "] }"
    let error = try #require(#expect(throws: PresetMistakes.self) { try read(text) })
    let lines = error.description.split(separator: "\n")
    #expect(lines[1].count == 162 && lines[1].hasPrefix("…") && lines[1].hasSuffix("…"))
    let caret = try #require(lines[2].firstIndex(of: "^"))
    let column = lines[2].distance(from: lines[2].startIndex, to: caret)
    #expect(lines[1].dropFirst(column).hasPrefix("wrong"))
  }

  @Test func `mistakes can be written as JSON for editors`() throws {
    let error = try #require(
      #expect(throws: PresetMistakes.self) { try read("{ eider: 1,\n sesions: [] }") })
    let json = try PresetDiagnostic.json(error.diagnostics)
    let decoded = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    let first = try #require(decoded?.first)
    #expect(first["file"] as? String == "test.json5" && first["path"] as? String == "sesions")
    #expect(first["line"] as? Int == 2 && first["column"] as? Int == 2)
    #expect(first["endLine"] as? Int == 2 && first["endColumn"] as? Int == 9)
    #expect(first["severity"] as? String == "error" && first["nearest"] as? String == "sessions")
    #expect(first["message"] as? String == error.diagnostics[0].message)
    #expect(first["expected"] as? String == "a key of a preset" && first["found"] as? String == "“sesions”")
  }
}
