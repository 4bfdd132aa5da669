import AddressSpace
import Presets
import SessionPolicy
import Testing

@testable import Conductor

/// Faders and buttons do the same whether what they send takes the short way or the long one.
final class PressTests {
  private let conductor = Conductor(preset: .scriptDefault, version: "1")
  private let reader = ReaderID(number: 1)
  private var seconds = 1.0

  init() {
    send(
      Message("/session/open", "music", "playback"), Message("/session/open", "guide", "playback"),
      Message("/session/open", "mic", "playAndRecord"))
  }

  private var moment: Moment { Moment(seconds: seconds, frame: UInt64(seconds * 48000)) }

  private func send(_ messages: Message...) { conductor.perform(messages, from: reader, at: moment) }

  private func press(_ messages: [Message]) {
    let packet = PressPacket(messages)
    conductor.perform(packet.presses.span, in: packet.bytes.span, from: reader, at: moment)
  }

  private func press(_ messages: Message...) { press(messages) }

  private func value(_ address: String) -> [Argument] {
    AddressTable.read(address, in: conductor.control).first?.arguments ?? []
  }

  @Test func `a fader is set by the first press and by the next`() {
    for position in [Float(0.25), 0.5, 0.75] {
      press(Message("/session/music/volume", .float(position)), Message("/session/guide/volume", .float(1 - position)))
      #expect(value("/session/music/volume") == [.float(position)])
      #expect(value("/session/guide/volume") == [.float(1 - position)])
    }
  }

  @Test func `the newest of one packet holds`() {
    press(Message("/session/music/volume", 0.1))
    press((0..<20).map { Message("/session/music/volume", .float(Float($0) / 20)) })
    #expect(value("/session/music/volume") == [.float(0.95)])
  }

  @Test func `a press does not reach a namesake that was opened since as if it were the former session`() {
    press(Message("/session/music/mute", true), Message("/session/guide/mute", true))
    send(Message("/session/close", "music"), Message("/session/open", "music", "playback"))
    #expect(value("/session/music/mute") == [.bool(false)])
    press(Message("/session/music/volume", 0.5), Message("/session/music/mute", true))
    #expect(value("/session/music/volume") == [.float(0.5)])
    #expect(value("/session/music/mute") == [.bool(true)])
    #expect(value("/session/guide/volume") == [.float(1)])
    send(Message("/session/close", "music"))
    _ = conductor.takeOutbox()
    press(Message("/session/music/volume", 0.25))
    guard case .answer(let answer, _)? = conductor.takeOutbox().first else {
      Issue.record("no answer")
      return
    }
    #expect(answer.address == "/error" && answer.arguments.prefix(2) == ["/session/music/volume", "noSuchSession"])
  }

  @Test func `a press that is refused is answered, and the others of its packet are done`() {
    // Twice, for the first time an address is not known yet.
    for position in [0.25, 0.5] {
      _ = conductor.takeOutbox()
      press(
        Message("/session/music/volume", .double(position)), Message("/session/mic/micMute", .bool(true)),
        Message("/session/music/mute", .double(.nan)), Message("/session/nobody/mute", true),
        Message("/session/guide/volume", .double(position)))
      let addresses = conductor.takeOutbox().compactMap { outgoing -> Argument? in
        if case .answer(let message, _) = outgoing, message.address == "/error" { message.arguments.first } else { nil }
      }
      #expect(addresses == ["/session/mic/micMute", "/session/music/mute", "/session/nobody/mute"])
      #expect(value("/session/guide/volume") == [.float(Float(position))])
    }
  }

  @Test func `a press takes its fader from a scene that is on its way`() {
    send(Message("/session/music/volume", 1.0), Message("/session/guide/volume", 1.0), Message("/scene/store", "loud"))
    // So that it is known where it leads.
    press(Message("/session/music/volume", 0.5), Message("/session/guide/volume", 0.5))
    seconds += 1
    send(Message("/scene/recall", "loud", 10))
    seconds += 1
    conductor.advance(to: moment, lead: 0)
    // Just where it is.
    let here = value("/session/music/volume")
    press(Message("/session/music/volume", here))
    seconds += 20
    conductor.advance(to: moment, lead: 0)
    #expect(value("/session/music/volume") == here && here != [.float(1)] && here != [.float(0.5)])
    #expect(value("/session/guide/volume") == [.float(1)])
  }

  @Test func `thousands of addresses are told apart`() {
    for number in 0..<300 { send(Message("/session/open", .string("s\(number)"), "ambient")) }
    let attributes = [
      "volume", "pan", "mute", "solo", "controls", "duck/depth", "duck/hold", "duck/margin", "activationHold", "linger",
      "priority", "foreground", "idleRelease", "micMute", "duck/attack", "duck/release",
    ]
    // More than are kept in mind, and the first ones once more.
    for round in 0..<2 {
      for attribute in attributes {
        press((0..<300).map { Message("/session/s\($0)/\(attribute)", .int(Int32(($0 + round) % 2))) })
        for number in [0, 1, 150, 299] {
          let isSet = (number + round) % 2 == 1
          let wanted: Argument? =
            switch attribute {
            case "mute", "solo", "controls", "foreground", "micMute": .bool(isSet)
            case "priority": .int(isSet ? 1 : 0)
            case "duck/attack", "duck/release": isSet ? .float(1) : nil
            case "duck/depth": isSet ? nil : .float(0)
            default: .float(isSet ? 1 : 0)
            }
          if let wanted { #expect(value("/session/s\(number)/\(attribute)") == [wanted], "\(number) \(attribute)") }
        }
      }
    }
  }

  @Test func `whatever is pressed, both ways come to the same state and the same answers`() {
    let other = Conductor(preset: .scriptDefault, version: "1")
    other.perform(
      [
        Message("/session/open", "music", "playback"), Message("/session/open", "guide", "playback"),
        Message("/session/open", "mic", "playAndRecord"),
      ], from: reader, at: moment)
    let attributes = [
      "volume", "pan", "mute", "solo", "micMute", "playing", "foreground", "controls", "active", "priority",
      "idleRelease",
      "title", "nothing", "*",
    ]
    let values: [Argument] = [
      0, 1, 0.5, -3, 7, true, false, .float(.infinity), .double(.nan), .long(1 << 40), .int(-100), .float(-0.0),
    ]
    var generator = SystemRandomNumberGenerator()
    for round in 0..<1000 {
      let messages = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        let name = ["music", "guide", "mic", "ghost", "m*"].randomElement(using: &generator) ?? ""
        let attribute = attributes.randomElement(using: &generator) ?? ""
        return Message("/session/\(name)/\(attribute)", values.randomElement(using: &generator) ?? 0)
      }
      let moment = Moment(seconds: 2 + Double(round), frame: UInt64(2 + round) * 48000)
      let packet = PressPacket(messages)
      conductor.perform(packet.presses.span, in: packet.bytes.span, from: reader, at: moment)
      other.perform(messages, from: reader, at: moment)
      let (answers, others) = (conductor.takeOutbox(), other.takeOutbox())
      // As texts: not a number is not equal to itself.
      guard "\(answers)" == "\(others)", conductor.control == other.control else {
        Issue.record("\(messages) makes a difference")
        return
      }
    }
  }
}
