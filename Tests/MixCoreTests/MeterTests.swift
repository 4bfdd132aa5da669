import MixCore
import Testing

@Suite("Meters")
struct MeterTests {
  @Test("A peak is the greatest amplitude since it was last taken, after all gains")
  func peaks() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0)
    rig.feed(strip: 0, channel: 1) { $0 == 40 ? -0.8 : 0.1 }
    rig.planner[strip: 0].volume = 0.5
    rig.planner.publish()
    rig.run(until: 128, period: 32)
    #expect(rig.mixer.meters.takePeak(ofStrip: 0) == 0.1)
    #expect(rig.mixer.meters.takePeak(ofOutput: 0) == 0.1)
    #expect(rig.mixer.meters.takePeak(ofStrip: 0) == 0)
    rig.run(until: 160, period: 32)
    #expect(rig.mixer.meters.takePeak(ofStrip: 0) == Float(0.1) * 0.125)
    #expect(rig.mixer.meters.takePeak(ofStrip: 1) == 0)
  }

  @Test("The clock and the count of cycles go on")
  func clock() {
    let rig = Rig()
    rig.run(until: 100, period: 64)
    #expect(rig.mixer.meters.frame == 100)
    #expect(rig.mixer.meters.cycles == 2)
  }

  @Test("The gain of a strip falls to zero when its route is lost")
  func gainOfLostRoute() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0)
    rig.planner.publish()
    rig.run(until: 64, period: 64)
    #expect(rig.mixer.meters.gain(ofStrip: 0) == 1)
    rig.planner[output: 0].isAvailable = false
    rig.planner.publish()
    rig.run(until: 128, period: 64)
    #expect(rig.mixer.meters.gain(ofStrip: 0) == 0)
  }
}
