import AddressSpace
import Foundation
import SessionPolicy
import Testing

extension Desk {
  /// A host on which music and a guide play together, with scenes.
  fileprivate static func playing(_ scenes: Scene...) -> Desk {
    var desk = Desk("/session/open music playback", "/session/open guide playback", "/session/open film playback")
    desk.state = ControlState(policy: desk.state.policy, scenes: SceneBook(scenes: scenes))
    for words in [
      "/session/music/options mixWithOthers", "/session/guide/options mixWithOthers", "/session/music/playing true",
      "/session/guide/playing true",
    ] { desk.send(words) }
    return desk
  }

  fileprivate func number(_ address: String) -> Double { read(address)?.first?.number ?? .nan }
}

extension Scene {
  fileprivate init(_ name: String, _ fade: Double, _ lines: String...) {
    let messages = lines.map { line in
      let words = line.split(separator: " ").map(String.init)
      return Message(words[0], words.dropFirst().map { Argument(word: $0) })
    }
    self.init(name: name, fade: fade, messages: messages)
  }
}

@Suite("Scenes as one crossfade")
struct CrossfadeTests {
  @Test("Every level goes in a straight line of the fader from where it is")
  func levels() {
    var desk = Desk.playing(
      Scene(
        "s", 4, "/session/music/volume 0.5", "/session/music/pan -0.5", "/host/ringer 0", "/route/speaker/trim -12",
        "/session/guide/duck/depth -40", "/route/speaker/limit -20", "/host/volume 0.2"))
    desk.send("/route/speaker/trim 0")
    desk.send("/scene/recall s")
    desk.wait(1)
    #expect(abs(desk.number("/session/music/volume") - 0.875) < 1e-6)
    #expect(abs(desk.number("/session/music/pan") + 0.125) < 1e-6)
    #expect(abs(desk.number("/host/ringer") - 0.75) < 1e-6)
    #expect(abs(desk.number("/host/volume") - 0.8) < 1e-6)
    #expect(desk.number("/route/speaker/volume") == desk.number("/host/volume"))
    // Positions: 1 and 10^(−12/60).
    let position = 1 + (pow(10, -0.2) - 1) / 4
    #expect(abs(desk.number("/route/speaker/trim") - 60 * log10(position)) < 1e-5)
    #expect(abs(desk.number("/route/speaker/limit") - (-0.1 - 19.9 / 4)) < 1e-4)
    #expect(desk.number("/session/guide/duck/depth") < -18)
    desk.wait(3)
    #expect(desk.number("/session/music/volume") == 0.5)
    #expect(desk.number("/route/speaker/trim") == -12)
    #expect(desk.number("/session/guide/duck/depth") == -40)
    #expect(desk.number("/route/speaker/limit") == -20)
    #expect(!desk.state.isGliding)
  }

  @Test("Ranks, times and words switch at the start")
  func switches() {
    var desk = Desk.playing(
      Scene(
        "s", 4, "/session/music/priority 7", "/session/music/idleRelease 60", "/session/music/duck/attack 5",
        "/session/music/mode spokenAudio", "/session/music/routes speaker", "/session/film/solo true",
        "/route/speaker/limit 1"))
    desk.send("/scene/recall s")
    #expect(desk.read("/session/music/priority") == [.int(7)])
    #expect(desk.read("/session/music/idleRelease") == [.float(60)])
    #expect(desk.read("/session/music/duck/attack") == [.float(5)])
    #expect(desk.read("/session/music/mode") == ["spokenAudio"])
    #expect(desk.read("/session/music/routes") == ["speaker"])
    #expect(desk.read("/session/film/solo") == [true])
    #expect(desk.read("/route/speaker/limit") == [.float(1)])
  }

  @Test(
    "What opens does so at the start, what closes at the end",
    arguments: [
      ("/session/music/mute true", "/session/music/mute false"), ("/host/silent true", "/host/silent false"),
      ("/host/locked true", "/host/locked false"), ("/session/music/playing false", "/session/music/playing true"),
      ("/session/music/active false", "/session/music/active true"),
    ])
  func openAndClose(closing: String, opening: String) {
    var desk = Desk.playing(Scene("closed", 4, closing), Scene("open", 4, opening))
    // The silent switch and the lock do not silence what was asked for.
    desk.send("/session/open bell systemSound")
    desk.send("/session/bell/playing true")
    let address = String(closing.split(separator: " ")[0])
    let (open, closed) = (Argument(word: String(opening.split(separator: " ")[1])), closing.hasSuffix("true"))
    #expect(desk.send("/scene/recall closed") == [.request(.glide(4))])
    desk.wait(3.99)
    #expect(desk.read(address) == [open])
    let events = desk.wait(0.02)
    #expect(events.map { $0.messages.map(\.description) } == [[closing]])
    #expect(desk.read(address) == [.bool(closed)])
    desk.send("/scene/recall open")
    #expect(desk.read(address) == [open])
  }

  @Test("What nobody hears closes at once")
  func inaudible() {
    var desk = Desk.playing(Scene("s", 4, "/session/film/mute true", "/session/film/volume 0.5"))
    desk.send("/scene/recall s")
    #expect(desk.read("/session/film/mute") == [true])
  }

  @Test("One program makes room for another: who comes begins at once, and who cannot yet comes at the end")
  func handover() {
    var desk = Desk.playing(
      Scene("show", 4, "/session/music/playing false", "/session/film/playing true"),
      Scene("talk", 2, "/session/film/active false", "/session/phone/active false", "/session/music/playing true"))
    desk.send("/scene/recall show")
    #expect(desk.read("/session/film/playing") == [true] && desk.read("/session/music/playing") == [true])
    desk.wait(4)
    #expect(desk.read("/session/music/playing") == [false])
    // While the call lasts nobody can play (A2.1); the scene ends it first.
    desk.send("/session/open phone call")
    desk.send("/session/phone/playing true")
    #expect(desk.send("/scene/recall talk").refusals == [])
    #expect(desk.read("/session/phone/state") == ["active"])
    #expect(desk.read("/session/music/playing") == [false])
    desk.wait(2)
    #expect(desk.read("/session/phone/state") == ["inactive"])
    #expect(desk.read("/session/music/playing") == [true])
  }

  @Test("The policy is applied once: an interruption begins and ends once, however many steps numbers take")
  func once() {
    var desk = Desk.playing(
      Scene("s", 4, "/session/film/playing true", "/session/music/volume 0", "/session/guide/active false"))
    desk.send("/session/music/options none")
    desk.send("/scene/recall s")
    #expect(
      desk.notices == [
        Message("/session/music/interruption", "begin", "film"), Message("/scene/recalled", "s"),
      ])
    let events = desk.wait(5)
    #expect(events.count == 1 && events[0].notices == [] && events[0].time == 13)
  }

  @Test("A recall during a recall starts from where things are")
  func recallDuringRecall() {
    var desk = Desk.playing(
      Scene("low", 4, "/session/music/volume 0", "/session/guide/volume 0.5", "/session/guide/playing false"),
      Scene("high", 2, "/session/music/volume 1", "/session/guide/playing true"))
    desk.send("/scene/recall low")
    desk.wait(1)
    desk.send("/scene/recall high")
    #expect(desk.number("/session/music/volume") == 0.5)
    desk.wait(1)
    #expect(desk.number("/session/music/volume") == 0.75)
    // What the second scene does not name goes on.
    #expect(desk.number("/session/guide/volume") == 0.625)
    desk.wait(3)
    #expect(desk.number("/session/music/volume") == 1)
    #expect(desk.number("/session/guide/volume") == 0.5)
    #expect(desk.read("/session/guide/playing") == [true])
  }

  @Test(
    "Whoever sets something has the say, not the scene on its way",
    arguments: [
      "/session/music/volume 0.9", "/host/volume 0.9", "/route/speaker/volume 0.9", "/host/volumeUp",
    ])
  func hand(words: String) {
    var desk = Desk.playing(
      Scene("s", 4, "/session/music/volume 0", "/host/volume 0", "/session/music/mute true"))
    desk.send("/scene/recall s")
    desk.wait(1)
    let address = words.hasPrefix("/session") ? "/session/music/volume" : "/host/volume"
    let other = words.hasPrefix("/session") ? "/host/volume" : "/session/music/volume"
    desk.send(words)
    let set = desk.number(address)
    #expect(set == (words.hasSuffix("Up") ? 0.5625 : Double(Float(0.9))))
    desk.send("/session/music/mute false")
    desk.wait(4)
    #expect(desk.number(address) == set)
    #expect(desk.number(other) == 0)
    #expect(desk.read("/session/music/mute") == [false])
  }

  @Test("The volume of the host is that of the route on which it began to glide")
  func routeChange() {
    var desk = Desk.playing(Scene("s", 4, "/host/volume 0.2"))
    desk.send("/scene/recall s")
    desk.wait(1)
    desk.send("/route/headphones/available true")
    desk.wait(4)
    #expect(desk.number("/route/speaker/volume") == Double(Float(0.2)))
    #expect(desk.number("/host/volume") == 0.5)
  }

  @Test("Safe is safe: of one session, by pattern, and by another name")
  func safe() {
    var desk = Desk.playing(
      Scene(
        "s", 0, "/session/*/volume 0.5", "/session/music/duck/depth -3", "/session/guide/duck/depth -3",
        "/host/volume 0.5", "/route/speaker/trim -3", "/session/music/category playback"))
    for (safe, untouched) in [
      ("/session/music", ["/session/music/volume", "/session/music/duck/depth", "/session/music/options"]),
      ("/session/m*/volume", ["/session/music/volume"]), ("/route/speaker", ["/host/volume", "/route/speaker/trim"]),
      ("/session/music/options", ["/session/music/options"]), ("/host/volume", ["/host/volume"]),
    ] {
      var trial = desk
      trial.send("/scene/safe \(safe)")
      let before = untouched.map { trial.read($0) }
      trial.send("/scene/recall s")
      #expect(untouched.map { trial.read($0) } == before, "\(safe)")
      #expect(trial.number("/session/guide/volume") == 0.5)
    }
    desk.send("/scene/safe /host/volume")
    desk.send("/route/speaker/volume 0.75")
    desk.send("/scene/recall s 0 /session/music/*")
    #expect(desk.number("/session/guide/volume") == 1 && desk.number("/session/music/volume") == 0.5)
  }

  @Test("What cannot be done is told when the scene is recalled, and the rest is done")
  func partly() {
    var desk = Desk.playing(
      Scene(
        "s", 4, "/session/nobody/volume 1", "/session/nobody/mute true", "/session/guide/playing false",
        "/host/route headphones", "/session/music/volume 0"))
    let replies = desk.send("/scene/recall s")
    #expect(replies.refusals.map(\.code) == [.noSuchSession, .noSuchSession, .resourceNotAvailable])
    #expect(Set(replies.addresses) == ["/session/nobody/volume", "/session/nobody/mute", "/host/route"])
    desk.wait(4)
    #expect(desk.number("/session/music/volume") == 0)
    #expect(desk.read("/session/guide/playing") == [false])
  }

  @Test("What becomes impossible on the way is told to who recalled it")
  func tooLate() {
    var desk = Desk.playing(Scene("s", 4, "/session/guide/mute true", "/session/music/mute true"))
    desk.send("/scene/recall s")
    desk.send("/session/close guide")
    let events = desk.wait(5)
    #expect(events.flatMap(\.replies).map(\.reply).refusals.map(\.code) == [.noSuchSession])
    #expect(desk.read("/session/music/mute") == [true])
  }

  @Test("Sessions that a scene closes fade out first, each of them")
  func close() {
    var desk = Desk.playing(
      Scene("s", 4, "/session/close music", "/session/close guide", "/session/film/mute true", "/session/close nobody"))
    desk.send("/session/film/options mixWithOthers")
    desk.send("/session/film/playing true")
    #expect(desk.send("/scene/recall s").refusals.map(\.code) == [.noSuchSession])
    #expect(desk.read("/session/list") == ["music", "guide", "film"])
    desk.wait(4)
    #expect(desk.read("/session/list") == ["film"] && desk.read("/session/film/mute") == [true])
  }

  @Test("Storing keeps options, patterns whose matches agree, and acts")
  func store() {
    var desk = Desk.playing(
      Scene(
        "s", 0, "/session/music/category playback duckOthers", "/session/*/pan 0", "/session/*/volume 1",
        "/host/volumeUp", "/session/film/active false notifyOthers"))
    desk.send("/session/music/category ambient duckOthers")
    desk.send("/session/music/volume 0.5")
    desk.send("/scene/store s")
    #expect(
      desk.state.scenes.scenes[0].messages.map(\.description) == [
        "/session/music/category ambient duckOthers", "/session/*/pan 0", "/session/music/volume 0.5",
        "/session/guide/volume 1", "/session/film/volume 1", "/host/volumeUp",
        "/session/film/active false notifyOthers",
      ])
    #expect(desk.send(Message("/scene/store", .string(""))).refusals.map(\.code) == [.badName])
  }
}
