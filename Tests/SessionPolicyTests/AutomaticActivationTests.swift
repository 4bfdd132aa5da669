import SessionPolicy
import Testing

@Suite("Who activates (§9)")
struct AutomaticActivationTests {
  @Test("A connection plays a session that is activated by it, and its end deactivates it")
  func connected() {
    var host = Host()
    host.open("music", .playback, activation: .connected)
    host.connect("music")
    #expect(host.state.isAudible(host["music"]))
    host.connect("music", false)
    #expect(host["music"].state == .inactive)
  }

  @Test("A signal plays a session that is activated by it, and its end deactivates it")
  func signal() {
    var host = Host()
    host.open("guide", .playback, activation: .signal)
    host.connect("guide")
    #expect(host["guide"].state == .inactive)
    host.signal("guide")
    #expect(host["guide"].playing)
    host.connect("guide", false)
    #expect(host["guide"].playing)
    host.signal("guide", false)
    #expect(host["guide"].state == .inactive)
  }

  @Test("A manual one heeds neither, until it is said to: then what is there already counts")
  func manual() {
    var host = Host()
    host.open("music", .playback)
    host.connect("music")
    host.signal("music")
    #expect(host["music"].state == .inactive)
    host.tell("music") { .set($0, .activation(.connected)) }
    #expect(host["music"].playing)
    host.tell("music") { .set($0, .activation(.manual)) }
    host.connect("music", false)
    #expect(host["music"].playing)
  }

  @Test("What is deactivated gives the floor back resumably, unless it is a player", arguments: [true, false])
  func givingBack(controls: Bool) {
    var host = Host()
    host.open("radio", .playback, controls: true)
    host.open("guide", .playback, controls: controls, activation: .signal)
    host.play("radio")
    host.signal("guide")
    #expect(host.notices == [.interruptionBegan(session: "radio", cause: "guide")])
    host.signal("guide", false)
    #expect(host.notices == [.interruptionEnded(session: "radio", shouldResume: !controls)])
  }

  @Test("A dead program holds no floor, whoever activates it", arguments: [Activation.manual, .connected, .signal])
  func linger(activation: Activation) {
    var host = Host()
    host.open("radio", .playback, controls: true)
    host.open("film", .playback, activation: activation)
    host.play("radio")
    host.connect("film")
    host.signal("film")
    if activation == .manual { host.play("film") }
    #expect(host["radio"].state == .interrupted)
    host.tell("film") { .clientsLost($0) }
    #expect(host["film"].state == .inactive)
    #expect(host.notices == [.interruptionEnded(session: "radio", shouldResume: true)])
    // The program returns, and its signal is news.
    host.signal("film")
    #expect(host["film"].playing == (activation == .signal))
  }

  @Test("A person may pause it, and nothing plays it again while its connection or signal lasts")
  func pausing() {
    var host = Host()
    host.open("music", .playback, activation: .signal)
    host.signal("music")
    host.pause("music")
    host.happen(.setSilent(true))
    host.signal("music")
    #expect(!host["music"].playing)
    host.signal("music", false)
    host.signal("music")
    #expect(host["music"].playing)
  }

  // MARK: Refused, and tried again

  @Test("Refused during a call, it plays when the call is over")
  func afterACall() {
    var host = Host()
    host.open("phone", .call)
    host.open("music", .playback, activation: .connected)
    host.play("phone")
    host.connect("music")
    #expect(host["music"].state == .inactive)
    host.deactivate("phone")
    #expect(host["music"].playing)
  }

  @Test("Refused for a hold, a host interruption or want of a microphone, it plays when that has ended")
  func afterOtherRefusals() {
    var host = Host()
    host.open("memo", .record, activation: .signal)
    host.tell("memo") { .beginHold($0, source: "desk") }
    host.signal("memo")
    host.happen(.beginHostInterruption(source: "fire"))
    host.happen(.setInputAvailable(Host.microphone, false))
    host.tell("memo") { .endHold($0, source: "desk", resumable: false) }
    #expect(host["memo"].state == .inactive)
    host.happen(.endHostInterruption(source: "fire", resumable: false))
    #expect(host["memo"].state == .inactive)
    host.happen(.setInputAvailable(Host.microphone, true))
    #expect(host.state.isMicrophoneOpen(host["memo"]))
  }

  @Test(
    "Refused in the background, it plays at the front",
    arguments: [SessionPolicy.Category.ambient, .soloAmbient, .record, .playback])
  func afterTheBackground(category: SessionPolicy.Category) {
    var host = Host()
    host.open("radio", .playback)
    host.play("radio")
    host.open("game", category, activation: .connected)
    host.tell("game") { .setForeground($0, false) }
    host.connect("game")
    #expect(host["game"].state == .inactive)
    host.tell("game") { .setForeground($0, true) }
    #expect(host["game"].playing)
  }

  @Test("Refused under the cover, it is not tried again: no microphone opens because a cover opens")
  func neverAfterTheCover() {
    var host = Host()
    host.open("chat", .playAndRecord, activation: .connected)
    host.happen(.setCover(.closed))
    host.connect("chat")
    host.happen(.setCover(.open))
    #expect(host["chat"].state == .inactive)
    host.connect("chat", false)
    host.connect("chat")
    #expect(host.state.isMicrophoneOpen(host["chat"]))
  }

  @Test("Neither if the cover was what refused it in the end")
  func neverAfterTheCoverAtLast() {
    var host = Host()
    host.open("phone", .call)
    host.open("chat", .playAndRecord, activation: .connected)
    host.play("phone")
    host.connect("chat")
    host.happen(.setCover(.closed))
    host.happen(.setCover(.open))
    #expect(host["phone"].state == .inactive)
    #expect(host["chat"].state == .inactive)
  }

  @Test("It is not tried again once its connection or signal has gone, or it is to be activated otherwise")
  func demandGone() {
    var host = Host()
    host.open("phone", .call)
    host.open("music", .playback, activation: .connected)
    host.open("guide", .playback, [.mixWithOthers], activation: .signal)
    host.open("radio", .playback, [.mixWithOthers], activation: .signal)
    host.play("phone")
    host.connect("music")
    host.signal("guide")
    host.signal("radio")
    host.connect("music", false)
    host.tell("guide") { .set($0, .activation(.manual)) }
    host.tell("radio") { .clientsLost($0) }
    host.deactivate("phone")
    #expect(host.state.sessions.allSatisfy { $0.state == .inactive })
  }

  @Test("Interrupted and asked to play by its signal, it resumes; a person's pause meanwhile is the last word")
  func pauseWhileWaiting() {
    for isPaused in [false, true] {
      var host = Host()
      host.open("music", .playback, activation: .signal)
      host.signal("music")
      host.pause("music")
      host.tell("music") { .beginHold($0, source: "desk") }
      host.tell("music") { .setSignal($0, true) }
      host.bundle { state in
        let id = state.sessionID(named: "music")!
        try state.apply(.set(id, .activation(.manual)))
        try state.apply(.set(id, .activation(.signal)))
      }
      #expect(host["music"].resume)
      if isPaused {
        host.pause("music")
        #expect(!host["music"].resume)
        host.happen(.setLocked(true))
        #expect(!host["music"].resume)
      }
      host.tell("music") { .endHold($0, source: "desk", resumable: true) }
      #expect(host["music"].playing == !isPaused)
    }
  }

  @Test("Deactivated while it waits, it does not play afterwards")
  func deactivateWhileWaiting() {
    var host = Host()
    host.open("phone", .call)
    host.open("music", .playback, activation: .connected)
    host.play("phone")
    host.connect("music")
    host.deactivate("music")
    host.deactivate("phone")
    #expect(host["music"].state == .inactive)
  }

  @Test("A lost route is the last word, too: what waited does not begin at the speaker")
  func routeLossWhileWaiting() {
    var host = Host()
    host.happen(.setRouteAvailable(Host.headphones, true))
    host.open("phone", .call)
    host.open("music", .playback, activation: .connected)
    host.play("phone")
    host.connect("music")
    host.happen(.setRouteAvailable(Host.headphones, false))
    host.deactivate("phone")
    #expect(!host["music"].playing)
  }

  // MARK: Panic

  @Test("After a panic nothing plays by itself, whatever comes and goes, until it is asked to")
  func panic() {
    var host = Host()
    host.open("phone", .call)
    host.open("music", .playback, activation: .connected)
    host.open("guide", .playback, [.mixWithOthers], activation: .signal)
    host.play("phone")
    host.connect("music")
    host.signal("guide")
    host.happen(.panic)
    host.deactivate("phone")
    for name in ["music", "guide"] {
      host.connect(name, false)
      host.signal(name, false)
      host.connect(name)
      host.signal(name)
    }
    #expect(host.state.sessions.allSatisfy { !$0.playing })
    host.play("guide")
    #expect(host["guide"].playing)
    host.signal("guide", false)
    host.signal("guide")
    #expect(host["guide"].playing)
    #expect(!host["music"].playing)
  }

  @Test("A panic takes back what interrupted ones would have resumed")
  func panicWhileInterrupted() {
    var host = Host()
    host.open("radio", .playback)
    host.open("film", .playback)
    host.open("maps", .playback, [.interruptSpokenAudioAndMixWithOthers])
    host.open("book", .playback, mode: .spokenAudio)
    host.play("radio")
    host.play("book")
    host.play("maps")
    #expect(host["book"].state == .interrupted)
    host.happen(.panic)
    #expect(host.notices.contains(.interruptionEnded(session: "book", shouldResume: false)))
    #expect(host.state.sessions.allSatisfy { !$0.playing && !$0.resume })
    #expect(host["maps"].state == .active)
  }
}
