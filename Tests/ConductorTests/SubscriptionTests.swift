import AddressSpace
import Conductor
import Presets
import Testing

@Suite struct `What a subscriber is told` {
  @Test func `first every match with its value, then the end mark with their number`() {
    let host = Host()
    host.send(Message("/session/open", "music", "playback"), Message("/session/open", "guide", "playback"))
    host.send(Message("/session/guide/volume", 0.5))
    let values = host.subscribe(.surface, to: "/session/*/volume")
    #expect(
      values == [
        Message("/session/music/volume", .float(1)), Message("/session/guide/volume", .float(0.5)),
        Message("/subscribed", "/session/*/volume", 2),
      ])
  }

  @Test func `everything by default, in the order of the address space`() {
    let host = Host()
    host.send(Message("/session/open", "music", "playback"))
    host.send(Message("/subscribe"), from: .surface)
    host.wait(0.05)
    let values = host.mail(of: .surface)
    let end = values.firstIndex { $0.address == "/subscribed" }
    #expect(values.first?.address == "/host/volume")
    #expect(values.of("/session/music/state") == [Message("/session/music/state", "inactive")])
    #expect(values.of("/route/headphones/kind") == [Message("/route/headphones/kind", "headphones")])
    #expect(values.of("/subscribed") == [Message("/subscribed", "*", .int(Int32(end ?? -1)))])
    #expect(Set(values.map(\.address)).count == values.count)
  }

  @Test func `all values, however many, in their order and without a flood`() {
    let host = Host()
    for number in 0..<200 { host.send(Message("/session/open", .string("s\(number)"), "ambient")) }
    host.send(Message("/subscribe", "/session/*/{volume,pan}"), from: .surface)
    host.wait(0.5)
    let mail = host.timedMail(of: .surface)
    let expected = ["volume", "pan"].flatMap { row in (0..<200).map { "/session/s\($0)/\(row)" } }
    #expect(mail.map(\.message.address) == expected + ["/subscribed"])
    #expect(mail.last?.message.arguments.last == 400)
    let most = Dictionary(grouping: mail, by: \.time).values.map(\.count).max()
    #expect(most == 100)
  }

  @Test func `what happens while the first values are being sent comes after them, and nothing is lost`() {
    let host = Host()
    for number in 0..<200 { host.send(Message("/session/open", .string("s\(number)"), "ambient")) }
    host.send(Message("/subscribe", "/session/*/{volume,interruption}"), from: .surface)
    host.send(Message("/session/s0/volume", 0.25), Message("/session/s199/volume", 0.75))
    host.send(Message("/session/s0/playing", true))
    host.send(Message("/host/interruption", "begin", "alarm"))
    host.wait(0.5)
    let mail = host.mail(of: .surface)
    let mark = mail.firstIndex { $0.address == "/subscribed" }
    let notice = mail.firstIndex { $0.address == "/session/s0/interruption" }
    #expect(mark == 200)
    #expect(notice == 201)
    #expect(mail.of("/session/s0/volume").map(\.arguments) == [[.float(1)], [.float(0.25)]])
    #expect(mail.of("/session/s199/volume").map(\.arguments) == [[.float(0.75)]])
  }

  @Test func `afterwards only what changes`() {
    let host = Host()
    host.send(Message("/session/open", "music", "playback"))
    host.subscribe(.surface, to: "/session/*/{volume,mute}")
    host.send(Message("/session/music/volume", 0.5))
    host.send(Message("/host/silent", true))
    host.wait(0.5)
    #expect(host.mail(of: .surface) == [Message("/session/music/volume", .float(0.5))])
    host.send(Message("/session/music/volume", 0.5))
    host.wait(0.5)
    #expect(host.mail(of: .surface).isEmpty)
  }

  @Test func `a value that has returned by the end of the period has not changed, for whoever looks`() {
    let host = Host()
    host.subscribe(.surface, to: "/host/silent", every: 1000)
    host.subscribe(.tablet, to: "/host/silent", every: 10)
    host.send(Message("/host/silent", true))
    host.wait(0.1)
    host.send(Message("/host/silent", false))
    host.wait(3)
    #expect(host.mail(of: .tablet).of("/host/silent").map(\.arguments) == [[true], [false]])
    #expect(host.mail(of: .surface).of("/host/silent").isEmpty)
  }

  @Test func `the latest value wins, at most once in each period`() {
    let host = Host()
    host.subscribe(.surface, to: "/host/ringer", every: 100)
    for step in 1...200 {
      host.send(Message("/host/ringer", .double(Double(step) / 256)))
      host.wait(0.005)
    }
    host.wait(0.2)
    let mail = host.timedMail(of: .surface).filter { $0.message.address == "/host/ringer" }
    #expect(mail.last?.message.arguments == [.float(200.0 / 256)])
    #expect((9...12).contains(mail.count))
    for (first, second) in zip(mail, mail.dropFirst()) { #expect(second.time - first.time > 0.0999) }
  }

  @Test func `a change after a quiet time is told at once`() {
    let host = Host()
    host.subscribe(.surface, to: "/host/ringer", every: 1000)
    host.wait(5.25)
    host.send(Message("/host/ringer", 0.5))
    #expect(host.mail(of: .surface).of("/host/ringer").count == 1)
  }

  @Test func `each subscriber has its own period`() {
    let host = Host()
    host.subscribe(.surface, to: "/host/ringer", every: 20)
    host.subscribe(.tablet, to: "/host/ringer", every: 200)
    for step in 1...100 {
      host.send(Message("/host/ringer", .double(Double(step) / 128)))
      host.wait(0.01)
    }
    let (fast, slow) = (host.mail(of: .surface), host.mail(of: .tablet))
    #expect((45...52).contains(fast.of("/host/ringer").count))
    #expect((4...6).contains(slow.of("/host/ringer").count))
  }

  @Test func `an address that two patterns of a client match is told once, in the shorter period`() {
    let host = Host()
    host.subscribe(.surface, to: "*", every: 1000)
    host.subscribe(.surface, to: "/host/ringer", every: 20)
    host.wait(2)
    _ = host.mail(of: .surface)
    for step in 1...10 {
      host.send(Message("/host/ringer", .double(Double(step) / 128)))
      host.wait(0.02)
    }
    host.wait(3)
    #expect((9...11).contains(host.mail(of: .surface).of("/host/ringer").count))
    host.send(Message("/unsubscribe", "/host/ringer"), from: .surface)
    host.send(Message("/host/ringer", 0.25))
    host.wait(2)
    #expect(host.mail(of: .surface).of("/host/ringer").map(\.arguments) == [[.float(0.25)]])
  }

  @Test func `sessions that are opened later are matched too, and closed ones are forgotten`() {
    let host = Host()
    host.subscribe(.surface, to: "/session/*/{title,volume}")
    #expect(host.mail(of: .surface).isEmpty)
    host.send(Message("/session/open", "music", "playback", "Music"))
    host.wait(0.2)
    #expect(
      host.mail(of: .surface) == [
        Message("/session/music/title", "Music"), Message("/session/music/volume", .float(1)),
      ])
    host.send(Message("/session/music/volume", 0.5), Message("/session/close", "music"))
    host.wait(0.2)
    #expect(host.mail(of: .surface).isEmpty)
    host.send(Message("/session/open", "music", "playback", "Other"))
    host.wait(0.2)
    #expect(
      host.mail(of: .surface) == [
        Message("/session/music/title", "Other"), Message("/session/music/volume", .float(1)),
      ])
  }

  @Test func `what follows for others is told: who ducks, why it is silent, what it may hear`() {
    let host = Host()
    host.send(
      Message("/session/open", "music", "playback"), Message("/session/music/options", "mixWithOthers"),
      Message("/session/open", "guide", "playback"), Message("/session/guide/options", "duckOthers"),
      Message("/session/music/playing", true))
    host.subscribe(.surface, to: "/session/music/*")
    host.send(Message("/session/guide/playing", true))
    host.wait(0.1)
    let mail = host.mail(of: .surface)
    #expect(mail.of("/session/music/duckedBy") == [Message("/session/music/duckedBy", "guide")])
    #expect(mail.of("/session/music/reduction") == [Message("/session/music/reduction", .float(-14))])
    #expect(mail.of("/session/music/otherAudio") == [Message("/session/music/otherAudio", true)])
    host.send(Message("/session/open", "recorder", "record"), Message("/session/recorder/playing", true))
    host.wait(0.1)
    #expect(host.mail(of: .surface).of("/session/music/silence") == [Message("/session/music/silence", "recording")])
  }

  @Test func `a scene is told as one event`() {
    var preset = Preset.scriptDefault
    var scene = Preset.Scene(name: "night")
    scene.set = [Message("/host/ringer", 0.25), Message("/host/silent", true)]
    preset.scenes = [scene]
    let host = Host(preset)
    host.subscribe(.surface, to: "*")
    host.wait(0.2)
    _ = host.mail(of: .surface)
    host.send(Message("/scene/recall", "night", 0))
    host.wait(0.2)
    let mail = host.timedMail(of: .surface)
    #expect(mail.first?.message == Message("/scene/recalled", "night"))
    let changes = mail.filter { ["/host/ringer", "/host/silent", "/scene/current"].contains($0.message.address) }
    #expect(changes.count == 3)
    #expect(Set(changes.map(\.time)).count == 1)
  }

  @Test func `nobody sees half an event: who subscribes inside a bundle is told how it ends`() {
    let host = Host()
    host.send(
      Message("/host/ringer", 0.25), Message("/subscribe", "/host/ringer"), Message("/host/ringer", 0.75),
      from: .surface)
    host.wait(0.2)
    #expect(
      host.mail(of: .surface) == [Message("/host/ringer", .float(0.75)), Message("/subscribed", "/host/ringer", 1)])
  }

  @Test func `values that are set for later are told when they are in force`() {
    let host = Host()
    host.subscribe(.surface, to: "/host/ringer", every: 10)
    host.schedule(Message("/host/ringer", 0.5), from: .tablet, in: 1)
    host.wait(0.99)
    #expect(host.mail(of: .surface).isEmpty)
    host.wait(0.05)
    #expect(host.mail(of: .surface) == [Message("/host/ringer", .float(0.5))])
  }
}

@Suite struct `What is measured` {
  @Test func `is read only while somebody listens, and once for all who do`() {
    let host = Host()
    var reads = 0
    host.conductor.figures = { figure in
      if figure == .load { reads += 1 }
      return [.float(Float(reads))]
    }
    host.wait(1)
    #expect(reads == 0)
    host.subscribe(.surface, to: "/eider/load", every: 100)
    host.subscribe(.tablet, to: "/eider/load", every: 100)
    reads = 0
    host.wait(1)
    #expect((9...11).contains(reads))
    #expect((9...11).contains(host.mail(of: .surface).of("/eider/load").count))
    #expect((9...11).contains(host.mail(of: .tablet).of("/eider/load").count))
    host.send(Message("/unsubscribe"), from: .surface)
    host.send(Message("/unsubscribe"), from: .tablet)
    reads = 0
    host.wait(1)
    #expect(reads == 0)
  }

  @Test func `is told only when it changes`() {
    let host = Host()
    var load: Float = 12
    host.conductor.figures = { _ in [.float(load)] }
    host.subscribe(.surface, to: "/eider/load", every: 20)
    host.wait(1)
    #expect(host.mail(of: .surface).of("/eider/load").isEmpty)
    load = 13
    host.wait(1)
    #expect(host.mail(of: .surface).of("/eider/load") == [Message("/eider/load", .float(13))])
  }

  @Test func `nothing is due while nothing happens`() {
    let host = Host()
    host.send(Message("/session/open", "music", "playback"))
    host.subscribe(.surface, to: "/session/*/volume", every: 1)
    host.wait(0.5)
    let turns = host.turns
    host.wait(5)
    #expect(host.turns - turns < 60)
  }

  @Test("Whoever listens sees numbers glide, and nobody is told the same twice")
  func glides() throws {
    let host = Host(
      try Preset(
        SourceText(
          """
          { eider: 1, sessions: [{ name: 'music' }],
            scenes: [{ name: 's', fade: 1, set: { '/session/music/volume': 0 } }] }
          """, file: "")))
    host.subscribe(.surface, to: "/session/music/volume", every: 100)
    host.send(Message("/scene/recall", "s"), from: .tablet)
    host.wait(2)
    let told = host.timedMail(of: .surface).filter { $0.message.address == "/session/music/volume" }
    let values = told.compactMap { $0.message.arguments.first?.number }
    #expect((9...12).contains(values.count))
    #expect(values == values.sorted(by: >) && Set(values).count == values.count && values.last == 0)
    for (time, value) in zip(told.map(\.time), values) { #expect(abs(value - (1 - time)) < 0.08 || value == 0) }
  }
}
