import AddressSpace
import SessionPolicy
import Testing

/// A number and where it ends.
struct RangeCase: Sendable, CustomTestStringConvertible {
  let address: String
  let range: ClosedRange<Double>
  var testDescription: String { address }

  init(_ address: String, _ range: ClosedRange<Double>) {
    self.address = address
    self.range = range
  }
}

private let clamped = [
  RangeCase("/host/volume", 0...1), RangeCase("/host/ringer", 0...1), RangeCase("/route/headphones/volume", 0...1),
  RangeCase("/route/speaker/trim", -60...12), RangeCase("/session/music/volume", 0...1),
  RangeCase("/session/music/pan", -1...1),
]

private let refused = [
  RangeCase("/session/music/priority", -100...100), RangeCase("/session/music/idleRelease", 0...86400),
  RangeCase("/session/music/activationThreshold", -120...0), RangeCase("/session/music/activationHold", 0...600_000),
  RangeCase("/session/music/linger", 0...600_000), RangeCase("/session/music/duck/depth", -60...0),
  RangeCase("/session/music/duck/attack", 1...5000), RangeCase("/session/music/duck/hold", 0...10000),
  RangeCase("/session/music/duck/release", 1...10000), RangeCase("/session/music/duck/threshold", -80...0),
  RangeCase("/session/music/duck/margin", 0...40), RangeCase("/session/music/duck/maxDepth", -60...0),
  RangeCase("/route/speaker/limit", -60...1),
]

@Suite("Arguments")
struct ArgumentTests {
  private func number(_ desk: Desk, _ address: String) -> Double? { desk.read(address)?.first?.number }

  @Test("Faders, pan and trim clamp", arguments: clamped)
  func clamps(_ it: RangeCase) {
    var desk = Desk("/session/open music playback")
    for (given, kept) in [
      (it.range.lowerBound, it.range.lowerBound), (it.range.lowerBound - 0.001, it.range.lowerBound),
      (-1e30, it.range.lowerBound), (it.range.upperBound, it.range.upperBound),
      (it.range.upperBound + 0.001, it.range.upperBound), (1e30, it.range.upperBound),
    ] {
      #expect(desk.send(Message(it.address, .double(given))) == [])
      #expect(number(desk, it.address) == kept)
    }
  }

  @Test("Everything else out of its range is refused, and its ends are not", arguments: refused)
  func refuses(_ it: RangeCase) {
    var desk = Desk("/session/open music playback")
    for good in [it.range.lowerBound, it.range.upperBound] {
      #expect(desk.send(Message(it.address, .double(good))) == [])
      for bad in [it.range.lowerBound - 1, it.range.upperBound + 1, 1e30, -1e30] {
        #expect(desk.send(Message(it.address, .double(bad))).refusals.map(\.code) == [.outOfRange])
      }
      #expect(number(desk, it.address) == good)
    }
  }

  @Test("The limiter's ceiling is at most 0 dBFS, or 1 for off")
  func limit() {
    var desk = Desk()
    #expect(desk.code("/route/speaker/limit 0.5") == .outOfRange)
    #expect(desk.code("/route/speaker/limit 0") == nil)
    #expect(desk.state.policy.outputRoutes[0].limit == 0)
    #expect(desk.code("/route/speaker/limit 1") == nil)
    #expect(desk.state.policy.outputRoutes[0].limit == nil)
    #expect(desk.read("/route/speaker/limit") == [.float(1)])
  }

  @Test("A number comes as any type of number, but not as NaN, infinity, a bool or a text")
  func numbers() {
    var desk = Desk("/session/open music playback")
    for half: Argument in [.float(0.5), .double(0.5)] {
      desk.send("/session/music/volume 0")
      #expect(desk.send(Message("/session/music/volume", half)) == [])
      #expect(number(desk, "/session/music/volume") == 0.5)
    }
    for one: Argument in [.int(1), .long(1)] {
      desk.send("/session/music/volume 0")
      #expect(desk.send(Message("/session/music/volume", one)) == [])
      #expect(number(desk, "/session/music/volume") == 1)
    }
    for bad: Argument in [
      .float(.nan), .double(.nan), .double(.infinity), .float(-.infinity), true, "0.5", "", .other(tag: "b"),
    ] {
      for address in ["/session/music/volume", "/session/music/priority", "/session/music/idleRelease"] {
        #expect(desk.send(Message(address, bad)).refusals.map(\.code) == [.badArguments])
      }
    }
    #expect(number(desk, "/session/music/volume") == 1)
  }

  @Test("A whole number may come as a decimal without a fraction, of any size")
  func wholeNumbers() {
    var desk = Desk("/session/open music playback")
    #expect(desk.send(Message("/session/music/priority", .double(12))) == [])
    #expect(desk.read("/session/music/priority") == [.int(12)])
    #expect(desk.send(Message("/session/music/priority", .float(1.5))).refusals.map(\.code) == [.badArguments])
    #expect(desk.send(Message("/session/music/priority", .long(.max))).refusals.map(\.code) == [.outOfRange])
    #expect(desk.send(Message("/session/music/priority", .double(1e300))).refusals.map(\.code) == [.outOfRange])
    #expect(desk.send(Message("/sync", .long(1 << 40))).refusals.map(\.code) == [.outOfRange])
    #expect(desk.send(Message("/sync", .int(.min))) == [.request(.sync(.min))])
  }

  @Test("A bool comes as T, F or any number; any number but 0 is true")
  func bools() {
    var desk = Desk("/session/open music playback")
    let truths: [Argument] = [true, .int(1), .int(-1), .float(0.5), .long(2), .double(-0.1)]
    let lies: [Argument] = [false, .int(0), .float(0), .long(0), .double(-0.0)]
    for truth in truths {
      desk.send("/session/music/mute false")
      #expect(desk.send(Message("/session/music/mute", truth)) == [])
      #expect(desk.read("/session/music/mute") == [true])
      for lie in lies {
        #expect(desk.send(Message("/session/music/mute", lie)) == [])
        #expect(desk.read("/session/music/mute") == [false])
        desk.send("/session/music/mute true")
      }
    }
    for bad: Argument in ["true", .double(.nan), .float(.infinity), .other(tag: "N")] {
      #expect(desk.send(Message("/session/music/mute", bad)).refusals.map(\.code) == [.badArguments])
    }
  }

  @Test(
    "An unknown word of an enumeration is out of range",
    arguments: [
      "/session/music/onRouteLoss", "/session/music/activation", "/session/music/duck/trigger",
      "/session/music/duck/style", "/session/music/remote", "/host/cover", "/host/remote", "/client/bools",
    ])
  func unknownWords(address: String) {
    var desk = Desk("/session/open music playback")
    #expect(desk.code("\(address) banana") == .outOfRange)
    #expect(desk.code("\(address) 5") == .badArguments)
    #expect(desk.code("\(address) true") == .badArguments)
  }

  @Test("An unknown category, option or mode is an incompatible one")
  func unknownSettings() {
    var desk = Desk("/session/open music playback")
    #expect(desk.code("/session/open film banana") == .incompatibleCategory)
    #expect(desk.code("/session/music/category banana") == .incompatibleCategory)
    #expect(desk.code("/session/music/category playback banana") == .incompatibleCategory)
    #expect(desk.code("/session/music/category playback none") == .incompatibleCategory)
    #expect(desk.code("/session/music/options banana") == .incompatibleCategory)
    #expect(desk.code("/session/music/options none duckOthers") == .incompatibleCategory)
    #expect(desk.code("/session/music/mode banana") == .incompatibleCategory)
    #expect(desk.code("/session/music/mode 1") == .badArguments)
  }

  @Test("Opening judges its words, then the name, then the category, then the room")
  func opening() {
    var desk = Desk("/session/open music playback")
    #expect(desk.code("/session/open") == .badArguments)
    #expect(desk.code("/session/open film") == .badArguments)
    #expect(desk.code("/session/open film playback Title more") == .badArguments)
    #expect(desk.code("/session/open mic banana more more") == .badArguments)
    #expect(desk.code("/session/open 5 playback") == .badArguments)
    #expect(desk.code("/session/open mic banana") == .badName)
    #expect(desk.code("/session/open music banana") == .nameTaken)
    #expect(desk.code("/session/open film banana") == .incompatibleCategory)
    for number in 1..<1024 { #expect(desk.code("/session/open s\(number) playback") == nil) }
    #expect(desk.code("/session/open film playback") == .tooMany)
    #expect(desk.code("/session/open music playback") == .nameTaken)
    desk.send("/session/close s7")
    #expect(desk.code("/session/open film playback") == nil)
  }

  @Test("Names of routes and sessions that are not there are told apart from addresses that are not there")
  func unknownNames() {
    var desk = Desk("/session/open music playback")
    #expect(desk.code("/session/nobody/volume") == .noSuchSession)
    #expect(desk.code("/session/nobody/banana 1") == .noSuchSession)
    #expect(desk.code("/session/close nobody") == .noSuchSession)
    #expect(desk.code("/session/music/banana 1") == .badAddress)
    #expect(desk.code("/session/music") == .badAddress)
    #expect(desk.code("/session/music/duck") == .badAddress)
    #expect(desk.code("/session/music/volume/deep 1") == .badAddress)
    #expect(desk.code("/route/attic/volume 1") == .noSuchRoute)
    #expect(desk.code("/input/attic/available") == .noSuchRoute)
    #expect(desk.code("/input/speaker/available") == .noSuchRoute)
    #expect(desk.code("/route/speaker/banana") == .badAddress)
    #expect(desk.code("/host/route attic") == .noSuchRoute)
    #expect(desk.code("/session/music/routes speaker attic") == .noSuchRoute)
    #expect(desk.code("/session/music/routes none speaker") == .noSuchRoute)
    #expect(desk.read("/session/music/routes") == [])
    #expect(desk.code("/scene/recall night") == .noSuchScene)
    #expect(desk.code("/banana") == .badAddress)
    #expect(desk.code("/") == .badAddress)
    #expect(desk.code("host/volume 1") == .badAddress)
    #expect(desk.code("/host/volume/ 1") == .badAddress)
  }

  @Test("What is detected from ports, a fixed volume and a mute under the cover are not anybody's to set")
  func forbidden() {
    var desk = Desk("/session/open chat playAndRecord", "/session/chat/options overrideMutedMicrophoneInterruption")
    #expect(desk.code("/route/usb/available true") == .forbidden)
    #expect(desk.code("/input/headset/available false") == .forbidden)
    desk.send("/route/line/available true")
    desk.send("/host/route line")
    #expect(desk.read("/host/volume") == [.float(1)])
    #expect(desk.read("/host/volumeControl") == ["Line out"])
    #expect(desk.code("/host/volume 0.5") == .resourceNotAvailable)
    desk.send("/session/chat/active true")
    desk.send("/host/cover closed")
    #expect(desk.code("/session/chat/micMute false") == .forbidden)
    #expect(desk.code("/session/chat/micMute true") == nil)
  }

  @Test("The refusals of the policy reach the sender with their codes")
  func policyRefusals() {
    var desk = Desk(
      "/session/open film playback", "/session/open memo record", "/session/open game ambient",
      "/session/open radio playback", "/session/open phone call", "/session/radio/active true")
    desk.send("/session/*/foreground false")
    #expect(desk.code("/session/film/playing true") == .cannotInterruptOthers)
    #expect(desk.code("/session/game/active true") == .cannotStartPlaying)
    #expect(desk.code("/session/memo/active true") == .cannotStartRecording)
    desk.send("/input/mic/available false")
    #expect(desk.code("/session/phone/active true") == .resourceNotAvailable)
    #expect(desk.code("/host/route headphones") == .resourceNotAvailable)
    desk.send("/input/mic/available true")
    desk.send("/session/phone/active true")
    #expect(desk.code("/session/film/playing true") == .insufficientPriority)
  }

  @Test("A complaint names the argument, what was expected and what came")
  func messages() {
    var desk = Desk("/session/open music playback")
    func message(_ words: String) -> String? { desk.send(words).refusals.first?.message }
    #expect(message("/session/music/priority 101") == "argument 1: expected a whole number -100…100, got 101")
    #expect(message("/session/music/volume loud") == "argument 1: expected a number 0…1, got loud")
    #expect(message("/session/music/idleRelease -2") == "argument 1: expected a number 0…86400 s, got -2")
    #expect(message("/session/music/volume 1 2") == "argument 2 is one too many: expected 1, got 2")
    #expect(
      message("/session/open film") == "argument 2 is missing: expected one of "
        + "auto soloAmbient ambient playback record playAndRecord audioProcessing systemSound ringtone call")
    #expect(
      message("/session/music/activation later") == "argument 1: expected one of manual connected signal, got \"later\""
    )
    #expect(message("/host/route attic") == "there is no output route \"attic\", there is speaker headphones line usb")
    #expect(message("/session/nobody/mute true") == "no session named \"nobody\" is open")
    #expect(message("/session/music/state x") == "/session/NAME/state can only be read")
    #expect(message("/banana") == "there is no address /banana")
  }
}
