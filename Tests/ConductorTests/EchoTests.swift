import AddressSpace
import Conductor
import Testing

@Suite struct `The hand that moves` {
  private func host() -> Host {
    let host = Host()
    host.send(Message("/session/open", "music", "playback"))
    host.subscribe(.surface)
    host.subscribe(.tablet)
    host.wait(0.2)
    _ = host.mail(of: .surface)
    _ = host.mail(of: .tablet)
    return host
  }

  @Test func `is not told what it sets, everybody else is`() {
    let host = host()
    for step in 1...20 {
      host.send(Message("/session/music/volume", .double(Double(step) / 32)), from: .surface)
      host.wait(0.01)
    }
    host.wait(0.2)
    #expect(host.mail(of: .surface).of("/session/music/volume").isEmpty)
    #expect(host.mail(of: .tablet).of("/session/music/volume").last?.arguments == [.float(20.0 / 32)])
  }

  @Test(arguments: [
    Message("/session/music/priority", .float(7)), Message("/session/music/mute", 1),
    Message("/session/music/title", "Songs"), Message("/session/music/routes", "speaker"),
    Message("/session/music/category", "playback", "mixWithOthers"),
    Message("/session/music/active", true), Message("/session/music/duck/depth", .double(-20.1)),
  ])
  func `knows what it set, in whatever type it was sent`(_ message: Message) {
    let host = host()
    host.send(message, from: .surface)
    host.wait(0.2)
    #expect(host.mail(of: .surface).of(message.address).isEmpty)
    #expect(host.mail(of: .tablet).of("/error").isEmpty)
  }

  @Test func `is told what was clamped, again and again`() {
    let host = host()
    host.send(Message("/session/music/pan", 3.0), from: .surface)
    host.wait(0.2)
    #expect(host.mail(of: .surface).of("/session/music/pan") == [Message("/session/music/pan", .float(1))])
    host.send(Message("/session/music/pan", 4.0), from: .surface)
    host.wait(0.2)
    #expect(host.mail(of: .surface).of("/session/music/pan") == [Message("/session/music/pan", .float(1))])
    #expect(host.mail(of: .tablet).of("/session/music/pan") == [Message("/session/music/pan", .float(1))])
  }

  @Test func `is told the true value of what was refused, so that its button springs back`() {
    let host = host()
    host.send(Message("/host/interruption", "begin", "alarm"))
    host.wait(0.2)
    _ = host.mail(of: .surface)
    host.send(Message("/session/music/playing", true), from: .surface)
    host.wait(0.2)
    let mail = host.mail(of: .surface)
    #expect(mail.compactMap(\.errorCode) == ["insufficientPriority"])
    #expect(mail.of("/session/music/playing") == [Message("/session/music/playing", false)])
  }

  @Test func `is told what else has come of it`() {
    let host = host()
    host.send(Message("/session/music/playing", true), from: .surface)
    host.wait(0.2)
    let mail = host.mail(of: .surface)
    #expect(mail.of("/session/music/playing").isEmpty)
    #expect(mail.of("/session/music/state") == [Message("/session/music/state", "active")])
    #expect(mail.of("/session/music/active") == [Message("/session/music/active", true)])
    #expect(mail.of("/session/music/silence") == [Message("/session/music/silence", "none")])
  }

  @Test func `is told when another hand has moved the same fader in the meantime`() {
    let host = host()
    host.send(Message("/host/ringer", 0.25), from: .surface)
    host.send(Message("/host/ringer", 0.5), from: .tablet)
    host.wait(0.2)
    #expect(host.mail(of: .surface).of("/host/ringer") == [Message("/host/ringer", .float(0.5))])
    #expect(host.mail(of: .tablet).of("/host/ringer").isEmpty)
  }

  @Test func `is told when the same bundle has changed it once more by a scene`() {
    let host = host()
    host.send(Message("/scene/store", "now"))
    host.wait(0.2)
    _ = host.mail(of: .surface)
    host.send(Message("/host/ringer", 0.25), Message("/scene/recall", "now", 0), from: .surface)
    host.wait(0.2)
    #expect(host.mail(of: .surface).of("/host/ringer") == [Message("/host/ringer", .float(1))])
  }

  @Test func `sets many faders by a pattern and is told none of them`() {
    let host = host()
    host.send(Message("/session/open", "guide", "playback"), from: .surface)
    host.wait(0.2)
    _ = host.mail(of: .surface)
    host.send(Message("/session/*/mute", true), from: .surface)
    host.wait(0.2)
    #expect(host.mail(of: .surface).filter { $0.address.hasSuffix("/mute") }.isEmpty)
    #expect(host.mail(of: .tablet).filter { $0.address.hasSuffix("/mute") }.count == 3)
  }

  @Test func `is the one that subscribed for a URL, and the one at the URL`() {
    let host = Host()
    host.byURL["osc.udp://10.0.0.9:9000/"] = .phone
    host.send(Message("/subscribe", "/host/ringer", 20, "osc.udp://10.0.0.9:9000/"), from: .surface)
    host.wait(0.1)
    #expect(host.mail(of: .phone).last == Message("/subscribed", "/host/ringer", 1))
    host.send(Message("/host/ringer", 0.25), from: .surface)
    host.wait(0.1)
    #expect(host.mail(of: .phone).isEmpty)
    host.send(Message("/host/ringer", 0.5), from: .tablet)
    host.wait(0.1)
    #expect(host.mail(of: .phone) == [Message("/host/ringer", .float(0.5))])
    #expect(host.mail(of: .surface).isEmpty)
  }

  @Test func `that opens a session and sets it up is told the rest of it`() {
    let host = host()
    host.send(
      Message("/session/open", "guide", "playback"), Message("/session/guide/volume", 0.5), from: .surface)
    host.wait(0.2)
    let mail = host.mail(of: .surface)
    #expect(mail.of("/session/guide/volume").isEmpty)
    #expect(mail.of("/session/guide/pan") == [Message("/session/guide/pan", .float(0))])
    #expect(host.mail(of: .tablet).of("/session/guide/volume").map(\.arguments) == [[.float(0.5)]])
    host.send(Message("/session/music/volume", 0.125), Message("/session/music/pan", 0.5), from: .surface)
    host.wait(0.2)
    #expect(
      host.mail(of: .tablet).map(\.address) == ["/session/music/volume", "/session/music/pan"].sorted().reversed())
  }

  @Test func `does not hide what others changed in the event in which it opens a session`() {
    let host = host()
    host.send(
      Message("/session/music/pan", 0.5), Message("/session/open", "guide", "playback"),
      Message("/session/guide/volume", 0.5), from: .surface)
    host.wait(0.2)
    #expect(host.mail(of: .tablet).of("/session/music/pan") == [Message("/session/music/pan", .float(0.5))])
  }
}

@Suite struct `Notices` {
  @Test func `are told to whoever listens to their address, in their order, to the one who caused them too`() {
    let host = Host()
    host.send(
      Message("/session/open", "music", "playback"), Message("/session/open", "guide", "playback"),
      Message("/session/music/playing", true))
    host.subscribe(.surface, to: "/session/music/interruption")
    host.subscribe(.tablet, to: "/session/*/interruption")
    host.subscribe(.phone, to: "/session/guide/*")
    for _ in 1...3 {
      host.send(Message("/session/guide/active", true), from: .surface)
      host.send(Message("/session/guide/active", false, "notifyOthers"), from: .surface)
    }
    let expected = (1...3).flatMap { _ in
      [
        Message("/session/music/interruption", "begin", "guide"), Message("/session/music/interruption", "end", 1),
      ]
    }
    #expect(host.mail(of: .surface) == expected)
    #expect(host.mail(of: .tablet) == expected)
    #expect(host.mail(of: .phone).filter { $0.address.hasSuffix("interruption") }.isEmpty)
  }

  @Test func `of openings, closings, routes and scenes`() {
    let host = Host()
    host.subscribe(.surface, to: "/session/{opened,closed}")
    host.subscribe(.surface, to: "/host/route")
    host.send(Message("/session/open", "music", "playback"))
    host.send(Message("/route/headphones/available", true))
    host.send(Message("/session/close", "music"))
    let mail = host.mail(of: .surface)
    #expect(mail.of("/session/opened") == [Message("/session/opened", "music")])
    #expect(mail.of("/session/closed") == [Message("/session/closed", "music")])
    #expect(mail.of("/host/route").first == Message("/host/route", "headphones", "newDeviceAvailable"))
  }
}
