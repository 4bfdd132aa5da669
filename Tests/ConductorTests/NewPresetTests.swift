import AddressSpace
import Conductor
import Presets
import SessionPolicy
import Testing

extension Host {
  fileprivate static func preset(_ text: String) throws -> Preset {
    try Preset(SourceText("{ eider: 1, \(text) }", file: "test.json5"))
  }

  fileprivate convenience init(preset text: String) throws { self.init(try Self.preset(text)) }

  fileprivate func adopt(_ text: String) throws {
    conductor.adopt(
      try Self.preset(text), at: Moment(seconds: now, frame: UInt64(now * Self.rate)), channels: { _ in 2 })
    wait(0.1)
  }

  fileprivate func read(_ address: String) -> [Argument]? {
    send(Message(address), from: .phone)
    return mail(of: .phone).last { $0.address == address }?.arguments
  }
}

/// A preset that takes the place of another while everything runs.
@Suite struct NewPresetTests {
  private static let manual = "available: \"manual\", ports: []"
  private static let routes = """
    routes: [{ name: "speaker", kind: "speaker", \(manual) }, { name: "line", kind: "line", \(manual) }]
    """

  @Test func `only what differs changes, and what people have set stays`() throws {
    let host = try Host(
      preset: """
        \(Self.routes), sessions: [
          { name: "music", category: "playback", volume: 0.8 },
          { name: "guide", category: "playback", priority: 1, remote: ["next"], duck: { depth: -10 } }, { name: "old" }],
        scenes: [{ name: "day" }, { name: "night" }], safe: ["/host/volume"]
        """)
    host.send(Message("/session/music/volume", 0.3), Message("/session/music/playing", true))
    host.send(Message("/session/guide/volume", 0.6), Message("/scene/recall", "night"))
    host.subscribe(.surface, to: "/session/{opened,closed}")
    try host.adopt(
      """
      \(Self.routes), sessions: [
        { name: "new", title: "New", volume: 0.5 },
        { name: "guide", category: "playback", options: ["duckOthers"], priority: 5, duck: { depth: -10 } },
        { name: "music", category: "playback", volume: 0.8 }],
      scenes: [{ name: "night" }, { name: "dawn" }], safe: ["/host/volume"]
      """)
    #expect(host.read("/session/list") == ["music", "guide", "new"])
    #expect(host.read("/session/music/volume") == [.float(0.3)])
    #expect(host.read("/session/music/playing") == [true])
    #expect(host.read("/session/guide/volume") == [.float(0.6)])
    #expect(host.read("/session/guide/priority") == [5] && host.read("/session/guide/options") == ["duckOthers"])
    #expect(host.read("/session/guide/remote") == [])
    #expect(host.read("/session/new/volume") == [.float(0.5)] && host.read("/session/new/title") == ["New"])
    #expect(host.read("/scene/list") == ["night", "dawn"] && host.read("/scene/current") == ["night"])
    #expect(
      host.mail(of: .surface) == [Message("/session/opened", "new"), Message("/session/closed", "old")])
    // The same again is nothing.
    try host.adopt(
      """
      \(Self.routes), sessions: [
        { name: "new", title: "New", volume: 0.5 },
        { name: "guide", category: "playback", options: ["duckOthers"], priority: 5, duck: { depth: -10 } },
        { name: "music", category: "playback", volume: 0.7 }]
      """)
    #expect(host.read("/session/music/volume") == [.float(0.7)])
    #expect(host.read("/scene/current") == [""])
  }

  @Test func `routes come, go and change places, and sessions stay on theirs`() throws {
    let host = try Host(
      preset: """
        \(Self.routes), sessions: [{ name: "a", category: "playback", options: ["mixWithOthers"], routes: ["line"] },
          { name: "b", category: "playback", options: ["mixWithOthers"] },
          { name: "c", category: "playback", options: ["mixWithOthers"] }]
        """)
    host.send(
      Message("/session/*/playing", true), Message("/route/line/volume", 0.4), Message("/session/c/routes", "speaker"))
    host.subscribe(.surface, to: "/{host,route}/**")
    try host.adopt(
      """
      routes: [{ name: "hall", kind: "hdmi", \(Self.manual) }, { name: "line", kind: "line", trim: -3, \(Self.manual) }],
      sessions: [{ name: "a", category: "playback", options: ["mixWithOthers"], routes: ["line"] },
        { name: "b", category: "playback", options: ["mixWithOthers"] },
        { name: "c", category: "playback", options: ["mixWithOthers"] }]
      """)
    // The speaker stays, out of reach, for the sake of who was sent there by hand.
    #expect(host.read("/host/routes") == ["hall", "line", "speaker"])
    #expect(host.read("/session/c/silence") == ["noRoute"])
    #expect(host.read("/session/a/routes") == ["line"] && host.read("/session/a/audible") == [true])
    #expect(host.read("/host/route") == ["line"] && host.read("/session/b/audible") == [true])
    #expect(host.read("/route/line/volume") == [.float(0.4)] && host.read("/route/line/trim") == [.float(-3)])
    #expect(host.read("/route/hall/available") == [true])
  }

  @Test func `who listens is told of new routes`() throws {
    let host = try Host(preset: Self.routes)
    host.subscribe(.surface, to: "/route/*/volume")
    try host.adopt(
      """
      routes: [{ name: "hall", kind: "hdmi", volume: 0.2, \(Self.manual) },
        { name: "line", kind: "line", \(Self.manual) }]
      """)
    host.wait(0.2)
    let told = host.mail(of: .surface)
    #expect(told.contains(Message("/route/hall/volume", .float(0.2))))
    _ = host.mail(of: .surface)
    host.send(Message("/route/line/volume", 0.25), from: .tablet)
    host.wait(0.2)
    #expect(host.mail(of: .surface) == [Message("/route/line/volume", .float(0.25))])
  }

  @Test func `a route that goes takes nobody's sound to another place`() throws {
    let host = try Host(
      preset: """
        routes: [{ name: "speaker", kind: "speaker", \(Self.manual) }, { name: "head", kind: "headphones", \(Self.manual) }],
        sessions: [{ name: "a", category: "playback" }]
        """)
    host.send(Message("/route/head/available", true), Message("/session/a/playing", true))
    #expect(host.read("/host/route") == ["head"])
    try host.adopt(
      "routes: [{ name: \"speaker\", kind: \"speaker\", \(Self.manual) }], sessions: [{ name: \"a\", category: \"playback\" }]"
    )
    #expect(host.read("/host/route") == ["speaker"])
    #expect(host.read("/session/a/playing") == [false])
  }
}
