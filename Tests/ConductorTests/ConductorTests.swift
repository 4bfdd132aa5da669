import AddressSpace
import Conductor
import Presets
import Testing

@Suite struct `A conductor without audio` {
  @Test func `says at once that all is in force`() {
    let host = Host()
    host.send(Message("/host/ringer", 0.5), Message("/sync", 7), from: .surface)
    #expect(host.mail(of: .surface) == [Message("/synced", 7)])
  }

  @Test func `answers who asks, and nobody else`() {
    let host = Host()
    host.send(Message("/eider/ping", 1, "two"), Message("/eider/version"), from: .surface)
    #expect(host.mail(of: .surface) == [Message("/eider/pong", 1, "two"), Message("/eider/version", "1.2.3")])
    host.send(Message("/host/ringer"), from: .tablet)
    #expect(host.mail(of: .tablet) == [Message("/host/ringer", .float(1))])
    #expect(host.mail(of: .surface).isEmpty)
  }

  @Test func `tells every figure as its status`() {
    let host = Host()
    host.conductor.figures = { [.string($0.rawValue)] }
    host.send(Message("/eider/status"), from: .surface)
    #expect(
      host.mail(of: .surface)
        == DaemonFigure.allCases.map { Message("/eider/\($0.rawValue)", .string($0.rawValue)) })
  }

  @Test func `leaves to the daemon what only it can do`() {
    let host = Host()
    host.send(
      Message("/eider/time"), Message("/client/bools", "int"), Message("/client/bools", "typed"),
      Message("/eider/quit"), from: .surface)
    #expect(
      host.others == [
        .time(to: .surface), .boolsAsInts(true, for: .surface), .boolsAsInts(false, for: .surface),
        .quit(from: .surface),
      ])
  }

  @Test func `refuses with a code, and goes on with the rest of the bundle`() {
    let host = Host()
    host.send(
      Message("/nowhere"), Message("/session/nobody/volume", 1), Message("/host/volumeControl", "x"),
      Message("/client/bools", "maybe"), Message("/host/ringer", 0.25), from: .surface)
    let mail = host.mail(of: .surface)
    #expect(mail.map(\.errorCode) == ["badAddress", "noSuchSession", "forbidden", "outOfRange"])
    #expect(
      mail.map { $0.arguments.first }
        == ["/nowhere", "/session/nobody/volume", "/host/volumeControl", "/client/bools"])
    #expect(host.conductor.policy.ringerVolume == 0.25)
  }

  @Test func `does timed events in the order of their frames, and equal ones as they came`() {
    let host = Host()
    host.subscribe(.surface, to: "/session/{opened,closed}")
    host.schedule(Message("/session/open", "third", "ambient"), in: 0.3)
    host.schedule(Message("/session/open", "first", "ambient"), in: 0.1)
    host.schedule(Message("/session/open", "second", "ambient"), in: 0.2)
    host.schedule(Message("/session/close", "second"), in: 0.2)
    host.wait(0.05)
    #expect(host.mail(of: .surface).isEmpty)
    host.wait(0.5)
    let mail = host.timedMail(of: .surface)
    #expect(
      mail.map(\.message) == [
        Message("/session/opened", "first"), Message("/session/opened", "second"), Message("/session/closed", "second"),
        Message("/session/opened", "third"),
      ])
    #expect(zip(mail.map(\.time), [0.1, 0.2, 0.2, 0.3]).allSatisfy { abs($0 - $1) < 0.001 })
  }

  @Test func `recalls a scene as one event`() {
    var preset = Preset.scriptDefault
    var scene = Preset.Scene(name: "closing")
    scene.set = [
      Message("/host/interruption", "begin", "host"), Message("/host/interruption", "end", "host", "resumable"),
      Message("/session/music/volume", 0.5),
    ]
    preset.scenes = [scene]
    let host = Host(preset)
    host.send(Message("/session/open", "music", "playback"), Message("/session/music/playing", true))
    host.subscribe(.surface, to: "/session/music/interruption")
    host.subscribe(.surface, to: "/scene/recalled")
    host.send(Message("/scene/recall", "closing", 0))
    // It was not interrupted before and is not afterwards: there is nothing to tell.
    #expect(host.mail(of: .surface) == [Message("/scene/recalled", "closing")])
    #expect(host.conductor.policy.session(named: "music")?.volume == 0.5)
  }

  @Test func `recalls the scene of the start before anybody comes`() {
    var preset = Preset.scriptDefault
    var scene = Preset.Scene(name: "day")
    scene.set = [Message("/host/ringer", 0.5)]
    preset.scenes = [scene]
    preset.start.scene = "day"
    preset.start.set = [Message("/host/silent", true)]
    let host = Host(preset)
    host.send(Message("/scene/current"), Message("/host/ringer"), Message("/host/silent"), from: .surface)
    #expect(
      host.mail(of: .surface)
        == [Message("/scene/current", "day"), Message("/host/ringer", .float(0.5)), Message("/host/silent", true)])
  }

  @Test func `pauses everything in a panic, and nothing starts by itself`() {
    let host = Host()
    host.send(
      Message("/session/open", "music", "playback"), Message("/session/open", "guide", "playback"),
      Message("/session/music/playing", true), Message("/session/guide/playing", true))
    host.send(Message("/host/panic"))
    host.send(Message("/session/guide/active", false, "notifyOthers"))
    host.send(Message("/session/*/playing"), from: .surface)
    #expect(host.mail(of: .surface).map(\.arguments) == [[false], [false]])
  }

  @Test func `releases an idle session at its time, and tells those whom it had interrupted`() {
    let host = Host()
    host.send(
      Message("/session/open", "music", "playback"), Message("/session/open", "visitor", "playback"),
      Message("/session/music/playing", true), Message("/session/visitor/idleRelease", 5),
      Message("/session/visitor/active", true))
    host.subscribe(.surface, to: "/session/music/interruption")
    host.wait(6)
    let mail = host.timedMail(of: .surface).filter { $0.message.address == "/session/music/interruption" }
    #expect(mail.map(\.message) == [Message("/session/music/interruption", "end", 1)])
    #expect(mail.allSatisfy { abs($0.time - 5) < 0.001 })
  }
}
