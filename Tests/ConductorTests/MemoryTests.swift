import AddressSpace
import Conductor
import Presets
import SessionPolicy
import Testing

/// What is as it was when Eider starts again.
@Suite struct MemoryTests {
  private static func preset(_ more: String = "") throws -> Preset {
    try Preset(
      SourceText(
        """
        {
          eider: 1,
          routes: [{ name: "speaker", kind: "speaker", ports: [], available: "manual" },
            { name: "line", kind: "line", ports: [], available: "manual" }],
          inputs: [{ name: "mic", ports: [], available: "manual" }],
          sessions: [{ name: "music", category: "playback", volume: 0.8 },
            { name: "guide", category: "playback", options: ["mixWithOthers"] }, { name: "chat", category: "playAndRecord", options: ["mixWithOthers"] }],
          scenes: [{ name: "day" }, { name: "night" }],
          start: { scene: "day", set: { "/host/volume": 0.7 } }, \(more)
        }
        """, file: "test.json5"))
  }

  /// The host that starts after this one has ended, or was killed.
  private func next(after host: Host, _ preset: Preset, ended: Bool = true) throws -> Host {
    var memory = try Memory(text: host.conductor.memory().text)
    memory.hasEnded = ended
    let next = Host(preset)
    next.conductor.restore(memory, plays: preset.resume && !ended, at: Moment(seconds: 0, frame: 0))
    return next
  }

  private func read(_ host: Host, _ address: String) -> [Argument]? {
    host.send(Message(address), from: .phone)
    return host.mail(of: .phone).last { $0.address == address }?.arguments
  }

  @Test func `what people have set is back, and the rest is as the preset says`() throws {
    let host = Host(try Self.preset())
    host.send(
      Message("/session/music/volume", 0.3), Message("/session/guide/mute", true), Message("/host/silent", true),
      Message("/host/ringer", 0.25), Message("/route/line/trim", -3), Message("/scene/recall", "night"),
      Message("/host/route", "line"), Message("/session/guide/routes", "speaker"))
    let again = try next(after: host, Self.preset())
    #expect(read(again, "/session/music/volume") == [.float(0.3)])
    #expect(read(again, "/session/guide/mute") == [true] && read(again, "/host/silent") == [true])
    #expect(read(again, "/host/ringer") == [.float(0.25)] && read(again, "/route/line/trim") == [.float(-3)])
    #expect(read(again, "/scene/current") == ["night"] && read(again, "/host/route") == ["line"])
    #expect(read(again, "/session/guide/routes") == ["speaker"])
    #expect(read(again, "/route/speaker/volume") == [.float(0.7)])
    // And once more, from the second.
    #expect(try Memory(text: again.conductor.memory().text) == Memory(text: host.conductor.memory().text))
  }

  @Test func `what nobody has set follows the preset when that is changed`() throws {
    let host = Host(try Self.preset())
    host.send(Message("/session/guide/volume", 0.3))
    #expect(host.conductor.memory().values == [Message("/session/guide/volume", .float(0.3))])
    host.send(Message("/session/guide/volume", 1))
    #expect(host.conductor.memory().values == [])
    host.conductor.adopt(
      try Preset(
        SourceText(
          "{ eider: 1, sessions: [{ name: 'music', volume: 0.5 }], start: { set: { '/host/volume': 0.7 } } }", file: "")
      ),
      at: Moment(seconds: 1, frame: 0), channels: { _ in 2 })
    #expect(host.conductor.memory().values == [])
  }

  @Test func `a program that comes again finds its session as it was`() throws {
    let host = Host(try Self.preset())
    host.send(Message("/session/open", "browser", "ambient"), Message("/session/browser/volume", 0.2))
    _ = host.conductor.memory()
    host.send(Message("/session/close", "browser"))
    var again = try next(after: host, Self.preset())
    again = try next(after: again, Self.preset())
    again.send(Message("/session/open", "browser", "ambient"))
    #expect(read(again, "/session/browser/volume") == [.float(0.2)])
  }

  @Test(arguments: [(true, false, true), (true, true, false), (false, false, false)])
  func `what played plays again only after a crash, and only if the preset says so`(
    resume: Bool, ended: Bool, plays: Bool
  ) throws {
    let preset = try Self.preset("resume: \(resume)")
    let host = Host(preset)
    host.send(Message("/session/music/playing", true))
    host.send(Message("/session/guide/playing", true))
    host.send(Message("/session/chat/playing", true))
    #expect(read(host, "/session/chat/mic") == [true])
    let again = try next(after: host, preset, ended: ended)
    #expect(read(again, "/session/music/playing") == [.bool(plays)])
    #expect(read(again, "/session/guide/playing") == [.bool(plays)])
    // A microphone never.
    #expect(read(again, "/session/chat/playing") == [false] && read(again, "/session/chat/mic") == [false])
  }

  @Test func `who was interrupted waits again`() throws {
    let preset = try Self.preset("resume: true")
    let host = Host(preset)
    host.send(Message("/session/open", "film", "playback"))
    host.send(Message("/session/music/playing", true))
    host.send(Message("/session/guide/options", "none"), Message("/session/guide/playing", true))
    #expect(read(host, "/session/music/state") == ["interrupted"])
    let again = try next(after: host, preset, ended: false)
    #expect(read(again, "/session/guide/playing") == [true])
    #expect(read(again, "/session/music/resume") == [false] || read(again, "/session/music/state") == ["interrupted"])
  }

  @Test func `a text that is no memory is told from one of a newer version`() throws {
    let text = Host(try Self.preset()).conductor.memory().text
    for broken in ["", "{", "[]", "{}", String(text.dropLast(10)), text.replacing("values", with: "value")] {
      let error = #expect(throws: MemoryError.self) { try Memory(text: broken) }
      guard case .damaged? = error else {
        Issue.record("\(broken) is not damaged")
        continue
      }
    }
    let newer = text.replacing("\"eiderState\" : 1", with: "\"eiderState\" : 2")
    #expect(throws: MemoryError.newer(2)) { try Memory(text: newer) }
  }

  @Test func `a glide is remembered where it is`() throws {
    let preset = try Preset(
      SourceText(
        "{ eider: 1, sessions: [{ name: 'music' }], scenes: [{ name: 's', fade: 4, set: { '/session/music/volume': 0 } }] }",
        file: ""))
    let host = Host(preset)
    host.send(Message("/scene/recall", "s"))
    host.wait(1)
    #expect(host.conductor.isMemoryStale)
    guard case .float(let volume)? = host.conductor.memory().values.first?.arguments.first else {
      Issue.record("nothing is remembered")
      return
    }
    #expect(abs(volume - 0.75) < 0.01)
  }
}
