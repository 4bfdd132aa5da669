import AddressSpace
import Conductor
import Testing

@Suite struct `The life of a subscription` {
  private func isTold(_ host: Host, _ client: ReaderID) -> Bool {
    _ = host.mail(of: client)
    host.send(Message("/session/open", "probe", "ambient"))
    host.send(Message("/session/close", "probe"))
    return !host.mail(of: client).of("/session/opened").isEmpty
  }

  @Test func `ends ten seconds after it was last asked for`() {
    let host = Host()
    host.subscribe(.surface, to: "/session/opened")
    host.wait(9.9)
    #expect(isTold(host, .surface))
    host.wait(0.3)
    #expect(!isTold(host, .surface))
  }

  @Test func `goes on while it is renewed, and every subscription of the client with it`() {
    let host = Host()
    host.subscribe(.surface, to: "/session/opened")
    host.subscribe(.surface, to: "/host/ringer")
    for _ in 1...5 {
      host.wait(8)
      host.send(Message("/renew"), from: .surface)
    }
    host.wait(8)
    #expect(isTold(host, .surface))
    host.send(Message("/subscribe", "/host/silent"), from: .surface)
    host.wait(8)
    #expect(isTold(host, .surface))
  }

  @Test func `that has ended cannot be renewed, so that its client knows`() {
    let host = Host()
    host.subscribe(.surface)
    host.wait(11)
    _ = host.mail(of: .surface)
    host.send(Message("/renew"), from: .surface)
    #expect(host.mail(of: .surface).map(\.errorCode) == ["resourceNotAvailable"])
  }

  @Test func `of a connected client lasts until it hangs up`() {
    let host = Host()
    host.connected = [.surface]
    host.subscribe(.surface, to: "/session/opened")
    host.wait(600)
    #expect(isTold(host, .surface))
    host.conductor.forget(.surface)
    #expect(!isTold(host, .surface))
  }

  @Test func `for a URL is kept by the one who gave it`() {
    let host = Host()
    host.byURL["osc.udp://10.0.0.9:9000/"] = .phone
    host.send(Message("/subscribe", "/session/opened", 50, "osc.udp://10.0.0.9:9000/"), from: .surface)
    host.wait(8)
    host.send(Message("/renew"), from: .surface)
    host.wait(8)
    #expect(isTold(host, .phone))
    host.send(Message("/unsubscribe"), from: .surface)
    #expect(!isTold(host, .phone))
  }

  @Test func `asked for again by another port for the same URL stays one`() {
    let host = Host()
    host.byURL["osc.udp://10.0.0.9:9000/"] = .phone
    for number in 10..<200 {
      let client = ReaderID(number: UInt64(number))
      host.send(Message("/subscribe", "/session/opened", 50, "osc.udp://10.0.0.9:9000/"), from: client)
      #expect(host.mail(of: client).isEmpty)
    }
    _ = host.mail(of: .phone)
    host.send(Message("/session/open", "probe", "ambient"))
    #expect(host.mail(of: .phone) == [Message("/session/opened", "probe")])
  }

  @Test func `ends at once when it is given up, by pattern or as a whole`() {
    let host = Host()
    host.subscribe(.surface, to: "/host/ringer")
    host.subscribe(.surface, to: "/host/silent")
    host.send(Message("/unsubscribe", "/host/ringer"), from: .surface)
    host.send(Message("/host/ringer", 0.5), Message("/host/silent", true))
    host.wait(0.2)
    #expect(host.mail(of: .surface) == [Message("/host/silent", true)])
    host.send(Message("/unsubscribe", "/host/locked"), from: .surface)
    #expect(host.mail(of: .surface).map(\.errorCode) == ["resourceNotAvailable"])
    host.send(Message("/unsubscribe"), from: .surface)
    host.send(Message("/host/silent", false))
    host.wait(2)
    #expect(host.mail(of: .surface).isEmpty)
  }

  @Test func `shows a sign of life once a second, with the seconds since the start`() {
    let host = Host()
    host.wait(2.5)
    host.subscribe(.surface, to: "/host/ringer")
    host.wait(5)
    let signs = host.timedMail(of: .surface).filter { $0.message.address == "/eider/alive" }
    #expect(signs.map(\.message.arguments) == [[3], [4], [5], [6], [7]])
    #expect(signs.allSatisfy { abs($0.time - $0.time.rounded()) < 0.001 })
    #expect(host.mail(of: .tablet).isEmpty)
  }

  @Test func `begins anew, with all values, when it is asked for again`() {
    let host = Host()
    host.subscribe(.surface, to: "/host/ringer")
    #expect(
      host.subscribe(.surface, to: "/host/ringer", every: 500)
        == [Message("/host/ringer", .float(1)), Message("/subscribed", "/host/ringer", 1)])
    for step in 1...10 {
      host.send(Message("/host/ringer", .double(Double(step) / 32)))
      host.wait(0.1)
    }
    #expect((1...3).contains(host.mail(of: .surface).of("/host/ringer").count))
  }

  @Test func `asked for over and over does not pile up`() {
    let host = Host()
    for number in 0..<200 { host.send(Message("/session/open", .string("s\(number)"), "ambient")) }
    for _ in 1...50 { host.send(Message("/subscribe", "/session/*/volume"), from: .surface) }
    _ = host.mail(of: .surface)
    host.wait(0.5)
    #expect(host.mail(of: .surface).filter { $0.address.hasSuffix("/volume") }.count == 200)
  }
}

@Suite struct `A subscription that cannot be` {
  private func refusal(_ message: Message) -> String? {
    let host = Host()
    host.byURL["osc.udp://10.0.0.9:9000/"] = .phone
    host.send(message, from: .surface)
    let mail = host.mail(of: .surface)
    #expect(mail.count == 1)
    #expect(mail.first?.arguments.first == .string(message.address))
    return mail.first?.errorCode
  }

  @Test(arguments: [0, -1, 60_001]) func `in a period that is out of range`(_ period: Int32) {
    #expect(refusal(Message("/subscribe", "/host/ringer", .int(period))) == "outOfRange")
  }

  @Test func `with words that are not understood`() {
    #expect(refusal(Message("/subscribe", "/host/ringer", "fast")) == "badArguments")
    #expect(refusal(Message("/subscribe", "/host/ringer", 10.5)) == "badArguments")
    #expect(refusal(Message("/subscribe", 10)) == "badArguments")
    #expect(refusal(Message("/subscribe", "host/ringer")) == "badArguments")
    #expect(refusal(Message("/subscribe", "/host/ringer", 50, "http://10.0.0.9/")) == "badArguments")
    #expect(refusal(Message("/subscribe", "/host/ringer", 50, "osc.udp://10.0.0.9:9000/", 1)) == "badArguments")
    #expect(refusal(Message("/renew", 1)) == "badArguments")
  }

  @Test(arguments: ["/hots/ringer", "/session/*/volum", "/*", "/host/volumeUp", "/session/[", "/"])
  func `of what nothing can ever match`(_ pattern: String) {
    #expect(refusal(Message("/subscribe", .string(pattern))) == "badAddress")
  }

  @Test(arguments: ["/session/nobody/volume", "/session/*/interruption", "/scene/recalled", "/session/?*/paused", "*"])
  func `is not one that may match something later`(_ pattern: String) {
    let host = Host()
    #expect(host.subscribe(.surface, to: pattern).last?.address == "/subscribed")
  }

  @Test func `by a 65th client, and none of the others is thrown out`() {
    let host = Host()
    for number in 1...64 { host.subscribe(ReaderID(number: UInt64(number)), to: "/host/ringer") }
    let late = ReaderID(number: 65)
    host.send(Message("/subscribe", "/host/ringer"), from: late)
    #expect(host.mail(of: late).map(\.errorCode) == ["tooMany"])
    host.send(Message("/subscribe", "/host/silent"), from: ReaderID(number: 64))
    #expect(host.mail(of: ReaderID(number: 64)).last == Message("/subscribed", "/host/silent", 1))
    host.send(Message("/host/ringer", 0.5))
    host.wait(0.2)
    for number in 1...64 { #expect(host.mail(of: ReaderID(number: UInt64(number))).of("/host/ringer").count == 1) }
    host.send(Message("/unsubscribe"), from: ReaderID(number: 7))
    #expect(host.subscribe(late, to: "/host/ringer").last?.address == "/subscribed")
  }

  @Test func `of a 65th pattern by one client`() {
    let host = Host()
    for number in 1...64 { host.subscribe(.surface, to: "/session/s\(number)/volume") }
    host.send(Message("/subscribe", "/host/ringer"), from: .surface)
    #expect(host.mail(of: .surface).map(\.errorCode) == ["tooMany"])
  }
}
