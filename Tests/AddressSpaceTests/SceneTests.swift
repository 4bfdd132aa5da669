import AddressSpace
import SessionPolicy
import Testing

extension Desk {
  /// A host with two sessions and two scenes.
  fileprivate static func withScenes() -> Desk {
    var desk = Desk("/session/open music playback", "/session/open guide playback")
    desk.state = ControlState(
      policy: desk.state.policy,
      scenes: SceneBook(scenes: [
        Scene(
          name: "night", fade: 4,
          messages: [
            Message("/session/music/volume", .double(0.25)), Message("/host/silent", true),
            Message("/session/nobody/mute", true), Message("/session/guide/priority", .int(3)),
          ]),
        Scene(name: "loop", messages: [Message("/scene/recall", "loop")]),
      ]))
    return desk
  }
}

@Suite("Scenes")
struct SceneTests {
  @Test("A recall applies every message, and one that is refused holds back no other")
  func recall() {
    var desk = Desk.withScenes()
    let replies = desk.send("/scene/recall night")
    #expect(replies.first == .request(.glide(4)))
    #expect(replies.addresses == ["/session/nobody/mute"])
    #expect(replies.refusals.map(\.code) == [.noSuchSession])
    #expect(desk.read("/session/music/volume") == [.float(1)])
    #expect(desk.read("/host/silent") == [true])
    #expect(desk.read("/session/guide/priority") == [.int(3)])
    desk.wait(1)
    #expect(desk.read("/session/music/volume") == [.float(0.8125)])
    desk.wait(3)
    #expect(desk.read("/session/music/volume") == [.float(0.25)])
    #expect(desk.read("/scene/current") == ["night"])
    #expect(desk.read("/scene/list") == ["night", "loop"])
    #expect(desk.notices == [Message("/scene/recalled", "night")])
  }

  @Test("The time may be given, and patterns say what of it")
  func recallInPart() {
    var desk = Desk.withScenes()
    #expect(desk.send("/scene/recall night 0 /session/music/* /host/*") == [])
    #expect(desk.read("/session/music/volume") == [.float(0.25)])
    #expect(desk.read("/session/guide/priority") == [.int(0)])
    #expect(desk.send("/scene/recall night 2.5 /host/*") == [.request(.glide(2.5))])
    #expect(desk.code("/scene/recall night -1") == .outOfRange)
    #expect(desk.code("/scene/recall night soon") == .badArguments)
    #expect(desk.code("/scene/recall") == .badArguments)
    #expect(desk.code("/scene/recall dawn") == .noSuchScene)
  }

  @Test("What is safe is touched by no recall")
  func safe() {
    var desk = Desk.withScenes()
    #expect(desk.code("/scene/safe /host/* /session/{music,film}/volume") == nil)
    desk.send("/scene/recall night")
    #expect(desk.read("/session/music/volume") == [.float(1)])
    #expect(desk.read("/host/silent") == [false])
    #expect(desk.read("/session/guide/priority") == [.int(3)])
    #expect(desk.code("/scene/safe host") == .badArguments)
    #expect(desk.read("/scene/safe") == ["/host/*", "/session/{music,film}/volume"])
    desk.send("/scene/safe none")
    #expect(desk.read("/scene/safe") == [])
    desk.send("/scene/recall night")
    #expect(desk.read("/host/silent") == [true])
  }

  @Test("Nobody can fill the memory with scenes, or hold up all others by what a recall has to look at")
  func bounds() {
    var desk = Desk("/session/open music playback")
    let wide = Scene(name: "wide", messages: [Message("/session/*/*", true)])
    desk.state = ControlState(
      policy: desk.state.policy,
      scenes: SceneBook(scenes: [wide] + (2...999).map { Scene(name: "s\($0)") }, safe: ["/session"]))
    #expect(desk.send("/scene/store one").refusals.isEmpty)
    #expect(desk.send("/scene/store another").refusals.map(\.code) == [.tooMany])
    #expect(desk.send("/scene/store one").refusals.isEmpty)

    // One bundle recalls again and again: it is told of what it asks too much.
    let replies = desk.send(Array(repeating: Message("/scene/recall", "wide"), count: 4000))
    #expect(!replies.refusals.isEmpty && replies.refusals.count < 4000)
    #expect(replies.refusals.allSatisfy { $0.code == .tooMany })
    #expect(desk.send("/scene/recall wide").refusals.isEmpty)

    let patterns = (1...256).map { "/session/p\($0)" }.joined(separator: " ")
    #expect(desk.send("/scene/safe \(patterns)").refusals.isEmpty)
    #expect(desk.send("/scene/safe \(patterns) /host").refusals.map(\.code) == [.tooMany])
    #expect(desk.read("/scene/safe")?.count == 256)
    #expect(desk.send("/scene/recall one 0 \(patterns) /host").refusals.map(\.code) == [.tooMany])
  }

  @Test("A scene cannot recall scenes")
  func noLoop() {
    var desk = Desk.withScenes()
    #expect(desk.send("/scene/recall loop").refusals.map(\.code) == [.forbidden])
  }

  @Test("Storing takes the present values of the scene's addresses")
  func store() {
    var desk = Desk.withScenes()
    desk.send("/session/music/volume 0.75")
    #expect(desk.send("/scene/store night") == [.request(.keepScene("night"))])
    desk.send("/session/music/volume 0.1")
    desk.send("/session/guide/pan 1")
    desk.send("/scene/recall night 0")
    #expect(desk.read("/session/music/volume") == [.float(0.75)])
    #expect(desk.read("/session/guide/pan") == [.float(1)])
  }

  @Test("A new name stores what a person sets, and recalling it brings all of that back")
  func storeAll() {
    var desk = Desk.withScenes()
    desk.send("/session/music/options duckOthers")
    desk.send("/session/music/routes line speaker")
    desk.send("/session/music/playing true")
    #expect(desk.send("/scene/store evening") == [.request(.keepScene("evening"))])
    #expect(desk.read("/scene/list") == ["night", "loop", "evening"])
    let stored = desk.values
    for words in [
      "/session/music/category ambient", "/session/music/routes none", "/session/guide/duck/depth -3",
      "/host/volume 0.1", "/session/*/volume 0.3", "/route/speaker/trim -9",
    ] {
      #expect(desk.code(words) == nil)
    }
    #expect(desk.values != stored)
    #expect(desk.send("/scene/recall evening 0").refusals == [])
    #expect(desk.values.filter { $0.address != "/scene/current" } == stored.filter { $0.address != "/scene/current" })
  }
}
