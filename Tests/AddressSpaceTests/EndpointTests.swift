import AddressSpace
import SessionPolicy
import Testing

/// One endpoint: what it reads at first, what is written, and what it then reads.
struct SettingCase: Sendable, CustomTestStringConvertible {
  let address: String
  let first: [Argument]
  let written: [Argument]
  let then: [Argument]
  var testDescription: String { address }

  init(_ address: String, _ first: [Argument], _ written: [Argument], _ then: [Argument]? = nil) {
    self.address = address
    self.first = first
    self.written = written
    self.then = then ?? written
  }
}

/// Every endpoint that is set and read, of a host with a session `music` (playback) on `Desk`.
let settings: [SettingCase] = [
  SettingCase("/host/volume", [.float(1)], [.double(0.25)], [.float(0.25)]),
  SettingCase("/host/ringer", [.float(1)], [.float(0.5)], [.float(0.5)]),
  SettingCase("/host/silent", [false], [true]),
  SettingCase("/host/locked", [false], [true]),
  SettingCase("/host/cover", ["open"], ["closed"]),
  SettingCase("/host/route", ["speaker"], ["speaker"]),
  SettingCase("/route/headphones/available", [false], [true]),
  SettingCase("/route/headphones/volume", [.float(0.5)], [.int(0)], [.float(0)]),
  SettingCase("/route/speaker/trim", [.float(0)], [.double(-6.5)], [.float(-6.5)]),
  SettingCase("/route/speaker/limit", [.float(-0.1)], [.int(1)], [.float(1)]),
  SettingCase("/input/mic/available", [true], [false]),
  SettingCase("/session/music/category", ["playback"], ["ambient", "duckOthers"], ["ambient"]),
  SettingCase("/session/music/mode", ["default"], ["spokenAudio"]),
  SettingCase("/session/music/options", [], ["duckOthers", "mixWithOthers"], ["mixWithOthers", "duckOthers"]),
  SettingCase("/session/music/remote", [], ["next", "play"], ["play", "next"]),
  SettingCase("/session/music/routes", [], ["line", "speaker"]),
  SettingCase("/session/music/title", ["music"], ["Späte Quartette"]),
  SettingCase("/session/music/controls", [false], [true]),
  SettingCase("/session/music/foreground", [true], [false]),
  SettingCase("/session/music/mute", [false], [true]),
  SettingCase("/session/music/solo", [false], [true]),
  SettingCase("/session/music/micMute", [false], [true]),
  SettingCase("/session/music/priority", [.int(0)], [.int(-7)]),
  SettingCase("/session/music/volume", [.float(1)], [.double(0.5)], [.float(0.5)]),
  SettingCase("/session/music/pan", [.float(0)], [.int(-1)], [.float(-1)]),
  SettingCase("/session/music/onRouteLoss", ["pause"], ["continue"]),
  SettingCase("/session/music/activation", ["manual"], ["signal"]),
  SettingCase("/session/music/idleRelease", [.float(0)], [.double(2.5)], [.float(2.5)]),
  SettingCase("/session/music/activationThreshold", [.float(-50)], [.int(-30)], [.float(-30)]),
  SettingCase("/session/music/activationHold", [.float(2000)], [.int(100)], [.float(100)]),
  SettingCase("/session/music/linger", [.float(2000)], [.int(0)], [.float(0)]),
  SettingCase("/session/music/duck/trigger", ["playing"], ["active"]),
  SettingCase("/session/music/duck/style", ["fixed"], ["margin"]),
  SettingCase("/session/music/duck/depth", [.float(-14)], [.int(-20)], [.float(-20)]),
  SettingCase("/session/music/duck/attack", [.float(100)], [.int(1)], [.float(1)]),
  SettingCase("/session/music/duck/hold", [.float(500)], [.int(0)], [.float(0)]),
  SettingCase("/session/music/duck/release", [.float(800)], [.int(10000)], [.float(10000)]),
  SettingCase("/session/music/duck/threshold", [.float(-45)], [.int(-80)], [.float(-80)]),
  SettingCase("/session/music/duck/margin", [.float(10)], [.int(40)], [.float(40)]),
  SettingCase("/session/music/duck/maxDepth", [.float(-40)], [.int(0)], [.float(0)]),
  SettingCase("/session/music/active", [false], [true]),
  SettingCase("/session/music/playing", [false], [true]),
  SettingCase("/scene/safe", [], ["/host/volume", "/session/*/mute"]),
]

/// Every endpoint that is only read, of the same host.
let findings: [(address: String, value: [Argument])] = [
  ("/host/volumeControl", [""]),
  ("/host/routes", ["speaker", "headphones", "line", "usb"]),
  ("/host/nowPlaying", [""]),
  ("/route/line/kind", ["line"]),
  ("/route/line/title", ["Line out"]),
  ("/route/line/peak", [.float(-120)]),
  ("/route/line/loudness", [.float(-120)]),
  ("/route/line/limiting", [.float(0)]),
  ("/session/list", ["music"]),
  ("/session/music/effectiveCategory", ["playback"]),
  ("/session/music/state", ["inactive"]),
  ("/session/music/silence", ["inactive"]),
  ("/session/music/audible", [false]),
  ("/session/music/mic", [false]),
  ("/session/music/otherAudio", [false]),
  ("/session/music/secondaryHint", [false]),
  ("/session/music/resume", [false]),
  ("/session/music/causes", []),
  ("/session/music/reduction", [.float(0)]),
  ("/session/music/duckedBy", []),
  ("/session/music/peak", [.float(-120)]),
  ("/session/music/loudness", [.float(-120)]),
  ("/session/music/gain", [.float(-120)]),
  ("/session/music/badSamples", [.int(0)]),
  ("/scene/list", []),
  ("/scene/current", [""]),
  ("/eider/xruns", [.int(0)]),
  ("/eider/load", [.float(0)]),
  ("/eider/period", [.int(0)]),
  ("/eider/rate", [.int(0)]),
  ("/eider/jack", ["none"]),
  ("/eider/uptime", [.float(0)]),
  ("/eider/oscReceived", [.int(0)]),
  ("/eider/oscRefused", [.int(0)]),
  ("/eider/oscMalformed", [.int(0)]),
  ("/eider/oscDropped", [.int(0)]),
  ("/eider/preset", []),
  ("/eider/snapshots", [.int(0)]),
  ("/eider/lateCycles", [.int(0)]),
  ("/eider/lostFrames", [.int(0)]),
  ("/eider/lateChanges", [.int(0)]), ("/eider/scheduled", [.int(0)]),
  ("/eider/ownLoad", [.float(0)]),
  ("/eider/cycleTime", [.float(0), .float(0), .float(0)]),
  ("/eider/pageFaults", [.int(0), .int(0)]),
  ("/eider/contextSwitches", [.int(0), .int(0)]),
]

/// Every act, with arguments that it takes.
let acts: [(address: String, arguments: [Argument])] = [
  ("/host/volumeUp", []), ("/host/volumeDown", []), ("/host/interruption", ["begin", "fire"]),
  ("/host/remote", ["play"]), ("/host/panic", []), ("/session/open", ["film", "playback", "Der dritte Mann"]),
  ("/session/close", ["music"]), ("/scene/recall", ["night"]), ("/scene/store", ["night"]), ("/sync", [.int(7)]),
  ("/client/bools", ["int"]), ("/eider/version", []), ("/eider/ping", [.int(1), "two"]), ("/eider/status", []),
  ("/eider/quit", []), ("/subscribe", ["/session/*/*", .int(50)]), ("/unsubscribe", []), ("/renew", []),
  ("/eider/time", []),
]

@Suite("Endpoints")
struct EndpointTests {
  @Test("What is set is read again at the same address", arguments: settings)
  func setAndRead(_ setting: SettingCase) {
    var desk = Desk("/session/open music playback")
    #expect(desk.read(setting.address) == setting.first)
    #expect(desk.send(Message(setting.address, setting.written)) == [])
    #expect(desk.read(setting.address) == setting.then)
  }

  @Test("Setting a second time what is there already changes nothing", arguments: settings)
  func setTwice(_ setting: SettingCase) {
    var desk = Desk("/session/open music playback")
    desk.send(Message(setting.address, setting.written))
    let before = desk.values
    #expect(desk.send(Message(setting.address, setting.written)) == [])
    #expect(desk.values == before)
    #expect(desk.notices == [])
  }

  @Test("A word too many is refused and changes nothing", arguments: settings.filter { !$0.takesAnyNumber })
  func wordTooMany(_ setting: SettingCase) {
    var desk = Desk("/session/open music playback")
    let before = desk.state.policy.session(named: "music")
    #expect(desk.send(Message(setting.address, setting.written + ["more"])).refusals.map(\.code) == [.badArguments])
    #expect(desk.read(setting.address) == setting.first)
    #expect(desk.state.policy.session(named: "music") == before)
  }

  @Test("What is only read has its value, and setting it is forbidden whatever comes", arguments: findings)
  func readOnly(address: String, value: [Argument]) {
    var desk = Desk("/session/open music playback")
    #expect(desk.read(address) == value)
    for arguments: [Argument] in [["x"], [.int(1), true, "more"], [.double(.nan)]] {
      #expect(desk.send(Message(address, arguments)).refusals.map(\.code) == [.forbidden])
    }
    #expect(desk.read(address) == value)
  }

  @Test("An act has no value to read", arguments: acts)
  func act(address: String, arguments: [Argument]) {
    let desk = Desk("/session/open music playback")
    #expect(desk.read(address) == nil)
    #expect(AddressTable.endpoints.first { $0.address == address }?.access == .act)
  }

  @Test("The tables of these tests name every endpoint of the address space, and no other")
  func nothingIsForgotten() {
    let tested = settings.map(\.address) + findings.map(\.address) + acts.map(\.address)
    let named = tested.map { address in
      ["music", "speaker", "headphones", "line", "mic"].reduce(address) { address, name in
        address.replacing("/session/\(name)/", with: "/session/NAME/").replacing(
          "/route/\(name)/", with: "/route/NAME/"
        )
        .replacing("/input/\(name)/", with: "/input/NAME/")
      }
    }
    let all = AddressTable.endpoints.map(\.address)
    #expect(Set(named + ["/session/NAME/interruption"]) == Set(all))
    #expect(Set(all).count == all.count)
  }

  @Test("Holding a session can only be set")
  func hold() {
    var desk = Desk("/session/open music playback", "/session/music/playing true")
    #expect(desk.read("/session/music/interruption") == nil)
    #expect(desk.code("/session/music/interruption") == .badArguments)
    #expect(desk.code("/session/music/interruption begin desk") == nil)
    #expect(desk.read("/session/music/causes") == ["session:desk"])
    #expect(desk.notices == [Message("/session/music/interruption", "begin", "session:desk")])
    #expect(desk.code("/session/music/interruption end desk resumable") == nil)
    #expect(desk.notices == [Message("/session/music/interruption", "end", .int(1))])
  }

  @Test("What only the daemon can do is asked of it")
  func requests() {
    var desk = Desk()
    #expect(desk.send("/sync 7") == [.request(.sync(7))])
    #expect(desk.send("/client/bools int") == [.request(.boolsAsInts(true))])
    #expect(desk.send("/client/bools typed") == [.request(.boolsAsInts(false))])
    #expect(desk.send("/eider/version") == [.request(.version)])
    #expect(desk.send("/eider/ping 1 two") == [.request(.ping([.int(1), "two"]))])
    #expect(desk.send("/eider/status") == [.request(.status)])
    #expect(desk.send("/eider/quit") == [.request(.quit)])
    #expect(desk.send("/host/panic") == [.request(.panic)])
  }

  @Test("A client says what it wants to be told, how often and where")
  func subscriptions() {
    var desk = Desk()
    var wish = SubscriptionWish()
    #expect(desk.send("/subscribe") == [.request(.subscribe(wish))])
    #expect((wish.pattern, wish.milliseconds, wish.url) == ("*", 50, nil))
    wish.pattern = "/session/*/state"
    wish.milliseconds = 20
    wish.url = "osc.udp://localhost:9000/"
    #expect(desk.send("/subscribe /session/*/state 20 osc.udp://localhost:9000/") == [.request(.subscribe(wish))])
    #expect(desk.send("/unsubscribe") == [.request(.unsubscribe(pattern: nil))])
    #expect(desk.send("/unsubscribe /host/*") == [.request(.unsubscribe(pattern: "/host/*"))])
    #expect(desk.send("/renew") == [.request(.renew)])
    #expect(desk.send("/eider/time") == [.request(.time)])
    #expect(desk.code("/subscribe host") == .badArguments)
    #expect(desk.code("/subscribe /banana/*") == .badAddress)
    #expect(desk.code("/subscribe /host/* 0") == .outOfRange)
    #expect(desk.code("/subscribe /host/* 60001") == .outOfRange)
    #expect(desk.code("/subscribe /host/* 20 5") == .badArguments)
    #expect(desk.code("/renew 1") == .badArguments)
  }

  @Test("A remote command that reaches nobody is answered with the reason, in its order (C2)")
  func ignoredRemote() {
    func answer(_ desk: inout Desk, _ words: String) -> RemoteIgnoredReason? {
      guard case .ignoredRemote(let ignored)? = desk.send(words).first else { return nil }
      return ignored.reason
    }
    var desk = Desk("/session/open music playback")
    #expect(answer(&desk, "/host/remote play") == .noSession)
    desk.send("/session/music/controls true")
    #expect(answer(&desk, "/host/remote play") == .noSession)
    desk.send("/session/music/playing true")
    #expect(answer(&desk, "/host/remote next") == .unsupported)
    desk.send("/session/music/active false")
    #expect(answer(&desk, "/host/remote next") == .noContext)
    #expect(answer(&desk, "/host/remote play") == .noContext)
    desk.send("/session/music/playing true")
    #expect(desk.send("/host/remote pause") == [])
  }
}

extension SettingCase {
  /// Whether it is a set or a list, so that no word is one too many.
  var takesAnyNumber: Bool {
    ["category", "options", "remote", "routes", "safe"].contains { address.hasSuffix("/\($0)") }
  }
}

extension Desk {
  /// All that can be read.
  var values: [Message] {
    ["/host/*", "/route/*/*", "/input/*/*", "/session/*", "/session/*/*", "/session/*/duck/*", "/scene/*"].flatMap {
      AddressTable.read($0, in: state)
    }
  }
}
