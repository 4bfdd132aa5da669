import AddressSpace
import Foundation
import Presets
import Scripts
import Testing

/// One script of the conformance suite and what its header says of it.
struct ConformanceScript: Sendable, CustomTestStringConvertible {
  /// The name of the file.
  let name: String
  let text: String
  /// The rules that it covers, as its header names them (`# Rules: …`).
  let rules: Set<String>
  /// The path of the preset that it runs with (`# Preset: FILE`).
  let preset: String?

  var testDescription: String { name }

  /// All of them, in the order of their names.
  static let all: [ConformanceScript] = {
    guard let folder = Bundle.module.resourceURL?.appending(path: "Conformance"),
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    else { return [] }
    return names.filter { $0.hasSuffix(".osc") }.sorted().compactMap { name in
      try? ConformanceScript(name: name, folder: folder)
    }
  }()

  private init(name: String, folder: URL) throws {
    let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    func header(_ key: String) -> String? {
      text.split(separator: "\n").first { $0.hasPrefix("# \(key): ") }.map { String($0.dropFirst(key.count + 4)) }
    }
    self.name = name
    self.text = text
    rules = RuleID.all(in: header("Rules") ?? "")
    preset = header("Preset").map { folder.appending(path: $0).path }
  }

  /// The host that it begins with.
  func host() throws -> ControlState {
    try ControlState(preset: preset.map { try Preset(contentsOf: $0) } ?? .scriptDefault)
  }

  func run() throws -> ScriptJudge {
    Simulation.run(try Script(name: name, text: text), on: try host())
  }
}

/// The ids of the rules, as texts name them.
enum RuleID {
  /// Reads `A3`, `A2.1–A2.4`, `D1–D6`, `§2`, and `§1 (Order)`, which is two: `§1` and `§1 Order`.
  static func all(in text: String) -> Set<String> {
    var ids: Set<String> = []
    for match in text.matches(of: /([A-Z])(\d+\.)?(\d+)(?:–[A-Z](?:\d+\.)?(\d+))?/) {
      let (_, letter, section, first, last) = match.output
      guard let first = Int(first), let last = last.map({ Int($0) }) ?? first, first <= last else { continue }
      for number in first...last { ids.insert("\(letter)\(section ?? "")\(number)") }
    }
    for match in text.matches(of: /§(\d+)(?: \(([^)]*)\))?/) {
      ids.insert("§\(match.output.1)")
      for word in (match.output.2 ?? "").matches(of: /Order|auto|idleRelease/) {
        ids.insert("§\(match.output.1) \(word.output)")
      }
    }
    return ids
  }

  /// Every rule of the policy that a script can see. How long the ramps of §13 take is heard, not read: the tests of the
  /// mix core hold it. `connected`, `signal` and `linger` of §9 come from JACK: the tests of the policy and of the daemon
  /// hold them.
  static let ofPolicy: [String] =
    ["§1", "§1 Order", "§2", "§2 auto", "§3", "§7", "§9", "§9 idleRelease", "§10", "§12"]
    + (1...9).map { "A\($0)" } + (1...4).map { "A2.\($0)" } + (1...10).map { "I\($0)" } + (1...6).map { "D\($0)" }
    + (1...3).map { "S\($0)" } + (1...5).map { "V\($0)" } + (1...9).map { "R\($0)" } + (1...3).map { "M\($0)" }
    + (1...3).map { "C\($0)" }
}
