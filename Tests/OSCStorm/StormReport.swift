import AddressSpace
import Foundation

/// What came of a storm.
public struct StormReport: Sendable {
  /// Messages sent, and of a flood how many in a second.
  public var sent = 0
  public var rate = 0.0
  /// Datagrams that the kernel dropped before the daemon could read them.
  public var kernelDrops = 0
  /// Messages that the daemon has read.
  public var received = 0
  /// Messages that it ought to have read, where that is known.
  public var expected: Int?
  /// Packets that it found to be no OSC, and messages that it has refused.
  public var malformed = 0
  public var refused = 0
  /// Cycles that were lost.
  public var late = LateCycles()
  /// Samples of the music that were compared, if it was to play, and that differ.
  public var compared: Int?
  public var wrong = 0
  /// Bytes by which the daemon's memory has grown.
  public var growth = 0
  /// Milliseconds that a ping took right after the last packet.
  public var ping = 0.0
  /// Microseconds of processor time for each message received.
  public var cost = 0.0
  /// What the daemon has complained of that it should not.
  public var complaints = ""

  /// Bytes that memory may grow by. A leak of a byte per packet is more than that in a storm of full length.
  public static let growthLimit = 8 << 20
  /// Milliseconds that a ping may take at most, and on a machine that has other things to do at the same time.
  static let pingLimits = (alone: 50.0, among: 2000.0)

  public init() {}

  /// What should not be so; empty if all is well.
  public var faults: [String] {
    var faults: [String] = []
    if let expected, expected != received {
      faults.append("the kernel delivered \(expected) messages, the daemon has read \(received)")
    }
    faults += late.faults
    if wrong > 0 { faults.append("\(wrong) of \(compared ?? 0) samples differ from what was played") }
    if compared == 0 { faults.append("no sample was compared") }
    if growth > Self.growthLimit { faults.append("the daemon's memory has grown by \(growth / 1024) KiB") }
    if ping > (late.isAlone ? Self.pingLimits.alone : Self.pingLimits.among) {
      faults.append("a ping took \(Int(ping)) ms")
    }
    if !complaints.isEmpty { faults.append("the daemon says: \(complaints)") }
    return faults
  }

  /// The columns of the table of reports.
  public static let header = """
    | storm | messages sent | a second | dropped by the kernel | lost after that | refused | malformed | own xruns | \
    in a stall | xruns of the server | stalls of the machine | samples compared | wrong | memory grown | ping | CPU per message |
    |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
    """

  /// The report as a row of that table.
  public func row(_ name: String) -> String {
    let lost = expected.map { "\($0 - received)" } ?? "–"
    let cells: [String] = [
      name, "\(sent)", String(format: "%.0f", rate), "\(kernelDrops)", lost, "\(refused)", "\(malformed)",
      "\(late.own)", "\(late.excused)", "\(late.all)", "\(late.stalls)",
      compared.map { "\($0)" } ?? "–", "\(wrong)", "\(growth / 1024) KiB",
      String(format: "%.1f ms", ping),
      String(format: "%.2f µs", cost),
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }
}

extension StormRig {
  /// Lets something happen while the music plays, and says what came of it.
  func report(_ body: () throws -> Void) throws -> StormReport {
    var report = StormReport()
    let before = try count()
    let music = try withMusic {
      try body()
      report.ping = try ping()
      try settle()
    }
    let after = try count()
    (report.compared, report.wrong) = (music.compared, music.wrong)
    // Without the rig's own questions.
    report.received = after.received - before.received - (after.asked - before.asked)
    report.refused = after.refused - before.refused
    report.malformed = after.malformed - before.malformed
    report.kernelDrops = after.kernelDrops - before.kernelDrops
    report.late = LateCycles(from: before, to: after, isAlone: isAlone)
    report.growth = after.figures.ownMemory - before.figures.ownMemory
    let cpu = after.figures.cpuSeconds - before.figures.cpuSeconds
    report.cost = report.received > 0 ? cpu / Double(report.received) * 1e6 : 0
    report.complaints = daemon.isRunning ? "" : "it has ended: \(daemon.complaints)"
    return report
  }

  /// Floods the daemon with valid messages.
  public func flood(_ flood: Flood) throws -> StormReport {
    let packets = flood.packets(Flood.messages(sessions: faders))
    var sent = Flood.Sent()
    var report = try report { sent = try flood.run(packets, to: port) }
    report.sent = sent.messages
    report.rate = Double(sent.messages) / sent.seconds
    report.expected = (sent.datagrams - report.kernelDrops) * flood.bundleSize
    return report
  }

  /// Bombards the daemon with wrong packets, which may change anything, and asks for what is right afterwards.
  ///
  /// - Parameter first: how many packets come before, for which memory may grow; nil: a fifth as many.
  public func bombard(packets: Int, seed: UInt64, first: Int? = nil) throws -> StormReport {
    // What a first storm makes room for is no leak.
    try Bombardment(packets: first ?? packets / 5, seed: seed &+ 1, sessions: faders).run(to: port)
    try settle()
    let before = try count()
    let start = Clock.seconds
    var report = StormReport()
    try Bombardment(packets: packets, seed: seed, sessions: faders).run(to: port)
    report.sent = packets
    report.rate = Double(report.sent) / (Clock.seconds - start)
    report.ping = try ping()
    try settle()
    let after = try count()
    report.received = after.received - before.received - (after.asked - before.asked)
    report.refused = after.refused - before.refused
    report.malformed = after.malformed - before.malformed
    report.kernelDrops = after.kernelDrops - before.kernelDrops
    report.late = LateCycles(from: before, to: after, isAlone: isAlone)
    report.growth = after.figures.ownMemory - before.figures.ownMemory
    report.cost = (after.figures.cpuSeconds - before.figures.cpuSeconds) / Double(report.sent) * 1e6
    report.complaints = try refusalsOfValidMessages().joined(separator: "; ")
    return report
  }

  /// Sends what is right, each message by itself, and returns what was refused nevertheless.
  private func refusalsOfValidMessages() throws -> [String] {
    var refusals: [String] = []
    func ask(_ address: String, _ arguments: Argument...) throws {
      for answer in try self.ask(address, arguments) where answer.address == "/error" {
        refusals.append(answer.arguments.map(\.description).joined(separator: " "))
      }
    }
    // Errors of the storm do not count against those of now.
    Clock.sleep(until: Clock.seconds + 1.1)
    for fader in faders {
      try ask("/session/\(fader)/volume", .float(0.5))
      try ask("/session/\(fader)/mute", .bool(false))
      try ask("/session/\(fader)/title", .string("After the storm"))
      try ask("/session/\(fader)/state")
    }
    try ask("/host/ringer", .float(0.7))
    try ask("/scene/recall", .string("night"))
    try ask("/session/open", .string("newcomer"), .string("playback"))
    try ask("/session/newcomer/duck/depth", .int(-6))
    try ask("/session/close", .string("newcomer"))
    return refusals
  }
}
