import AddressSpace
import MixCore
import Presets
import SessionPolicy
import Testing

@testable import Conductor

/// What faders do is brought into force by itself: it must be what composing the whole mix anew would come to.
final class LevelTests {
  private struct Wanted: Equatable {
    let strips: [StripPlan]
    let outputs: [OutputRoutePlan]
    let host: HostPlan
    let published: UInt64
  }

  private let conductor = Conductor(preset: .scriptDefault, version: "1")
  private let mixer = Mixer(sampleRate: 48000)
  private let ports = SilentPorts()
  private let reader = ReaderID(number: 1)
  private var seconds = 1.0

  init() {
    conductor.attach(mixer, rate: 48000, ports: ports) { _ in 2 }
    send([
      Message("/session/open", "music", "playback"), Message("/session/open", "bell", "ambient"),
      Message("/session/open", "menu", "ambient"), Message("/session/music/playing", true),
      Message("/session/bell/playing", true),
    ])
    conductor.publish()
  }

  private var moment: Moment { Moment(seconds: seconds, frame: UInt64(seconds * 48000)) }
  private var wanted: Wanted {
    let planner = mixer.planner
    return Wanted(
      strips: (0..<4).map { planner[strip: $0] }, outputs: (0..<2).map { planner[output: $0] }, host: planner.host,
      published: planner.publishedSequence)
  }

  private func send(_ messages: [Message]) { conductor.perform(messages, from: reader, at: moment) }

  private func press(_ messages: [Message]) {
    let packet = PressPacket(messages)
    conductor.perform(packet.presses.span, in: packet.bytes.span, from: reader, at: moment)
  }

  private func composeAnew() {
    conductor.isStale = true
    conductor.publish()
  }

  @Test func `a fader moves its own strip, and brings nothing else into force`() {
    composeAnew()
    let before = wanted
    for position in [Float(0.25), 0.75] {
      press([Message("/session/bell/volume", .float(position)), Message("/session/bell/pan", .float(position))])
      #expect(!conductor.isStale)
      conductor.publish()
      let changed = wanted.strips.indices.filter { wanted.strips[$0] != before.strips[$0] }
      #expect(changed.count == 1)
      #expect(changed.first.map { wanted.strips[$0].volume } == position)
      #expect(changed.first.map { wanted.strips[$0].pan } == position)
    }
    #expect(wanted.published == before.published + 2)
  }

  @Test func `what is moved with many faders by one pattern comes into force with them`() {
    composeAnew()
    // As many faders as messages.
    send([Message("/session/m*/volume", 0.3), Message("/host/ringer", 0.4)])
    conductor.publish()
    let swift = wanted
    #expect(swift.host.ringer == 0.4)
    composeAnew()
    #expect(wanted == swift)
  }

  @Test func `whatever is moved beside it, the mix is what it would be if it were composed anew`() {
    let names = ["music", "bell", "menu", "m*", "ghost"]
    let flags = ["mute", "solo", "playing", "active", "foreground", "micMute"]
    var levelsAlone = 0
    for round in 0..<3000 {
      seconds += 0.013
      let messages = (0..<Int.random(in: 1...4)).map { _ -> Message in
        let name = names.randomElement() ?? ""
        return switch Int.random(in: 0..<16) {
        case 0: Message("/session/\(name)/\(flags.randomElement() ?? "")", .bool(.random()))
        case 1: Message("/host/silent", .bool(.random()))
        case 2: Message("/host/ringer", .float(.random(in: 0...1)))
        case 3:
          [Message("/scene/store", "a"), Message("/scene/recall", "a", .float(.random(in: 0...1)))].randomElement()
            ?? Message("/panic")
        case 4: Message("/session/\(name)/pan", .float(.random(in: -1...1)))
        default: Message("/session/\(name)/volume", .float(.random(in: 0...1)))
        }
      }
      if Bool.random() { send(messages) } else { press(messages.filter { $0.arguments.first?.press != nil }) }
      if Bool.random() {
        levelsAlone += conductor.isStale ? 0 : 1
        conductor.advance(to: moment, lead: 0)
        conductor.publish()
        let swift = wanted
        composeAnew()
        guard wanted == swift else {
          Issue.record("\(messages) of round \(round) comes to something else")
          return
        }
      }
    }
    // The short way has been taken, too.
    #expect(levelsAlone > 100)
  }
}
