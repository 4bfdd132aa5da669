import Foundation
import MixCore
import Testing

@Suite("Signals")
struct SignalTests {
  /// Music 1 on strip 0; strip 1 ducks it by its signal.
  private func makeRig(hold: Int = 1000, signal: @escaping (Int) -> Float) -> Rig {
    let rig = Rig()
    rig.openRoute(0)
    rig.openRoute(1)
    rig.openStrip(0, routes: [0])
    rig.feed(strip: 0) { _ in 1 }
    rig.openStrip(1, routes: [0, 1])
    rig.planner[strip: 1].openRoutes = [1]
    rig.planner[strip: 1].duck.isOfDuckerClass = true
    rig.planner[strip: 1].duck.trigger = .signal(allowed: true)
    rig.planner[strip: 1].duck.threshold = -40
    rig.planner[strip: 1].duck.hold = hold
    rig.planner[strip: 1].duck.attack = 100
    rig.planner[strip: 1].duck.release = 200
    rig.feed(strip: 1) { _ in 0 }
    rig.feed(strip: 1, channel: 1, signal)
    rig.planner.publish()
    return rig
  }

  @Test(
    "A signal ducks from its first sample above the threshold on, until the hold after its last",
    arguments: [16, 1, 7, 64, 333, 8192])
  func ducks(period: Int) {
    let rig = makeRig { $0 >= 500 && $0 < 2500 ? 0.1 * sin(Float($0) / 5) : 0 }
    rig.run(until: 5000, period: period)
    let music = rig.output()
    let first = (500..<2500).first { abs(0.1 * sin(Float($0) / 5)) > 0.01 }!
    let last = (500..<2500).last { abs(0.1 * sin(Float($0) / 5)) > 0.01 * 0.7079458 }!
    #expect(music[...first].allSatisfy { $0 == 1 })
    #expect(music[first + 1] < 1)
    let ducked = music[first + 100]
    #expect(abs(20 * log10(ducked) + 14) < 0.05)
    #expect(music[(first + 100)...(last + 1000)].allSatisfy { $0 == ducked })
    #expect(music[last + 1001] > ducked)
    #expect(music[last + 1199] < 1)
    #expect(music[(last + 1200)...].allSatisfy { $0 == 1 })
  }

  @Test("What is below the threshold ducks nobody; 3 dB less than the threshold keep a duck up")
  func hysteresis() {
    let soft = makeRig { _ in 0.0099 }
    soft.run(until: 3000, period: 64)
    #expect(soft.output().allSatisfy { $0 == 1 })
    let fading = makeRig { $0 < 10 ? 0.0101 : 0.0072 }
    fading.run(until: 3000, period: 64)
    #expect(abs(20 * log10(fading.output()[2999]) + 14) < 0.05)
    #expect(fading.mixer.meters.hasDuckSignal(strip: 1))
    let faded = makeRig { $0 < 10 ? 0.0101 : 0.0069 }
    faded.run(until: 3000, period: 64)
    #expect(faded.output()[2999] == 1)
    #expect(!faded.mixer.meters.hasDuckSignal(strip: 1))
  }

  @Test("A pause that is shorter than the hold does not let the duck go")
  func pauses() {
    let rig = makeRig { $0 % 1500 < 600 ? 0.5 : 0 }
    rig.run(until: 12_000, period: 64)
    #expect(rig.output()[100...].allSatisfy { $0 == rig.output()[100] })
  }

  @Test("A signal ducks only while that is allowed, and bad samples are no signal")
  func allowed() {
    let rig = makeRig { _ in 0.5 }
    rig.planner[strip: 1].duck.trigger = .signal(allowed: false)
    rig.planner.publish(at: 500)
    rig.planner[strip: 1].duck.trigger = .signal(allowed: true)
    rig.planner.publish(at: 1000)
    rig.run(until: 2000, period: 64)
    #expect(rig.output()[500] < 0.25)
    #expect(rig.output()[700...1000].allSatisfy { $0 == 1 })
    #expect(rig.output()[1001] < 1)
    let broken = makeRig { $0 % 2 == 0 ? .nan : .infinity }
    broken.run(until: 2000, period: 64)
    #expect(broken.output().allSatisfy { $0 == 1 })
  }

  @Test("A ducker that is closed while its signal sounds ducks no more")
  func closed() {
    let rig = makeRig { _ in 0.5 }
    rig.planner[strip: 1] = StripPlan()
    rig.planner.publish(at: 1000)
    rig.run(until: 2000, period: 64)
    #expect(rig.output()[1000] < 0.25)
    #expect(rig.output()[1200...].allSatisfy { $0 == 1 })
  }

  @Test(
    "A signal of 20 ms activates, a click does not, and it lasts until the hold is over", arguments: [16, 64, 1000])
  func activation(period: Int) {
    let rig = Rig()
    rig.openStrip(0, sounds: false)
    rig.planner[strip: 0].activation = ActivationPlan()
    rig.planner[strip: 0].activation?.hold = 5000
    // A click each 100 ms; from 48000 on a tone of 100 Hz for 60 ms.
    rig.feed(strip: 0) { frame in
      if frame >= 48_000 && frame < 50_880 { return 0.1 * sin(Float(frame) * 2 * .pi * 100 / 48_000) }
      return frame < 40_000 && frame % 4800 == 0 ? 1 : 0
    }
    rig.planner.publish()
    for frame in stride(from: 3000, through: 48_000, by: 3000) {
      rig.run(until: frame, period: period)
      #expect(!rig.mixer.meters.hasActivationSignal(strip: 0))
    }
    rig.run(until: 48_900, period: period)
    #expect(!rig.mixer.meters.hasActivationSignal(strip: 0))
    rig.run(until: 49_000, period: period)
    #expect(rig.mixer.meters.hasActivationSignal(strip: 0))
    rig.run(until: 55_600, period: period)
    #expect(rig.mixer.meters.hasActivationSignal(strip: 0))
    rig.run(until: 56_000, period: period)
    #expect(!rig.mixer.meters.hasActivationSignal(strip: 0))
  }

  @Test("A strip that nobody waits for is not listened to")
  func unwatched() {
    let rig = makeRig { _ in 0.5 }
    rig.planner[strip: 1].openRoutes = []
    rig.planner[strip: 1].duck.trigger = .signal(allowed: false)
    rig.planner.publish()
    rig.run(until: 128, period: 64)
    #expect(!rig.askedPorts.contains(Rig.stripInput(1, 0)))
    #expect(!rig.mixer.meters.hasDuckSignal(strip: 1))
  }
}
