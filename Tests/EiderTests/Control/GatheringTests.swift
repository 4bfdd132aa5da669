import Testing

@testable import Daemon

@Suite struct `What comes thick and fast` {
  @Test func `is read in portions, and what comes alone at once`() {
    var gathering = Gathering()
    #expect(gathering.rest(at: 0, cycle: 0.001, timeToCycle: nil, lead: 0.0002) == 0)
    gathering.noteReading(at: 1, packets: 1)
    #expect(abs(gathering.rest(at: 1, cycle: 0.001, timeToCycle: nil, lead: 0.0002) - 0.00025) < 1e-9)
    #expect(abs(gathering.rest(at: 1.0002, cycle: 0.001, timeToCycle: nil, lead: 0.0002) - 0.00005) < 1e-9)
    #expect(gathering.rest(at: 1.0003, cycle: 0.001, timeToCycle: nil, lead: 0.0002) == 0)
    #expect(gathering.rest(at: 100, cycle: 0.001, timeToCycle: nil, lead: 0.0002) == 0)
  }

  @Test(arguments: [(0, 0.00025), (0.0003, 0.00025), (0.002, 0.0004), (0.005, 0.001), (0.17, 0.001)])
  func `waits for a fifth of a cycle, but not for what a hand would feel`(cycle: Double, span: Double) {
    var gathering = Gathering()
    gathering.noteReading(at: 1, packets: 1)
    #expect(abs(gathering.rest(at: 1, cycle: cycle, timeToCycle: nil, lead: 0.0002) - span) < 1e-9)
  }

  @Test func `is read in time for a cycle that it would miss otherwise`() {
    var gathering = Gathering()
    gathering.noteReading(at: 1, packets: 1)
    func rest(_ timeToCycle: Double?) -> Double {
      gathering.rest(at: 1, cycle: 0.001, timeToCycle: timeToCycle, lead: 0.0002)
    }
    #expect(abs(rest(0.0003) - 0.0001) < 1e-9 && rest(0.0002) == 0 && rest(0.0001) == 0 && rest(0) == 0)
    // There is time enough, or the cycle is late already.
    #expect(rest(0.0009) > 0.0002 && rest(-0.0001) > 0.0002 && rest(nil) > 0.0002)
  }

  @Test func `is a flood where many came at once, until nothing more comes`() {
    var gathering = Gathering()
    #expect(!gathering.isFlooded)
    gathering.noteReading(at: 1, packets: 7)
    #expect(!gathering.isFlooded)
    gathering.noteReading(at: 1.001, packets: 20)
    #expect(gathering.isFlooded)
    gathering.noteReading(at: 1.002, packets: 0)
    #expect(!gathering.isFlooded)
    // What comes then has nothing to wait for.
    #expect(gathering.rest(at: 1.0021, cycle: 0.005, timeToCycle: nil, lead: 0.0002) == 0)
  }

  @Test(arguments: [(0, 0.00025), (0.001, 0.0005), (0.004, 0.002), (0.17, 0.0025)])
  func `of a flood waits for half a cycle, and not for what a hand would feel`(cycle: Double, span: Double) {
    var gathering = Gathering()
    gathering.noteReading(at: 1, packets: 20)
    #expect(abs(gathering.rest(at: 1, cycle: cycle, timeToCycle: nil, lead: 0.0002) - span) < 1e-9)
  }

  @Test func `of a flood is read in time for a cycle, but once`() {
    var gathering = Gathering()
    gathering.noteReading(at: 1, packets: 20)
    #expect(abs(gathering.rest(at: 1, cycle: 0.005, timeToCycle: 0.001, lead: 0.0002) - 0.0008) < 1e-9)
    // In time for the cycle it was read.
    gathering.noteReading(at: 1.00082, packets: 20)
    #expect(abs(gathering.rest(at: 1.00085, cycle: 0.005, timeToCycle: 0.00015, lead: 0.0002) - 0.00247) < 1e-9)
    // After it, for the next one.
    #expect(abs(gathering.rest(at: 1.0012, cycle: 0.005, timeToCycle: 0.0048, lead: 0.0002) - 0.00212) < 1e-9)
  }

  @Test func `is a flood by all that was read for a cycle, in its vigil too`() {
    var gathering = Gathering()
    gathering.noteReading(at: 1, packets: 5)
    gathering.noteFurther(at: 1.0001, packets: 2)
    #expect(!gathering.isFlooded)
    gathering.noteFurther(at: 1.0001, packets: 1)
    #expect(gathering.isFlooded)
    gathering.noteReading(at: 1.002, packets: 0)
    #expect(!gathering.isFlooded)
  }

  @Test(arguments: [0.0005, 0.0025, 0.01])
  func `is dense where more comes for a while than any hand could be among`(span: Double) {
    var gathering = Gathering()
    var seconds = 1.0
    func read(_ rate: Double, for duration: Double) {
      let end = seconds + duration
      while seconds < end {
        seconds += span
        gathering.noteReading(at: seconds, packets: Int((rate * span).rounded()))
      }
    }
    read(12_000, for: 1)
    #expect(!gathering.isDense)
    // What has piled up in a stall of 20 ms.
    seconds += 0.02
    gathering.noteReading(at: seconds, packets: 240)
    #expect(!gathering.isDense)
    read(20_000, for: 0.1)
    #expect(gathering.isDense)
    // When it is over, a hand is heard at once again.
    read(0, for: 0.02)
    #expect(!gathering.isDense)
  }

  @Test func `and was too much for one reading does not wait`() {
    var gathering = Gathering()
    gathering.noteReading(at: 1, packets: Gathering.limit)
    #expect(gathering.isFlooded)
    #expect(gathering.rest(at: 1, cycle: 0.005, timeToCycle: 0.004, lead: 0.0002) == 0)
  }
}
