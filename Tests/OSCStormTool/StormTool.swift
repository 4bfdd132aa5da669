import Foundation
import JACKProbe
import OSCStorm

/// The commands of `oscstorm`.
enum StormTool {
  static let usage = """
    usage: oscstorm flood [SECONDS]    100,000 messages a second by themselves, a million in bundles of 20
           oscstorm bombard [PACKETS [SEED [FIRST]]]
                                       random, truncated and mutated packets over UDP and TCP, after so many FIRST
                                       for which memory may grow (a fifth as many)
           oscstorm session [MINUTES]  two surfaces, floods, wrong packets and scenes in turns
           oscstorm latency [COUNT]    from a datagram to the first changed sample, beside scsynth
           oscstorm cost [TURNS]       processor time for each message, beside scsynth
    With the variable EIDER the daemon is that program.
    """

  /// Returns whether all is well.
  static func run(_ words: [String]) async throws -> Bool {
    var options = StormRig.Options()
    options.isSynchronous = false
    options.isAlone = true
    if let program = ProcessInfo.processInfo.environment["EIDER"] { options.program = URL(fileURLWithPath: program) }
    let number = words.count > 1 ? Int(words[1]) : nil
    switch words.first {
    case "flood": return try await flood(seconds: Double(number ?? 10), options)
    case "bombard":
      let seed = words.count > 2 ? UInt64(words[2]) : nil
      return try await bombard(
        packets: number ?? 10_000_000, seed: seed ?? .random(in: 0 ... .max),
        first: words.count > 3 ? Int(words[3]) : nil, options)
    case "session": return try await session(minutes: Double(number ?? 30), options)
    case "latency":
      try await latency(count: number ?? 500, options)
      return true
    case "cost":
      try await cost(turns: number ?? 9, options)
      return true
    default:
      say(usage)
      return false
    }
  }

  private static func flood(seconds: Double, _ options: StormRig.Options) async throws -> Bool {
    try await withRig(options) { rig in
      say(StormReport.header)
      _ = try rig.flood(Flood(rate: 100_000, seconds: min(1, seconds)))
      let single = try rig.flood(Flood(rate: 100_000, seconds: seconds))
      let bundled = try rig.flood(Flood(rate: 1_000_000, seconds: seconds, bundleSize: 20))
      return judge([("single messages", single), ("bundles of 20", bundled)])
    }
  }

  private static func bombard(
    packets: Int, seed: UInt64, first: Int?, _ options: StormRig.Options
  ) async throws -> Bool {
    try await withRig(options) { rig in
      say("\(packets) packets of seed \(seed)")
      say(StormReport.header)
      return judge([("wrong packets", try rig.bombard(packets: packets, seed: seed, first: first))])
    }
  }

  private static func session(minutes: Double, _ options: StormRig.Options) async throws -> Bool {
    try await withRig(options) { rig in
      let seed = UInt64.random(in: 0 ... .max)
      say("seed \(seed)")
      let faults = try rig.session(minutes: minutes, seed: seed, progress: say)
      for fault in faults { say("FAILED: \(fault)") }
      return faults.isEmpty
    }
  }

  // MARK: Beside scsynth

  private static func latency(count: Int, _ options: StormRig.Options) async throws {
    say("| from a message to the first changed sample | Eider p50 | scsynth p50 | Eider p99 | scsynth p99 | measured |")
    say("|---|---|---|---|---|---|")
    for sessions in [16, 64] {
      try await compare(sessions, period: 64, options) { comparison in
        for rate in [0, 10_000] {
          let latencies = try comparison.latencies(count: count, otherMessages: rate)
          let (eider, scsynth) = (latencies.map(\.eider), latencies.map(\.scsynth))
          let figures = [
            eider.percentile(0.5), scsynth.percentile(0.5), eider.percentile(0.99), scsynth.percentile(0.99),
          ]
          let noise = rate > 0 ? "under \(rate) other messages a second" : "alone"
          let cells =
            ["\(sessions) sessions, \(noise)"] + figures.map { String(format: "%.2f ms", $0) }
            + ["\(latencies.count)"]
          say("| \(cells.joined(separator: " | ")) |")
        }
      }
    }
  }

  private static func cost(turns: Int, _ options: StormRig.Options) async throws {
    say("| processor time for a message | Eider | scsynth | spread of Eider | of scsynth |")
    say("|---|---|---|---|---|")
    try await compare(16, period: 256, options) { comparison in
      for (name, rate, size) in [
        ("by itself, 50,000 a second", 50_000, 1), ("in bundles of 20, 400,000 a second", 400_000, 20),
      ] {
        var costs: [Comparison.Engine: [Double]] = [:]
        for _ in 0..<max(1, turns) {
          for engine in Comparison.Engine.allCases {
            costs[engine, default: []].append(
              try comparison.cost(engine, rate: rate, bundleSize: size, seconds: 4))
          }
        }
        let medians = Comparison.Engine.allCases.map { String(format: "%.2f µs", (costs[$0] ?? []).percentile(0.5)) }
        let spreads = Comparison.Engine.allCases.map { engine in
          String(format: "%.2f to %.2f", costs[engine]?.min() ?? .nan, costs[engine]?.max() ?? .nan)
        }
        say("| \(name) | \((medians + spreads).joined(separator: " | ")) |")
      }
    }
  }

  private static func compare(
    _ sessions: Int, period: Int, _ options: StormRig.Options, _ body: (Comparison) throws -> Void
  ) async throws {
    let server = ProbeServer.Options(period: period, isSynchronous: false)
    try await withProbeServer(server) { server in
      let comparison = try Comparison(on: server, sessions: sessions, program: options.program)
      defer { comparison.close() }
      try body(comparison)
    }
  }

  private static func withRig<Result>(
    _ options: StormRig.Options, _ body: (StormRig) throws -> Result
  ) async throws -> Result {
    let server = ProbeServer.Options(period: options.period, isSynchronous: options.isSynchronous)
    return try await withProbeServer(server) { server in
      let rig = try StormRig(on: server, options)
      let awakeProcessors = AwakeProcessors()
      defer {
        awakeProcessors.stop()
        rig.close()
      }
      do {
        return try body(rig)
      } catch  where !rig.daemon.isRunning {
        throw ProbeError("the daemon has ended with code \(try rig.daemon.exitCode()): \(rig.daemon.complaints)")
      }
    }
  }

  private static func say(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8)) }

  private static func judge(_ reports: [(name: String, report: StormReport)]) -> Bool {
    for (name, report) in reports { say(report.row(name)) }
    let faults = reports.flatMap { name, report in report.faults.map { "\(name): \($0)" } }
    for fault in faults { say("FAILED: \(fault)") }
    return faults.isEmpty
  }
}
