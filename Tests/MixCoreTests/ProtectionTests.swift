import MixCore
import Testing

@Suite("Protection")
struct ProtectionTests {
  @Test("NaN and infinities of one session leave the others as they are, bit by bit, and are counted", arguments: 1...2)
  func badSamples(channels: Int) {
    let rig = Rig()
    rig.openRoute(0)
    rig.openRoute(1)
    rig.openStrip(0, routes: [0])
    rig.openStrip(1, channels: channels, routes: [0, 1])
    rig.feed(strip: 0) { noise($0) }
    let bad: [Float] = [.nan, .infinity, -.infinity, .signalingNaN, -.nan]
    rig.feed(strip: 1) { $0 >= 100 && $0 < 110 ? bad[$0 % 5] : 0.25 }
    rig.planner.publish()
    rig.run(until: 300, period: 64)
    #expect(rig.output(0) == (0..<300).map { noise($0) + ($0 >= 100 && $0 < 110 ? 0 : 0.25) })
    #expect(rig.output(1) == (0..<300).map { $0 >= 100 && $0 < 110 ? 0 : 0.25 })
    #expect(rig.mixer.meters.badSamples(ofStrip: 0) == 0)
    #expect(rig.mixer.meters.badSamples(ofStrip: 1) == UInt64(10 * channels))
    #expect(rig.mixer.meters.takePeak(ofStrip: 1) == 0.25)
  }

  @Test(
    "Bad samples take nothing from a session that fades out in the same cycle, whatever the period",
    arguments: [16, 50, 64, 128, 1000])
  func badSamplesDuringAFade(period: Int) {
    func mix(_ bad: Float) -> [Float] {
      let rig = Rig()
      rig.openRoute(0)
      for strip in 0...2 { rig.openStrip(strip) }
      rig.feed(strip: 0) { noise($0) }
      rig.feed(strip: 1) { $0 % 70 == 33 ? bad : noise($0, seed: 5) }
      rig.feed(strip: 2) { noise($0, seed: 6) }
      rig.planner.publish()
      rig.planner[strip: 0].openRoutes = []
      rig.planner[strip: 0].gateFade = 90
      rig.planner.publish(at: 10)
      rig.planner[strip: 2].volume = 0.3
      rig.planner[strip: 2].volumeFade = 300
      rig.planner.publish(at: 20)
      rig.run(until: 500, period: period)
      #expect(rig.mixer.meters.badSamples(ofStrip: 1) == (bad.isFinite ? 0 : 14))
      #expect(rig.mixer.meters.badSamples(ofStrip: 2) == 0)
      #expect(rig.mixer.meters.takePeak(ofStrip: 1) <= 1)
      return rig.output()
    }
    let clean = mix(0)
    #expect(mix(.nan) == clean)
    #expect(mix(-.infinity) == clean)
  }

  @Test("Bad samples of an input route reach no microphone")
  func badInput() {
    let rig = Rig()
    rig.openInput(0, channels: 1)
    rig.openStrip(0, channels: 1)
    rig.planner[strip: 0].microphoneSends = PortPair(Rig.port(Rig.send(0, 0)))
    rig.planner[strip: 0].isMicrophoneOpen = true
    rig.feed(input: 0) { $0 % 3 == 0 ? .nan : 0.5 }
    rig.planner.publish()
    rig.run(until: 90, period: 30)
    #expect(rig.send(0) == (0..<90).map { $0 % 3 == 0 ? 0 : 0.5 })
  }

  @Test("Sums that leave the range of numbers come out finite")
  func overflow() {
    let rig = Rig()
    rig.openRoute(0)
    for strip in 0..<4 {
      rig.openStrip(strip)
      rig.feed(strip: strip) { frame in (strip + frame) % 2 == 0 ? 3e38 : 3.3e38 }
    }
    rig.planner[output: 0].trim = 12
    rig.planner.publish()
    rig.run(until: 64, period: 64)
    #expect(rig.output().allSatisfy { $0.isFinite })
    #expect(rig.mixer.meters.takePeak(ofOutput: 0).isFinite)
    #expect(rig.mixer.meters.takePeak(ofStrip: 0).isFinite)
  }

  @Test("Ports without a buffer are silence at an input, and nothing at an output")
  func missingBuffers() {
    let mixer = Mixer(capacity: MixCapacity(strips: 1, outputRoutes: 1, inputRoutes: 1), sampleRate: 48_000)
    mixer.planner[output: 0].ports = [UnsafePort(Rig.port(1)), UnsafePort(Rig.port(2))]
    mixer.planner[output: 0].isAvailable = true
    mixer.planner[strip: 0].isOpen = true
    mixer.planner[strip: 0].inputs = PortPair(Rig.port(3), Rig.port(4))
    mixer.planner[strip: 0].openRoutes = [0]
    mixer.planner.publish()
    let engine = mixer.engine
    var samples = [Float](repeating: 1, count: 64)
    #expect(engine.beginCycle(startFrame: 0, frames: 64) == 4)
    #expect(engine.port(at: 4) == nil && engine.port(at: -1) == nil)
    samples.withUnsafeMutableBufferPointer { buffer in
      // Only the left output has one; writing to a port that was not asked for does nothing.
      engine.setBuffer(buffer.baseAddress, at: 0)
      engine.setBuffer(buffer.baseAddress, at: 99)
      engine.process()
    }
    #expect(samples == Array(repeating: 0, count: 64))
    // In a cycle without any nothing is read and nothing is written, what the last one had least of all.
    samples = [Float](repeating: 1, count: 64)
    engine.beginCycle(startFrame: 64, frames: 64)
    engine.process()
    #expect(samples == Array(repeating: 1, count: 64))
    #expect(mixer.planner.acknowledgedSequence == 1)
  }
}
