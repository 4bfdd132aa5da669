import OSCStorm
import Testing

/// Whether those who watch a storm would see that the daemon fails in it.
@Suite struct `Late cycles in a storm` {
  private func cycles(own: Int, excused: Int = 0, of all: Int, stalls: Int = 100, isAlone: Bool = true) -> LateCycles {
    var cycles = LateCycles()
    (cycles.own, cycles.excused, cycles.all, cycles.stalls, cycles.isAlone) = (own, excused, all, stalls, isAlone)
    return cycles
  }

  @Test func `on a machine that has nothing else to do, each needs a moment in which it stood still`() {
    #expect(cycles(own: 0, of: 20).faults == [])
    #expect(cycles(own: 2, excused: 2, of: 20).faults == [])
    #expect(cycles(own: 2, excused: 1, of: 20).faults.count == 1)
    #expect(cycles(own: 1, of: 20).faults.count == 1)
  }

  @Test func `a machine that stood still once is no excuse for two`() {
    #expect(cycles(own: 2, excused: 2, of: 20, stalls: 1).faults.count == 1)
  }

  @Test(arguments: [true, false])
  func `more than a quarter of all is too much anywhere`(isAlone: Bool) {
    #expect(cycles(own: 5, excused: 5, of: 20, isAlone: isAlone).faults == [])
    #expect(cycles(own: 6, excused: 6, of: 20, isAlone: isAlone).faults.count == 1)
  }

  @Test func `on a busy machine they need no excuse`() {
    #expect(cycles(own: 2, of: 20, isAlone: false).faults == [])
  }

  @Test func `only a machine that stood still just before is an excuse`() {
    let cycle = 256 / 48000.0
    func excused(_ stall: ClosedRange<Double>) -> Int { LateCycles.excused([10], by: [stall], cycle: cycle) }
    #expect(excused(9.985...9.99) == 1)
    #expect(excused(9.9...9.98) == 1)
    #expect(excused(9.9...9.97) == 0)
    #expect(excused(10.001...10.01) == 0)
    #expect(LateCycles.excused([10, 11, 12], by: [9.99...9.995, 11.99...11.995], cycle: cycle) == 2)
  }
}
