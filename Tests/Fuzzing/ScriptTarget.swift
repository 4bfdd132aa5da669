import AddressSpace
import Foundation
import Presets
import Scripts

/// A script: read, and if it can be read, run and traced.
enum Target: FuzzingTarget {
  static var dictionary: [String] {
    AddressTable.endpoints.map(\.address) + ["begin", "end", "true", "false", "none", "playback", "ambient", "{", "}"]
      + ["0 ", "1 ? ", "2 ! badAddress ", "3 < ", "\n", "#", "\"", "\\"]
  }

  static var seeds: [String: [UInt8]] {
    var seeds: [String: [UInt8]] = [:]
    let directory = ProcessInfo.processInfo.environment["FUZZING_SCRIPTS"] ?? ""
    for file in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
      // Pieces of them: small inputs are tried most often.
      let lines = (try? String(contentsOfFile: directory + "/" + file, encoding: .utf8))?.split(separator: "\n") ?? []
      for start in stride(from: 0, to: lines.count, by: 12) {
        seeds["\(file)-\(start)"] = Array(lines[start...].prefix(12).joined(separator: "\n").utf8)
      }
    }
    return seeds
  }

  static func take(_ input: [UInt8]) {
    guard let script = try? Script(name: "fuzzing", text: String(decoding: input, as: UTF8.self)) else { return }
    _ = Simulation.run(script, on: ControlState(preset: .scriptDefault)) { record in _ = record }
  }
}
