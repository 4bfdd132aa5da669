import Foundation
import MixCore
import Testing

@Suite("Ducking")
struct DuckTests {
  /// A rig in which strip 0 is music, sounding 1, and the others are duckers whose signal is 0.
  private func makeRig(duckers: Int = 1, configure: (Int, inout StripPlan) -> Void = { _, _ in }) -> Rig {
    let rig = Rig()
    rig.openRoute(0)
    rig.openRoute(1)
    rig.openStrip(0, routes: [0])
    rig.feed(strip: 0) { _ in 1 }
    for ducker in 1...duckers {
      rig.openStrip(ducker, routes: [0])
      rig.planner[strip: ducker].duck.isOfDuckerClass = true
      rig.planner[strip: ducker].duck.attack = 100
      rig.planner[strip: ducker].duck.release = 400
      configure(ducker, &rig.planner[strip: ducker])
    }
    rig.planner.publish()
    return rig
  }

  private func decibels(_ gain: Float) -> Float { 20 * log10(gain) }

  @Test("−14 dB is −14 dB; attack and release end on their frame; afterwards it is exactly as before")
  func depth() {
    let rig = makeRig()
    rig.planner[strip: 1].duck.trigger = .held(true)
    rig.planner.publish(at: 100)
    rig.planner[strip: 1].duck.trigger = .held(false)
    rig.planner.publish(at: 1000)
    rig.run(until: 2000, period: 64)
    let music = rig.output()
    let ducked = music[500]
    #expect(abs(decibels(ducked) + 14) < 0.05)
    #expect(music[...100].allSatisfy { $0 == 1 })
    #expect(music[101] < 1)
    #expect(music[199] > ducked)
    #expect(music[200...1000].allSatisfy { $0 == ducked })
    #expect(music[1001] > ducked)
    #expect(music[1399] < 1)
    #expect(music[1400...].allSatisfy { $0 == 1 })
    #expect(greatestStep(Array(music[..<300])) <= 3 * (1 - 0.58) / 100)
  }

  @Test("A session that starts during a duck starts ducked, and one that is paused in it comes back undone")
  func startsDucked() {
    let rig = makeRig { _, plan in plan.duck.trigger = .held(true) }
    rig.planner[strip: 0].openRoutes = []
    rig.planner.publish()
    rig.run(until: 64, period: 64)
    rig.planner[strip: 0].openRoutes = [0]
    rig.planner.publish()
    rig.run(until: 128, period: 64)
    #expect(rig.output()[64...].allSatisfy { abs(decibels($0) + 14) < 0.05 })
    rig.planner[strip: 0].openRoutes = []
    rig.planner.publish()
    rig.run(until: 192, period: 64)
    rig.planner[strip: 1].duck.trigger = .held(false)
    rig.planner.publish()
    rig.run(until: 256, period: 64)
    rig.planner[strip: 0].openRoutes = [0]
    rig.planner.publish()
    rig.run(until: 320, period: 64)
    #expect(rig.output()[256...].allSatisfy { $0 == 1 })
  }

  @Test("Of several duckers the deepest counts, and the next one when it goes")
  func deepest() {
    let rig = makeRig(duckers: 3) { index, plan in
      plan.duck.depth = [0, -6, -20, -10][index]
      plan.duck.trigger = .held(true)
    }
    rig.run(until: 1000, period: 100)
    #expect(abs(decibels(rig.output()[999]) + 20) < 0.05)
    rig.planner[strip: 2].duck.trigger = .held(false)
    rig.planner.publish()
    rig.run(until: 2000, period: 100)
    #expect(abs(decibels(rig.output()[1399]) + 10) < 0.2)
    #expect(abs(decibels(rig.output()[1400]) + 10) < 0.05)
    rig.planner[strip: 3] = StripPlan()
    rig.planner.publish()
    rig.run(until: 3000, period: 100)
    #expect(abs(decibels(rig.output()[2999]) + 6) < 0.05)
    rig.planner[strip: 1].openRoutes = []
    rig.planner[strip: 1].duck.trigger = .held(false)
    rig.planner.publish()
    rig.run(until: 4000, period: 100)
    #expect(rig.output()[3999] == 1)
  }

  @Test("A second ducker in the middle of a release takes over from where it is")
  func turningRound() {
    let rig = makeRig(duckers: 2)
    rig.planner[strip: 1].duck.trigger = .held(true)
    rig.planner.publish(at: 0)
    rig.planner[strip: 1].duck.trigger = .held(false)
    rig.planner.publish(at: 200)
    rig.planner[strip: 2].duck.trigger = .held(true)
    rig.planner.publish(at: 400)
    rig.run(until: 1000, period: 64)
    let music = rig.output()
    #expect(music[399] < music[400])
    #expect(music[401] < music[400])
    #expect(music[499] > music[500])
    #expect(abs(decibels(music[500]) + 14) < 0.05)
    #expect(greatestStep(Array(music[..<500])) <= 3 * (1 - 0.58) / 100)
  }

  @Test("Down goes the attack of the ducker that comes, up the release of the one that goes")
  func timesOfEach() {
    let rig = makeRig(duckers: 2) { index, plan in
      plan.duck.depth = index == 1 ? -20 : -10
      plan.duck.attack = index * 100
      plan.duck.release = index * 300
    }
    rig.planner[strip: 2].duck.trigger = .held(true)
    rig.planner.publish(at: 0)
    rig.planner[strip: 1].duck.trigger = .held(true)
    rig.planner.publish(at: 500)
    rig.planner[strip: 1].duck.trigger = .held(false)
    rig.planner.publish(at: 1000)
    rig.planner[strip: 2].duck.trigger = .held(false)
    rig.planner.publish(at: 2000)
    rig.run(until: 3000, period: 64)
    let music = rig.output()
    let (deep, shallow) = (music[900], music[1900])
    #expect(abs(decibels(deep) + 20) < 0.05 && abs(decibels(shallow) + 10) < 0.05)
    #expect(music[199] > music[200] && music[200] == shallow)
    #expect(music[599] > music[600] && music[600] == deep)
    #expect(music[1299] < music[1300] && music[1300] == shallow)
    #expect(music[2599] < music[2600] && music[2600] == 1)
  }

  @Test("Who fades out on a route that it leaves keeps its duck there to the end")
  func leavingRoute() {
    let rig = makeRig { _, plan in plan.duck.trigger = .held(true) }
    rig.run(until: 500, period: 100)
    rig.planner[strip: 0].routes = [1]
    rig.planner[strip: 0].openRoutes = [1]
    rig.planner[strip: 0].gateFade = 1000
    rig.planner.publish()
    rig.run(until: 2000, period: 100)
    #expect(greatestStep(Array(rig.output(0)[500...])) <= 3.0 / 1000)
    #expect(zip(rig.output(0)[500...], rig.output(0)[501...]).allSatisfy { $0 >= $1 })
    #expect(rig.output(1)[1999] == 1)
  }

  /// Who ducks whom: priorities, class and call of the ducked one, ducker's priority 0.
  @Test(
    "Priority and class decide who is ducked (D2)",
    arguments: [
      (0, false, false, true), (-1, true, false, true), (0, true, false, false), (1, false, false, false),
      (-1, false, true, false), (100, false, false, false), (-100, true, false, true),
    ])
  func eligibility(priority: Int, isOfDuckerClass: Bool, isCall: Bool, isDucked: Bool) {
    let rig = makeRig { _, plan in plan.duck.trigger = .held(true) }
    rig.planner[strip: 0].priority = priority
    rig.planner[strip: 0].duck.isOfDuckerClass = isOfDuckerClass
    rig.planner[strip: 0].isCall = isCall
    rig.planner.publish()
    rig.run(until: 1000, period: 100)
    #expect((rig.output()[999] < 0.9) == isDucked)
    #expect((rig.mixer.meters.duckGain(ofStrip: 0) < 0.9) == isDucked)
  }

  @Test("An emergency of the highest priority ducks a guide of the highest but one, not itself")
  func highestPriority() {
    let rig = makeRig(duckers: 2) { index, plan in
      plan.priority = index == 1 ? 99 : 100
      plan.duck.trigger = .held(true)
      plan.openRoutes = index == 1 ? [0] : []
    }
    rig.planner[strip: 0].openRoutes = []
    rig.feed(strip: 1) { _ in 1 }
    rig.planner.publish()
    rig.run(until: 1000, period: 100)
    #expect(abs(decibels(rig.output()[999]) + 14) < 0.05)
    rig.planner[strip: 1].priority = 100
    rig.planner.publish()
    rig.run(until: 2000, period: 100)
    #expect(rig.output()[1999] == 1)
  }

  @Test("Paging one zone leaves the other alone")
  func zones() {
    let rig = makeRig { _, plan in
      plan.routes = [1]
      plan.openRoutes = [1]
      plan.duck.trigger = .held(true)
    }
    rig.planner[strip: 0].routes = [0, 1]
    rig.planner[strip: 0].openRoutes = [0, 1]
    rig.planner.publish()
    rig.run(until: 1000, period: 100)
    #expect(rig.output(0)[999] == 1)
    #expect(abs(decibels(rig.output(1)[999]) + 14) < 0.05)
  }

  @Test("A ducker that is not heard itself ducks where it is a member")
  func silentDucker() {
    let rig = makeRig { _, plan in
      plan.openRoutes = []
      plan.duck.trigger = .held(true)
    }
    rig.run(until: 1000, period: 100)
    #expect(abs(decibels(rig.output()[999]) + 14) < 0.05)
  }

  @Test("A duck is a factor of its own: a volume that is changed meanwhile is there when the duck is over")
  func independent() {
    let rig = makeRig { _, plan in plan.duck.trigger = .held(true) }
    rig.run(until: 500, period: 100)
    rig.planner[strip: 0].volume = 0.5
    rig.planner[strip: 0].volumeFade = 50
    rig.planner.publish()
    rig.run(until: 1000, period: 100)
    #expect(abs(decibels(rig.output()[999]) + 14 + 18.0618) < 0.05)
    rig.planner[strip: 1].duck.trigger = .held(false)
    rig.planner.publish()
    rig.run(until: 2000, period: 100)
    #expect(rig.output()[1999] == 0.125)
  }

  @Test("A thousand sessions under three hundred duckers are all ducked by the deepest of theirs")
  func crowd() {
    let rig = Rig(strips: 1024, routes: 64)
    rig.openRoute(0, channels: 1)
    var wanted = [Float](repeating: 0, count: 1024)
    for strip in 0..<1024 {
      rig.openStrip(strip, channels: 1)
      rig.planner[strip: strip].priority = strip % 201 - 100
      rig.planner[strip: strip].duck.isOfDuckerClass = strip % 3 == 0
      rig.planner[strip: strip].duck.depth = -Float(strip % 37)
      rig.planner[strip: strip].duck.trigger = .held(strip % 3 == 0)
      rig.planner[strip: strip].duck.attack = 1
    }
    for strip in 0..<1024 {
      for ducker in stride(from: 0, to: 1024, by: 3) where ducker != strip {
        let (own, other) = (strip % 201, ducker % 201)
        if own < other || (own == other && strip % 3 != 0) { wanted[strip] = min(wanted[strip], -Float(ducker % 37)) }
      }
    }
    rig.planner.publish()
    rig.run(until: 64, period: 64)
    for strip in 0..<1024 {
      #expect(abs(decibels(rig.mixer.meters.duckGain(ofStrip: strip)) - wanted[strip]) < 0.01)
    }
  }
}
