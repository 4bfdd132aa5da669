import MixCore
import Testing

@Suite("Microphones")
struct MicrophoneTests {
  private func makeRig(channels: Int = 1, inputChannels: Int = 1) -> Rig {
    let rig = Rig()
    rig.openInput(0, channels: inputChannels)
    rig.openInput(1, channels: inputChannels)
    rig.openStrip(0, channels: channels, sounds: false)
    rig.planner[strip: 0].microphoneSends = PortPair(
      Rig.port(Rig.send(0, 0)), channels > 1 ? Rig.port(Rig.send(0, 1)) : nil)
    return rig
  }

  @Test("An open microphone hears the first available input bit by bit; a closed one nothing")
  func openAndClosed() {
    let rig = makeRig()
    rig.feed(input: 0) { noise($0) }
    rig.feed(input: 1) { _ in 1 }
    rig.planner.publish()
    rig.run(until: 64, period: 64)
    #expect(!rig.askedPorts.contains(Rig.routeInput(0, 0)))
    rig.planner[strip: 0].isMicrophoneOpen = true
    rig.planner[strip: 0].microphoneFade = 50
    rig.planner.publish()
    rig.run(until: 192, period: 64)
    rig.planner[strip: 0].isMicrophoneOpen = false
    rig.planner.publish()
    rig.run(until: 320, period: 64)
    #expect(rig.send(0)[..<64].allSatisfy { $0 == 0 })
    #expect(rig.send(0)[113..<192] == (113..<192).map { noise($0) }[...])
    #expect(abs(rig.send(0)[88] - noise(88) * 0.125) < 1e-6)
    #expect(rig.send(0)[241...].allSatisfy { $0 == 0 })
  }

  @Test("A lost input is gone at once, and the next one fades in; when it comes back it is heard again")
  func lostInput() {
    let rig = makeRig()
    rig.feed(input: 0) { _ in 1 }
    rig.feed(input: 1) { _ in 0.5 }
    rig.planner[strip: 0].isMicrophoneOpen = true
    rig.planner.host.inputFade = 100
    rig.planner.publish()
    rig.planner[input: 0].isAvailable = false
    rig.planner.publish(at: 50)
    rig.planner[input: 0].isAvailable = true
    rig.planner.publish(at: 300)
    rig.run(until: 512, period: 64)
    #expect(rig.send(0)[..<50].allSatisfy { $0 == 1 })
    #expect(rig.send(0)[50] == 0)
    #expect(rig.send(0)[149] < 0.5 && rig.send(0)[150..<300].allSatisfy { $0 == 0.5 })
    #expect(abs(rig.send(0)[350] - (0.125 + 0.0625)) < 1e-6)
    #expect(rig.send(0)[400...].allSatisfy { $0 == 1 })
  }

  @Test("One input channel goes to both of a send, two fold down at −3 dB each")
  func channels() {
    let wide = makeRig(channels: 2, inputChannels: 1)
    wide.feed(input: 0) { noise($0) }
    wide.planner[strip: 0].isMicrophoneOpen = true
    wide.planner.publish()
    wide.run(until: 32, period: 16)
    #expect(wide.send(0, 0) == (0..<32).map { noise($0) })
    #expect(wide.send(0, 1) == (0..<32).map { noise($0) })
    let narrow = makeRig(channels: 1, inputChannels: 2)
    narrow.feed(input: 0, channel: 0) { _ in 0.5 }
    narrow.feed(input: 0, channel: 1) { _ in 0.25 }
    narrow.planner[strip: 0].isMicrophoneOpen = true
    narrow.planner[input: 0].trim = -6
    narrow.planner.publish()
    narrow.run(until: 32, period: 16)
    #expect(narrow.send(0).allSatisfy { abs($0 - 0.75 * 0.70710678 * 0.501187) < 1e-6 })
  }

  @Test("A send whose session cannot hear is silent, whatever was in its buffer")
  func unheard() {
    let rig = makeRig()
    rig.planner[input: 0].isAvailable = false
    rig.planner[input: 1].isAvailable = false
    rig.planner[strip: 0].isMicrophoneOpen = true
    rig.planner.publish()
    rig.run(until: 64, period: 32)
    #expect(rig.send(0) == Array(repeating: 0, count: 64))
  }
}
