import Conductor
import Foundation
import Presets

/// A preset: read, its mistakes printed; if it has none, a host is made of it.
enum Target: FuzzingTarget {
  static var dictionary: [String] {
    // All keys and words of the format stand in its schema.
    let words = PresetSchema.json().split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
    return Set(words.filter { $0.count > 1 && $0.count < 32 && !$0.contains(" ") && !$0.contains("\n") }).sorted()
  }

  static var seeds: [String: [UInt8]] {
    var seeds: [String: [UInt8]] = [
      "small": Array(#"{ eider: 1, routes: [{ name: "speaker", kind: "speaker" }], sessions: [{ name: "a" }] }"#.utf8),
      "osc": Array(
        #"{ eider: 1, osc: { listen: ["::1"], port: 9, allow: ["10.0.0.0/8"], readOnly: ["fe80::/10"] } }"#.utf8),
      "scenes": Array(#"{ eider: 1, scenes: [{ name: "a", set: { "/host/ringer": 1, "/host/*": [true] } }] }"#.utf8),
    ]
    let directory = ProcessInfo.processInfo.environment["FUZZING_PRESETS"] ?? ""
    for file in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] where file.hasSuffix(".json5") {
      seeds[file] = FileManager.default.contents(atPath: directory + "/" + file).map(Array.init)
    }
    return seeds
  }

  static func take(_ input: [UInt8]) {
    let source = SourceText(String(decoding: input, as: UTF8.self), file: "fuzzing.json5")
    do {
      let preset = try Preset(source)
      _ = Conductor(preset: preset, version: "0")
    } catch {
      precondition(!error.diagnostics.isEmpty, "a preset that cannot be read has a mistake")
      _ = error.description
    }
  }
}
