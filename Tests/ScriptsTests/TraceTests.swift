import AddressSpace
import Foundation
import Presets
import Scripts
import Testing

private func trace(_ text: String) throws -> [String] {
  var lines: [String] = []
  let script = try Script(name: "test.osc", text: text)
  _ = Simulation.run(script, on: ControlState(preset: .scriptDefault)) { lines.append($0.line) }
  return lines
}

/// One member of each object of a trace.
private func members(_ key: String, _ lines: [String]) throws -> [String] {
  try lines.map { line in
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let value = try #require(object?[key])
    return String(
      decoding: try JSONSerialization.data(
        withJSONObject: value, options: [.fragmentsAllowed, .withoutEscapingSlashes, .sortedKeys]), as: UTF8.self)
  }
}

@Suite("The trace of a script")
struct TraceTests {
  @Test("An event is one line of JSON with sorted keys, the whole state in it")
  func line() throws {
    let lines = try trace(
      """
      0   /session/open radio playback
      0   /session/radio/playing true
      0   /session/open maps playback
      0   /session/maps/options mixWithOthers duckOthers
      0.5 /session/maps/playing true
      """)
    #expect(lines.count == 5)
    let expected = [
      #"{"errors": [], "event": "/session/maps/playing true", "#,
      #""host": {"cover": "open", "locked": false, "nowPlaying": "", "ringer": 1, "route": "speaker", "#,
      #""silent": false, "volume": 1}, "notices": [], "#,
      #""sessions": {"maps": {"audible": true, "category": "playback", "causes": [], "duckedBy": [], "#,
      #""effectiveCategory": "playback", "mic": false, "micMute": false, "mode": "default", "mute": false, "#,
      #""options": ["duckOthers", "mixWithOthers"], "playing": true, "reduction": 0, "resume": false, "#,
      #""silence": "none", "state": "active", "volume": 1}, "#,
      #""radio": {"audible": true, "category": "playback", "causes": [], "duckedBy": ["maps"], "#,
      #""effectiveCategory": "playback", "mic": false, "micMute": false, "mode": "default", "mute": false, "#,
      #""options": [], "playing": true, "reduction": -14, "resume": false, "silence": "none", "#,
      #""state": "active", "volume": 1}}, "time": 0.5}"#,
    ]
    #expect(lines.last == expected.joined())
  }

  @Test("Errors stand with the address that was refused, notices with their arguments, in their order")
  func errorsAndNotices() throws {
    let lines = try trace(
      """
      0 /session/open film playback
      0 /session/open rain ambient
      0 /session/*/options mixWithOthers
      0 /session/film/playing true
      0 ! badArguments /session/film/mute maybe
      1 /host/interruption begin fire
      2 /host/interruption end fire resumable
      """)
    #expect(
      try members("errors", lines) == [
        "[]", "[]", #"[["/session/rain/options","incompatibleCategory"]]"#, "[]",
        #"[["/session/film/mute","badArguments"]]"#, "[]", "[]",
      ])
    #expect(
      try members("notices", lines) == [
        #"[["/session/opened","film"]]"#, #"[["/session/opened","rain"]]"#, "[]", "[]", "[]",
        #"[["/session/film/interruption","begin","host:fire"]]"#, #"[["/session/film/interruption","end",1]]"#,
      ])
  }

  @Test("The event is the message as it stands in the script; a bundle is one, joined; what only reads is one, too")
  func events() throws {
    let lines = try trace(
      """
      0   /session/open  film playback "Der dritte Mann"   # opens
      {
      1   /session/film/playing true
      1 ! badAddress /banana
      }
      2 ? /session/film/playing true
      2   /session/film/playing
      """)
    #expect(
      try members("event", lines) == [
        #""/session/open  film playback \"Der dritte Mann\"""#, #""/session/film/playing true; /banana""#,
        #""/session/film/playing""#,
      ])
    #expect(try members("time", lines) == ["0", "1", "2"])
  }

  @Test("A release of its own time stands there as a message, before what else happens then")
  func releases() throws {
    let lines = try trace(
      """
      0 /session/open film playback
      0 /session/film/idleRelease 2.5
      1 /session/film/active true
      9 /host/silent true
      9 /session/film/idleRelease 0
      9 /session/film/active true
      20 /session/film/idleRelease 1
      """)
    let expected = [
      #""/session/film/active false notifyOthers""#, #""/host/silent true""#, #""/session/film/idleRelease 0""#,
      #""/session/film/active true""#, #""/session/film/idleRelease 1""#,
      #""/session/film/active false notifyOthers""#,
    ]
    #expect(try members("event", lines).suffix(6) == expected[...])
    #expect(try members("time", lines) == ["0", "0", "1", "3.5", "9", "9", "9", "20", "20"])
  }

  @Test("Numbers are rounded to six decimals, texts are escaped, an absent route is an empty text")
  func values() throws {
    let lines = try trace(
      #"""
      0.1234567 /host/volume 0.3333333333
      1 /session/open film playback
      1 /session/film/volume 0.12345678
      1 /session/film/title 'a "b" \ c'
      2 /route/speaker/available false
      """#)
    #expect(lines[0].contains(#""volume": 0.333333}"#))
    #expect(lines[0].hasSuffix(#""time": 0.123457}"#))
    #expect(lines[2].contains(#""volume": 0.123457}}"#))
    #expect(lines[3].contains(#""event": "/session/film/title 'a \"b\" \\ c'""#))
    #expect(lines[4].contains(#""route": """#))
    #expect(lines[4].contains(#""notices": [["/host/route", "", "noSuitableRoute"]]"#))
  }
}
