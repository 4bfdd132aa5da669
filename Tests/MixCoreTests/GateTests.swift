import MixCore
import Testing

@Suite("What a strip sounds like")
struct GateTests {
  @Test("A strip with all faders up is passed on bit by bit", arguments: [1, 16, 64, 333, 8192])
  func unity(period: Int) {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0)
    rig.feed(strip: 0, channel: 0) { noise($0) }
    rig.feed(strip: 0, channel: 1) { noise($0, seed: 2) }
    rig.planner.publish()
    rig.run(until: 1000, period: period)
    #expect(rig.output(0, 0) == (0..<1000).map { noise($0) })
    #expect(rig.output(0, 1) == (0..<1000).map { noise($0, seed: 2) })
  }

  @Test("A closed strip is silent and its input is not even asked for")
  func closed() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0, sounds: false)
    rig.feed(strip: 0) { noise($0) }
    rig.planner.publish()
    rig.run(until: 256, period: 64)
    #expect(rig.output() == Array(repeating: 0, count: 256))
    #expect(rig.askedPorts == [Rig.output(0, 0), Rig.output(0, 1)])
  }

  @Test("A gate opens as the cube of a straight line, and is wide open exactly at its end")
  func opening() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0, sounds: false)
    rig.feed(strip: 0) { _ in 1 }
    rig.planner.publish()
    rig.planner[strip: 0].openRoutes = [0]
    rig.planner[strip: 0].gateFade = 100
    rig.planner.publish(at: 37)
    rig.run(until: 200, period: 64)
    let expected = (0..<200).map { frame -> Float in
      if frame < 37 { return 0 }
      if frame >= 137 { return 1 }
      let position = Float(1) / 100 * Float(frame - 37)
      return position * position * position
    }
    #expect(rig.output() == expected)
  }

  @Test("A gate that closes ends in exact silence on its last frame, and its input is left alone afterwards")
  func closing() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0)
    rig.feed(strip: 0) { noise($0) }
    rig.planner.publish()
    rig.planner[strip: 0].openRoutes = []
    rig.planner[strip: 0].gateFade = 100
    rig.planner.publish(at: 50)
    rig.run(until: 300, period: 30)
    #expect(rig.output()[149] != 0)
    #expect(rig.output()[150...].allSatisfy { $0 == 0 })
    #expect(!rig.askedPorts.contains(Rig.stripInput(0, 0)))
    #expect(rig.mixer.meters.gain(ofStrip: 0) == 0)
  }

  @Test("A gate that is turned round goes on from where it is, without a step")
  func turningRound() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0, sounds: false)
    rig.feed(strip: 0) { _ in 1 }
    rig.planner.publish()
    rig.planner[strip: 0].openRoutes = [0]
    rig.planner[strip: 0].gateFade = 1000
    rig.planner.publish(at: 0)
    rig.planner[strip: 0].openRoutes = []
    rig.planner.publish(at: 500)
    rig.run(until: 2000, period: 64)
    #expect(abs(rig.output()[500] - 0.125) < 1e-6)
    #expect(rig.output()[1499] > 0)
    #expect(rig.output()[1500] == 0)
    #expect(greatestStep(rig.output()) < 3.0 / 1000)
  }

  @Test("Volume, system volume, trim and a gate are one product of positions, cubed")
  func product() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0)
    rig.feed(strip: 0) { _ in 1 }
    rig.planner[strip: 0].volume = 0.5
    rig.planner[output: 0].volume = 0.8
    rig.planner[output: 0].trim = -6
    rig.planner.publish()
    rig.run(until: 64, period: 64)
    let expected = Float(0.125 * 0.512 * 0.501187)
    #expect(rig.output().allSatisfy { abs($0 - expected) < 1e-7 })
    #expect(abs(rig.mixer.meters.gain(ofStrip: 0) - expected) < 1e-7)
  }

  @Test("The ringer volume governs who follows it, and nobody else")
  func ringer() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0, channels: 1)
    rig.planner[strip: 0].followsRinger = true
    rig.feed(strip: 0) { _ in 1 }
    rig.planner[output: 0].volume = 0.5
    rig.planner.host.ringer = 0.25
    rig.planner.publish()
    rig.run(until: 16, period: 16)
    #expect(rig.output().last == Float(0.015625))
    rig.planner.host.ringer = 1
    rig.planner.host.ringerFade = 10
    rig.planner[output: 0].volume = 0
    rig.planner.publish()
    rig.run(until: 48, period: 16)
    #expect(rig.output()[26...].allSatisfy { $0 == 1 })
    // A session that changes its kind crosses over to the other volume.
    rig.planner[strip: 0].followsRinger = false
    rig.planner[strip: 0].volumeFade = 20
    rig.planner.publish()
    rig.run(until: 96, period: 16)
    #expect(rig.output()[66] > 0)
    #expect(rig.output()[67...].allSatisfy { $0 == 0 })
    #expect(greatestStep(Array(rig.output()[48...])) <= 3.0 / 20)
  }

  @Test("The far side of a balance gets softer, the near side stays as it is")
  func balance() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0)
    rig.feed(strip: 0) { _ in 1 }
    rig.planner[strip: 0].pan = 0.5
    rig.planner.publish()
    rig.run(until: 16, period: 16)
    #expect(rig.output(0, 0).last == 0.125)
    #expect(rig.output(0, 1).last == 1)
    rig.planner[strip: 0].pan = -1
    rig.planner[strip: 0].volumeFade = 100
    rig.planner.publish()
    rig.run(until: 200, period: 16)
    #expect(rig.output(0, 0).last == 1)
    #expect(rig.output(0, 1).last == 0)
    #expect(greatestStep(rig.output(0, 0)) <= 3.0 / 100)
  }

  @Test("One channel goes to both sides; two fold down to one at −3 dB each")
  func channels() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openRoute(1, channels: 1)
    rig.openRoute(2, channels: 5)
    rig.openStrip(0, channels: 1, routes: [0, 1])
    rig.openStrip(1, channels: 2, routes: [1, 2])
    rig.feed(strip: 0) { noise($0) }
    rig.feed(strip: 1, channel: 0) { noise($0, seed: 2) }
    rig.feed(strip: 1, channel: 1) { noise($0, seed: 3) }
    rig.planner.publish()
    rig.run(until: 50, period: 16)
    for frame in 0..<50 {
      let (mono, left, right) = (noise(frame), noise(frame, seed: 2), noise(frame, seed: 3))
      #expect(rig.output(0, 0)[frame] == mono && rig.output(0, 1)[frame] == mono)
      #expect(abs(rig.output(1, 0)[frame] - (mono + (left + right) * 0.70710678)) < 1e-6)
      #expect((0..<5).map { rig.output(2, $0)[frame] } == [left, right, left, right, left])
    }
  }

  @Test("What a lost route played stops at once and reaches no other route")
  func lostRoute() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openRoute(1)
    rig.openStrip(0, routes: [0])
    rig.openStrip(1, routes: [1])
    rig.feed(strip: 0) { noise($0) }
    rig.feed(strip: 1) { noise($0, seed: 2) }
    rig.planner.publish()
    rig.planner[output: 0].isAvailable = false
    rig.planner.publish(at: 100)
    rig.run(until: 200, period: 64)
    #expect(rig.output(0)[..<100] == (0..<100).map { noise($0) }[...])
    #expect(rig.output(0)[100...].allSatisfy { $0 == 0 })
    #expect(rig.output(1) == (0..<200).map { noise($0, seed: 2) })
    // It fades in again when the route is back.
    rig.planner[output: 0].isAvailable = true
    rig.planner[strip: 0].gateFade = 50
    rig.planner.publish()
    rig.run(until: 300, period: 64)
    #expect(abs(rig.output(0)[224] - noise(224) * 0.125) < 1e-6)
    #expect(rig.output(0)[249...] == (249..<300).map { noise($0) }[...])
  }

  @Test("Closing the host fades out everything, microphones too")
  func closedHost() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openInput(0)
    rig.openStrip(0)
    rig.planner[strip: 0].microphoneSends = PortPair(Rig.port(Rig.send(0, 0)), Rig.port(Rig.send(0, 1)))
    rig.planner[strip: 0].isMicrophoneOpen = true
    rig.feed(strip: 0) { _ in 1 }
    rig.feed(input: 0) { _ in 1 }
    rig.planner.publish()
    rig.run(until: 64, period: 64)
    rig.planner.host.isOpen = false
    rig.planner.host.openFade = 240
    rig.planner.publish()
    rig.run(until: 512, period: 64)
    for recording in [rig.output(), rig.send(0)] {
      #expect(recording[63] == 1)
      #expect(recording[302] > 0)
      #expect(recording[303...].allSatisfy { $0 == 0 })
    }
  }

  @Test("A strip that is taken away is gone with the first frame of its publication")
  func takenAway() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0)
    rig.feed(strip: 0) { _ in 1 }
    rig.planner.publish()
    rig.planner[strip: 0] = StripPlan()
    rig.planner.publish(at: 20)
    rig.run(until: 64, period: 64)
    #expect(rig.output() == (0..<64).map { $0 < 20 ? 1 : 0 })
    rig.run(until: 128, period: 64)
    #expect(rig.askedPorts == [Rig.output(0, 0), Rig.output(0, 1)])
  }

  @Test("Nonsense in a plan is moved into its range")
  func nonsense() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0)
    rig.openStrip(1)
    rig.feed(strip: 0) { _ in 1 }
    rig.feed(strip: 1) { _ in 1 }
    rig.planner[strip: 0].volume = .nan
    rig.planner[strip: 1].volume = 17
    rig.planner[strip: 1].pan = .nan
    rig.planner[strip: 1].priority = 100_000
    rig.planner[strip: 1].gateFade = -3
    rig.planner[strip: 1].openRoutes = RouteSet(bits: .max)
    rig.planner.publish()
    rig.run(until: 16, period: 16)
    #expect(rig.output() == Array(repeating: 1, count: 16))
  }
}

/// The greatest difference between neighbouring samples.
func greatestStep(_ samples: [Float]) -> Float {
  zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
}
