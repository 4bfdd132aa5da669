import Foundation
import JACKProbe
import OSCStorm

/// The commands of `oscstorm`.
enum StormTool {
  static let usage = """
    usage: oscstorm flood [SECONDS]      100,000 messages a second by themselves, a million in bundles of 20
           oscstorm bombard [PACKETS] [SEED]   random, truncated and mutated packets over UDP and TCP
    With the variable EIDER the daemon is that program.
    """

  /// Returns whether all is well.
  static func run(_ words: [String]) async throws -> Bool {
    var options = StormRig.Options()
    options.isSynchronous = false
    if let program = ProcessInfo.processInfo.environment["EIDER"] { options.program = URL(fileURLWithPath: program) }
    let number = words.count > 1 ? Int(words[1]) : nil
    switch words.first {
    case "flood": return try await flood(seconds: Double(number ?? 10), options)
    case "bombard":
      let seed = words.count > 2 ? UInt64(words[2]) : nil
      return try await bombard(packets: number ?? 10_000_000, seed: seed ?? .random(in: 0 ... .max), options)
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

  private static func bombard(packets: Int, seed: UInt64, _ options: StormRig.Options) async throws -> Bool {
    try await withRig(options) { rig in
      say("\(packets) packets of seed \(seed)")
      say(StormReport.header)
      return judge([("wrong packets", try rig.bombard(packets: packets, seed: seed))])
    }
  }

  private static func withRig<Result>(
    _ options: StormRig.Options, _ body: (StormRig) throws -> Result
  ) async throws -> Result {
    let server = ProbeServer.Options(period: options.period, isSynchronous: options.isSynchronous)
    return try await withProbeServer(server) { server in
      let rig = try StormRig(on: server, options)
      defer { rig.close() }
      return try body(rig)
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
