import MixCore
import Testing

/// Everything at once: gates, volumes, balance, ducks, routes, microphone, bad samples, most of it timed, much of it
/// less than a period apart.
private func playBusyScene(period: (Int) -> Int) -> Rig {
  let rig = Rig()
  rig.openRoute(0)
  rig.openRoute(1, channels: 1)
  rig.openRoute(2, channels: 4)
  rig.openInput(0, channels: 1)
  rig.openInput(1, channels: 2)
  for strip in 0..<6 {
    rig.openStrip(strip, channels: strip % 2 + 1, routes: strip < 3 ? [0] : [0, 1, 2], sounds: strip % 3 != 2)
    for channel in 0..<2 { rig.feed(strip: strip, channel: channel) { noise($0, seed: UInt64(strip * 2 + channel)) } }
    rig.planner[strip: strip].microphoneSends = PortPair(Rig.port(Rig.send(strip, 0)), Rig.port(Rig.send(strip, 1)))
    rig.planner[strip: strip].duck.isOfDuckerClass = strip > 3
    rig.planner[strip: strip].duck.attack = 331
    rig.planner[strip: strip].duck.release = 977
  }
  rig.feed(strip: 1) { $0 % 97 == 5 ? .nan : noise($0, seed: 77) }
  for input in 0..<2 { rig.feed(input: input) { noise($0, seed: UInt64(100 + input)) } }
  rig.planner.host.inputFade = 190
  rig.planner.publish()

  var turn: UInt64 = 7
  var frame: UInt64 = 5
  while frame < 7000 {
    turn += 1
    let strip = Int(turn * 5 % 6)
    rig.planner[strip: strip].volume = abs(noise(Int(turn), seed: 11))
    rig.planner[strip: strip].volumeFade = Int(turn * 37 % 400)
    switch turn % 7 {
    case 0: rig.planner[strip: strip].openRoutes = rig.planner[strip: strip].openRoutes.isEmpty ? [0, 2] : []
    case 1: rig.planner[strip: strip].pan = noise(Int(turn), seed: 12)
    case 2: rig.planner[strip: 4].duck.trigger = .held(turn % 2 == 0)
    case 3: rig.planner[strip: 5].duck.trigger = .held(turn % 3 == 0)
    case 4: rig.planner[strip: strip].isMicrophoneOpen.toggle()
    case 5:
      rig.planner[input: 0].isAvailable.toggle()
      rig.planner[output: 0].volume = abs(noise(Int(turn), seed: 13))
      rig.planner[output: 0].volumeFade = 123
    default:
      rig.planner[output: 1].isAvailable.toggle()
      rig.planner.host.isOpen.toggle()
      rig.planner.host.openFade = 60
    }
    rig.planner[strip: strip].gateFade = Int(turn * 53 % 300)
    rig.planner[strip: strip].microphoneFade = 77
    frame += turn * turn * 7 % 150
    #expect(rig.planner.publish(at: frame) != .timelineFull)
  }
  while rig.frame < 8192 { rig.cycle(min(period(Int(rig.frame)), 8192 - Int(rig.frame))) }
  return rig
}

@Suite("Periods")
struct PeriodTests {
  @Test("Every period gives the same samples, bit by bit", arguments: [16, 1, 7, 333, 256, 1024])
  func independence(period: Int) {
    let reference = playBusyScene { _ in 64 }
    let other = playBusyScene { _ in period }
    #expect(reference.mixer.meters.lateChanges == 0 && other.mixer.meters.lateChanges == 0)
    for (port, recording) in reference.recordings {
      #expect(other.recordings[port]?.map(\.bitPattern) == recording.map(\.bitPattern), "port \(port)")
    }
    #expect(reference.output(2, 3).contains { $0 != 0 })
    #expect(reference.send(3).contains { $0 != 0 })
    for strip in 0..<6 {
      let meters = (reference.mixer.meters, other.mixer.meters)
      #expect(meters.0.takePeak(ofStrip: strip) == meters.1.takePeak(ofStrip: strip))
      #expect(meters.0.gain(ofStrip: strip) == meters.1.gain(ofStrip: strip))
    }
  }

  @Test("Periods that change all the time give them too")
  func changingPeriods() {
    let reference = playBusyScene { _ in 64 }
    let other = playBusyScene { 1 + $0 * 7919 % 500 }
    for (port, recording) in reference.recordings {
      #expect(other.recordings[port] == recording, "port \(port)")
    }
  }

  @Test("No step is greater than the ramp's own, at any period", arguments: [16, 64, 256, 1024, 333])
  func noClick(period: Int) {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0)
    rig.openStrip(1)
    rig.feed(strip: 0) { _ in 1 }
    rig.planner[strip: 1].duck.isOfDuckerClass = true
    rig.planner.publish()
    // Changes come between the cycles, as from a fader, without a frame.
    var turn = 0
    while rig.frame < 48_000 {
      turn += 1
      rig.planner[strip: 0].volume = abs(noise(turn))
      rig.planner[strip: 0].volumeFade = 1440
      rig.planner[strip: 0].openRoutes = turn % 5 == 0 ? [] : [0]
      rig.planner[strip: 0].gateFade = 960
      rig.planner[strip: 1].duck.trigger = .held(turn % 7 < 3)
      rig.planner.publish()
      rig.cycle(period)
      rig.cycle(period)
    }
    // Each factor's slope in position is at most 1/fade (the duck's (1 − 0.58)/attack); the cube's is three times the sum.
    let bound: Float = 3 * (1.0 / 1440 + 1.0 / 960 + 0.42 / 4800)
    #expect(greatestStep(rig.output()) <= bound)
    #expect(greatestStep(rig.output()) > 0)
  }

  @Test("A cycle that is longer than prepared is silent and counted; the next one is as if nothing had been")
  func oversized() {
    let rig = Rig(framesPerCycle: 128)
    rig.openRoute(0)
    rig.openStrip(0)
    rig.feed(strip: 0) { noise($0) }
    rig.planner.publish()
    rig.run(until: 128, period: 128)
    rig.planner[strip: 0].volume = 0
    rig.planner[strip: 0].volumeFade = 400
    rig.planner.publish(at: 128)
    rig.cycle(256)
    rig.run(until: 600, period: 128)
    #expect(rig.output()[128..<384].allSatisfy { $0 == 0 })
    #expect(rig.mixer.meters.oversizedCycles == 1)
    let position = 1 + Float(-1) / 400 * Float(384 - 128)
    #expect(rig.output()[384] == noise(384) * (position * position * position))
    #expect(rig.output()[528...].allSatisfy { $0 == 0 })
    #expect(rig.planner.acknowledgedSequence == rig.planner.publishedSequence)
  }
}
