import Testing

@testable import Daemon

@Suite struct `The vigil before a cycle` {
  @Test func `is kept while a hand is at work, and for a second after`() {
    var vigil = Vigil()
    #expect(vigil.span(at: 1, timeToCycle: 0.001, cycle: 0.001_333) == nil)
    vigil.noteMessage(at: 1)
    #expect(vigil.span(at: 1.9, timeToCycle: 0.001, cycle: 0.001_333) != nil)
    #expect(vigil.span(at: 2.1, timeToCycle: 0.001, cycle: 0.001_333) == nil)
    // Where there is no server, no cycle comes.
    #expect(vigil.span(at: 1.9, timeToCycle: nil, cycle: 0.001_333) == nil)
  }

  @Test func `begins in time to be awake for the cycle, and does not end before a cycle that is a little late`() throws
  {
    var vigil = Vigil()
    vigil.noteMessage(at: 1)
    let early = try #require(vigil.span(at: 1, timeToCycle: 0.001, cycle: 0.001_333))
    #expect(
      abs(early.start - (0.001 - vigil.lead(cycle: 0.001_333))) < 1e-9 && vigil.lead(cycle: 0.001_333) >= 0.000_15)
    let late = try #require(vigil.span(at: 1, timeToCycle: -0.000_05, cycle: 0.001_333))
    #expect(late.start < 0 && late.end > 0)
    // Who is later than that may be long in coming.
    #expect(vigil.span(at: 1, timeToCycle: -0.000_5, cycle: 0.001_333) == nil)
  }

  /// Cycles of 64 frames at 48 kHz, each by so much earlier or later than one period after the last, in seconds.
  private func share(ofMet vigil: inout Vigil, unevenness: Double, cycles: Int) -> Double {
    var random = Generator(state: 1)
    vigil.noteMessage(at: 0)
    vigil.look(at: 0, cycle: 0)
    var met = 0
    for cycle in 1...UInt64(cycles) {
      let delay = Double.random(in: -unevenness...unevenness, using: &random)
      guard let span = vigil.span(at: 0, timeToCycle: 0.001_333, cycle: 0.001_333) else { return 0 }
      if delay + 0.001_333 < span.start {
        vigil.look(at: 0, cycle: cycle)
      } else if delay + 0.001_333 > span.end {
        vigil.end(from: cycle - 1, in: cycle - 1)
        vigil.look(at: 0, cycle: cycle)
      } else {
        vigil.end(from: cycle - 1, in: cycle)
        met += 1
      }
    }
    return Double(met) / Double(cycles)
  }

  @Test(arguments: [0, 0.000_05, 0.000_2, 0.000_25])
  func `meets nearly all cycles, however uneven`(unevenness: Double) {
    var vigil = Vigil()
    _ = share(ofMet: &vigil, unevenness: unevenness, cycles: 5000)
    #expect(share(ofMet: &vigil, unevenness: unevenness, cycles: 5000) > 0.98)
    // And it is no longer than that needs.
    #expect(vigil.earliness < unevenness + 0.000_03 && vigil.lateness < unevenness + 0.000_03)
  }

  @Test func `takes no more than a third of a short cycle beforehand, however uneven cycles are`() throws {
    var vigil = Vigil()
    _ = share(ofMet: &vigil, unevenness: 0.001, cycles: 5000)
    let long = try #require(vigil.span(at: 0, timeToCycle: 0.02, cycle: 0.02))
    #expect(long.start >= 0.019_55 && long.end <= 0.020_301)
    let short = try #require(vigil.span(at: 0, timeToCycle: 0.000_3, cycle: 0.000_3))
    #expect(short.start >= 0.000_199 && short.end <= 0.000_401)
  }

  @Test func `learns nothing from cycles that pass while nobody has a hand in it`() {
    var vigil = Vigil()
    let lead = vigil.lead(cycle: 0.001_333)
    for cycle in 0..<1000 { vigil.look(at: 10, cycle: UInt64(cycle)) }
    vigil.noteMessage(at: 10)
    vigil.look(at: 10, cycle: 2000)
    vigil.look(at: 10, cycle: 2000)
    #expect(vigil.lead(cycle: 0.001_333) == lead)
    vigil.look(at: 10, cycle: 2001)
    #expect(vigil.lead(cycle: 0.001_333) > lead)
  }
}

/// Numbers that are the same each time (a linear congruential generator, Knuth's MMIX).
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}
