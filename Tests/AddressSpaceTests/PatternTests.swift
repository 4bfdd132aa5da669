import AddressSpace
import SessionPolicy
import Testing

@Suite("Address patterns")
struct PatternTests {
  @Test(
    "A pattern matches as OSC says",
    arguments: [
      ("/session/*/mute", "/session/music/mute", true), ("/session/*/mute", "/session//mute", true),
      ("/session/*/mute", "/session/a/b/mute", false), ("/session/m*", "/session/music/mute", false),
      ("/*/*/*", "/session/music/mute", true), ("/s*n/m*c/m*e", "/session/music/mute", true),
      ("/session/m?sic/mute", "/session/music/mute", true), ("/session/?/mute", "/session/ab/mute", false),
      ("/?", "/ä", true), ("/??", "/ä", false),
      ("/session/[mf]*/mute", "/session/film/mute", true), ("/session/[a-l]*/mute", "/session/music/mute", false),
      ("/session/[l-a]*/mute", "/session/film/mute", true), ("/session/[!m]*/mute", "/session/music/mute", false),
      ("/session/[!a-l]*/mute", "/session/music/mute", true), ("/[-x]", "/-", true), ("/[!]", "/a", true),
      ("/[ab", "/a", false), ("/[]", "/a", false), ("/a]", "/a]", true),
      ("/session/{film,music}/mute", "/session/music/mute", true), ("/{film,mu}sic", "/music", true),
      ("/{a,ab}c", "/abc", true), ("/{a,}b", "/b", true), ("/{a,b", "/a", false), ("/a}", "/a}", true),
      ("/a{}b", "/ab", true), ("/A", "/a", false), ("/a*b*c", "/aXbYbZc", true), ("/a*b*c", "/aXbYbZ", false),
      ("/**", "/", true), ("/*", "/", true), ("/?*", "/", false), ("*", "/a", false),
    ])
  func matching(pattern: String, address: String, holds: Bool) {
    #expect(AddressPattern(pattern).matches(address) == holds)
  }

  @Test("A pattern that could be tried for ever is told soon", .timeLimit(.minutes(1)))
  func hostilePattern() {
    let text = "/" + String(repeating: "a", count: 100)
    for repeated in ["*a", "*?", "*[a-z]", "{a,aa}", "*{,a,aa}", "{,}*"] {
      let pattern = String(repeating: repeated, count: 126 / repeated.count)
      #expect(!AddressPattern("/" + pattern.dropLast(2) + "b").matches(text))
    }
    #expect(AddressPattern("/" + String(repeating: "*a", count: 60)).matches(text))
    #expect(!AddressPattern("/" + String(repeating: "*a", count: 30_000)).matches(text))
  }

  @Test("Whatever the pattern, it matches what trying every way finds")
  func everyWay() {
    var random = SystemRandomNumberGenerator()
    let signs = ["a", "b", "-", "*", "?", "[ab]", "[!a]", "[a-b]", "{a,b}", "{ab,}", "{a", "[b", "]", "}", "ä"]
    var matches = 0
    for _ in 0..<20_000 {
      let pattern = (0..<Int.random(in: 0...6, using: &random)).map { _ in signs.randomElement(using: &random) ?? "" }
      let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        ["a", "b", "-", "ä"].randomElement(using: &random) ?? ""
      }
      let (first, second) = (pattern.joined(), text.joined())
      let holds = AddressPattern(first).matches(second)
      #expect(holds == EveryWay.matches(Array(first.utf8)[...], Array(second.utf8)[...]), "\(first) \(second)")
      if holds { matches += 1 }
    }
    #expect(matches > 100)
  }

  @Test("What the patterns of one event can reach is bounded, and that of the next one anew")
  func bound() {
    var desk = Desk()
    for number in 0..<1024 { desk.send("/session/open s\(number) ambient") }
    #expect(desk.send("/*/*/*").refusals.isEmpty)
    desk.state.beginEvent(at: 1e6)
    var reached = 0
    var refusals: [Refusal] = []
    for _ in 0..<50 {
      let replies = AddressTable.apply(Message("/session/*/*"), to: &desk.state)
      reached += replies.count
      refusals += replies.refusals
    }
    #expect(reached < ControlState.mostReached + 100)
    #expect(Set(refusals.map(\.code)) == [.tooMany])
    // What names its address is heard all the same.
    #expect(AddressTable.apply(Message("/session/s7/volume"), to: &desk.state).refusals.isEmpty)
    _ = desk.state.endEvent()
    #expect(desk.send("/session/*/mute true").refusals.isEmpty)
  }

  @Test("Matches come in the order of the table, then of the opening of sessions")
  func order() {
    var desk = Desk("/session/open zither playback", "/session/open alphorn playback")
    #expect(
      desk.send("/session/*/{mute,solo,title}").addresses == [
        "/session/zither/title", "/session/alphorn/title", "/session/zither/mute", "/session/alphorn/mute",
        "/session/zither/solo", "/session/alphorn/solo",
      ])
    #expect(
      desk.send("/{input,route}/*/available").addresses == [
        "/route/speaker/available", "/route/headphones/available", "/route/line/available", "/route/usb/available",
        "/input/mic/available", "/input/headset/available",
      ])
    let table = AddressTable.endpoints.map(\.address)
    let reached = desk.send("/session/zither/*").addresses.map {
      $0.replacing("/zither/", with: "/NAME/")
    }
    #expect(reached == table.filter(reached.contains))
  }

  @Test("Each match is for itself: what is refused is answered with its own address")
  func eachForItself() {
    var desk = Desk("/session/open film playback", "/session/open rain ambient", "/session/open memo record")
    #expect(
      desk.send("/session/*/options mixWithOthers").addresses == ["/session/rain/options", "/session/memo/options"])
    #expect(desk.read("/session/film/options") == ["mixWithOthers"])
  }

  @Test("A pattern that reads reaches what can be read, and all of it")
  func readsEverything() {
    var desk = Desk("/session/open music playback")
    let everything = ["/*/*", "/*/*/*", "/*/*/*/*"].flatMap { desk.send($0).addresses }
    let readable = AddressTable.endpoints.filter(\.isReadable)
    for endpoint in readable {
      let names: [String] =
        switch endpoint.subject {
        case .one: [""]
        case .session: ["music"]
        case .route: ["speaker", "headphones", "line", "usb"]
        case .input: ["mic", "headset"]
        }
      for name in names {
        let address = name.isEmpty ? endpoint.address : endpoint.address(of: name)
        #expect(everything.filter { $0 == address }.count == 1, "\(address)")
      }
    }
  }

  @Test("No pattern presses a button, with arguments or without")
  func acts() {
    for act in AddressTable.endpoints where act.access == .act {
      var desk = Desk("/session/open music playback", "/session/music/playing true", "/host/ringer 0.5")
      let before = desk.values
      let pattern = String(act.address.dropLast()) + "?"
      for arguments: [Argument] in [[], ["music"], ["begin", "fire"], [.int(1)], ["music", "playback"]] {
        let replies = desk.send(Message(pattern, arguments))
        #expect(!replies.contains { if case .request = $0 { true } else { false } })
      }
      #expect(desk.values == before, "\(act.address)")
      #expect(desk.notices == [])
    }
  }

  @Test("What cannot be read is left out of a reading pattern, and reached by one that sets")
  func writeOnly() {
    var desk = Desk("/session/open music playback", "/session/music/playing true")
    #expect(desk.send("/session/*/interruptio?").refusals.map(\.code) == [.badAddress])
    #expect(desk.send("/session/*/interruptio? begin desk") == [])
    #expect(desk.read("/session/music/causes") == ["session:desk"])
  }

  @Test("A pattern that matches nothing is a bad address")
  func noMatch() {
    var desk = Desk()
    #expect(desk.send("/session/*/mute true").refusals.map(\.code) == [.badAddress])
    #expect(desk.send("/session/*/mute").addresses == ["/session/*/mute"])
    #expect(AddressTable.matchCount(of: Message("/session/*/mute"), in: desk.state.policy) == 0)
    desk.send("/session/open music playback")
    desk.send("/session/open film playback")
    #expect(AddressTable.matchCount(of: Message("/session/*/mute"), in: desk.state.policy) == 2)
    #expect(AddressTable.matchCount(of: Message("/session/film/mute"), in: desk.state.policy) == 1)
  }

  @Test("The matches are settled before the first is applied")
  func settledFirst() {
    var desk = Desk(
      "/session/open film playback", "/session/open music playback", "/session/film/playing true")
    #expect(desk.send("/session/*/active true") == [])
    #expect(desk.read("/session/film/state") == ["interrupted"])
    #expect(desk.read("/session/music/state") == ["active"])
  }
}
