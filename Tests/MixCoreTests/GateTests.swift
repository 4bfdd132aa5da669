import MixCore
import Testing

@Suite("What a strip sounds like")
struct GateTests {
  @Test("A strip with all faders up is passed on bit by bit")
  func unity() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0)
    rig.feed(strip: 0, channel: 0) { noise($0) }
    rig.feed(strip: 0, channel: 1) { noise($0, seed: 2) }
    rig.planner.publish()
    rig.run(until: 1000, period: 64)
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
}
