import Testing

@testable import JACKTransport

@Suite struct `How the audio thread fares` {
  @Test func `lengths of cycles are known to a sixteenth, from nanoseconds to a minute`() {
    for length: UInt64 in [16, 17, 31, 32, 33, 100, 999, 1000, 12_345, 1_000_000, 33_333_333, 60_000_000_000] {
      let end = CycleReport.end(ofClass: CycleReport.classIndex(of: length))
      #expect(end > length)
      #expect(Double(end - length) <= max(1, Double(length) / 16), "\(length) is less than \(end)")
    }
    let classes = (0..<CycleReport.classCount).map(CycleReport.end(ofClass:))
    #expect(zip(classes.dropFirst(), classes).allSatisfy { $0 > $1 })
    #expect(CycleReport.classIndex(of: 0) == 0)
    #expect(CycleReport.classIndex(of: .max) == CycleReport.classCount - 1)
  }

  @Test func `half of the cycles, 99 of 100 and the longest are told, since an earlier report`() {
    let counts = CycleCounts()
    // What was before does not count.
    for _ in 0..<1000 { counts.count(length: 900_000, isLate: false, isOver: false, lost: 0) }
    let before = counts.takeReport()
    #expect(before.longest == 900_000)
    for _ in 0..<98 { counts.count(length: 10_000, isLate: false, isOver: false, lost: 0) }
    counts.count(length: 50_000, isLate: false, isOver: false, lost: 512)
    counts.count(length: 400_000, isLate: true, isOver: true, lost: 0)
    let after = counts.takeReport()
    func isNear(_ length: UInt64, _ expected: UInt64) -> Bool { length >= expected && length <= expected * 17 / 16 + 1 }
    #expect(isNear(after.length(below: 0.5, since: before), 10_000))
    #expect(isNear(after.length(below: 0.98, since: before), 10_000))
    #expect(isNear(after.length(below: 0.99, since: before), 50_000))
    #expect(isNear(after.length(below: 1, since: before), 400_000))
    #expect(after.longest == 400_000)
    #expect(after.cycles == 1100 && after.lateCycles == 1 && after.lostFrames == 512)
    #expect(after.busy - before.busy == 98 * 10_000 + 50_000 + 400_000)
    // One was missed, another not done in time.
    #expect(counts.misses.load(ordering: .relaxed) == 2)
    // Nothing since.
    #expect(counts.takeReport().longest == 0)
    #expect(after.length(below: 0.5, since: after) == 0)
  }

  @Test func `a cycle is over once its period has gone by since it began, and not before it has begun`() {
    let period = 256.0 / 48_000 * 1e9
    #expect(!CycleShell.isOver(1_000_000, period: period, at: 1_000_000_000 + 5_333_000))
    #expect(CycleShell.isOver(1_000_000, period: period, at: 1_000_000_000 + 5_334_000))
    // The clock of the cycle may be a little ahead.
    #expect(!CycleShell.isOver(1_000_000, period: period, at: 1_000_000_000 - 100))
  }

  @Test func `what the system says of a thread is read whatever the thread is called`() throws {
    let stat = "42 (eider (a) b) S 1 42 42 0 -1 4194368 17 0 3 0 5 6 0 0 20 0 4 0 100 1 2 3"
    let status = "Name:\teider\nvoluntary_ctxt_switches:\t600\nnonvoluntary_ctxt_switches:\t7\n"
    let report = try #require(AudioThreadReport(stat: stat, status: status))
    #expect(report.minorFaults == 17 && report.majorFaults == 3)
    #expect(report.waits == 600 && report.preemptions == 7)
    #expect(AudioThreadReport(stat: "", status: "") == nil)
  }

  @Test func `a semaphore of a program that has gone is noticed`() {
    let line =
      "7f9a58040000-7f9a58041000 rw-s 00000000 00:1b 2730                       /dev/shm/jack_sem.0_main_player"
    #expect(!JACKClient.hasStaleSemaphore(maps: line + "\n" + line))
    #expect(JACKClient.hasStaleSemaphore(maps: "\(line)\n\(line) (deleted)\n\(line)"))
    #expect(!JACKClient.hasStaleSemaphore(maps: "7f00-7f01 rw-s 00000000 00:1b 2731 /dev/shm/other (deleted)"))
  }
}
