import Foundation
import Testing

@testable import Presets

/// Whether the schema and the reader say the same of presets, the schema by a validator that others have written.
@Suite struct SchemaAgreementTests {
  /// What a schema cannot tell: what was expected in the mistakes that only reading finds.
  private static let beyondSchema = [
    "the name of a route", "the name of a scene", "a name that is there only once", "an address that exists",
    "an address of a route", "a route of this preset", "a scene of this preset", "the name of a JACK port",
    "what /host/route takes", "an address of something else", "an address that can be set",
    "what /session/open takes", "what /session/s/active takes",
  ]

  private static let whole = """
    {"$schema": "x", "eider": 1, "title": "All", "routes": [{"name": "r", "title": "R", "kind": "hdmi", "ports": ["a:b"],
     "available": "manual", "volume": 0.5, "trim": -3, "fixedVolume": false, "pausesOnLoss": true, "personal": false,
     "limit": null, "lookahead": 5}], "inputs": [{"name": "i", "title": "I", "ports": [], "available": "ports", "trim": 0}],
     "sessions": [{"name": "s", "title": "S", "channels": 1, "sources": ["m:.*"], "category": "playback",
      "options": ["duckOthers"], "mode": "spokenAudio", "controls": true, "remote": ["play"], "foreground": true,
      "priority": 3, "volume": 1, "pan": -1, "mute": false, "solo": false, "routes": ["r"], "onRouteLoss": "pause",
      "duck": {"trigger": "signal", "style": "margin", "depth": -10, "attack": 10, "hold": 0, "release": 1,
       "threshold": -40, "margin": 12, "maxDepth": -60}, "activation": "signal", "activationThreshold": -50,
      "activationHold": 100, "linger": 0, "idleRelease": 60, "micMute": true}], "fades": {"volume": 1, "mute": 0,
      "pause": 60, "resume": 250, "interrupt": 250, "route": 50, "mic": 20}, "scenes": [{"name": "c", "title": "C",
      "fade": 1.5, "set": {"/session/s/volume": 0.5, "/session/s/mute": true, "/session/s/category": ["playback",
      "mixWithOthers"], "/session/s/options": "none", "/session/s/routes": ["r"], "/session/s/active": [false,
      "notifyOthers"], "/session/*/pan": 0, "/host/volumeUp": [], "/session/s/priority": 4, "/route/r/trim": -6,
      "/session/s/duck/depth": -20, "/host/interruption": ["end", "alarm", "resumable"], "/host/cover": "closed",
      "/session/open": ["t", "ambient"], "/session/s/remote": ["play", "stop"]}}],
     "start": {"scene": "c", "set": {"/scene/recall": ["c", 1, "/session/*"], "/route/r/available": true}},
     "safe": ["/host/*"], "osc": {"listen": ["0.0.0.0", "::1"], "port": 9000, "allow": ["10.0.0.0/8"],
      "readOnly": ["fd00::/8"]}, "resume": true}
    """

  /// What stands in place of each value in turn.
  private static var intruders: [Any] {
    [
      NSNull(), true, 0, -1, 0.5, 1e9, "", "none", "r", "1.2.3.4", ["none"], ["a", "a"], [[]], ["name": "x"], ["x": 1],
    ]
  }

  /// A document that differs from the whole one in one place.
  private struct Variant {
    var place: String
    var value: Any

    func within(_ step: String, _ wrap: (Any) -> Any) -> Variant {
      Variant(place: step + " " + place, value: wrap(value))
    }
  }

  /// Every way of putting something else in place of one value, of leaving out one key, and of adding one.
  private static func variants(_ value: Any) -> [Variant] {
    var variants = intruders.map { Variant(place: "= \($0)", value: $0) }
    switch value {
    case let object as [String: Any]:
      for (key, member) in object.sorted(by: { $0.key < $1.key }) {
        variants += Self.variants(member).map { $0.within(key) { new in object.merging([key: new]) { $1 } } }
        let rest = object.filter { $0.key != key }
        variants.append(Variant(place: "\(key) left out", value: rest))
        variants.append(Variant(place: "\(key) misspelt", value: rest.merging([key + "x": member]) { $1 }))
      }
    case let list as [Any]:
      for index in list.indices {
        variants += Self.variants(list[index]).map {
          $0.within("[\(index)]") { Array(list[..<index]) + [$0] + Array(list[(index + 1)...]) }
        }
      }
      if let first = list.first { variants.append(Variant(place: "[0] twice", value: list + [first])) }
    default: break
    }
    return variants
  }

  /// What a validator of JSON Schema says of each document.
  private func isValid(_ documents: [String]) throws -> [Bool] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schema-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try PresetSchema.json().write(to: folder.appendingPathComponent("schema"), atomically: false, encoding: .utf8)
    try documents.joined(separator: "\n").write(
      to: folder.appendingPathComponent("documents"), atomically: false, encoding: .utf8)
    let program = """
      import json, sys
      from jsonschema import Draft202012Validator as Validator
      schema = json.load(open(sys.argv[1]))
      Validator.check_schema(schema)
      validator = Validator(schema)
      for line in open(sys.argv[2]): print(int(validator.is_valid(json.loads(line))))
      """
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      "-c", program, folder.appendingPathComponent("schema").path, folder.appendingPathComponent("documents").path,
    ]
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "the Debian package python3-jsonschema is needed")
    return data.split(separator: UInt8(ascii: "\n")).map { $0 == Data("1".utf8) }
  }

  @Test func `the schema accepts what the reader accepts`() throws {
    let whole = try JSONSerialization.jsonObject(with: Data(Self.whole.utf8))
    let variants = [Variant(place: "whole", value: whole)] + Self.variants(whole)
    let documents = try variants.map { variant in
      String(
        decoding: try JSONSerialization.data(
          withJSONObject: variant.value, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]),
        as: UTF8.self)
    }
    let verdicts = try isValid(documents)
    try #require(verdicts.count == documents.count)
    #expect(documents.count > 2000 && verdicts[0])
    var both = 0
    for ((variant, document), isValid) in zip(zip(variants, documents), verdicts) {
      do {
        _ = try Preset(SourceText(document, file: "test.json"))
        #expect(isValid, "read, but not valid by the schema: \(variant.place)")
        both += 1
      } catch {
        guard isValid else { continue }
        // Right by the schema: then it is something that only reading can find.
        let unknown = error.diagnostics.filter { mistake in
          !mistake.path.contains("*") && !Self.beyondSchema.contains { mistake.expected.hasPrefix($0) }
        }
        #expect(unknown.isEmpty, "valid by the schema, but \(unknown.map(\.message)): \(variant.place)")
      }
    }
    #expect(both > 200)
  }

  @Test func `all presets of the package are valid by the schema`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("presets")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json5" }
    try #require(!files.isEmpty)
    let documents = try files.map { file in
      // As JSON: without comments, and with quoted keys.
      let value = try JSON5Document(SourceText(contentsOf: file.path)).root.foundation
      return String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
    }
    #expect(try isValid(documents) == files.map { _ in true })
  }
}

extension JSON5Node {
  /// The value as Foundation has it.
  fileprivate var foundation: Any {
    switch value {
    case .null, .unreadable: NSNull()
    case .bool(let value): value
    case .integer(let value): value
    case .decimal(let value): value
    case .string(let value): value
    case .array(let nodes): nodes.map(\.foundation)
    case .object(let object):
      Dictionary(object.members.map { ($0.key, $0.value.foundation) }, uniquingKeysWith: { $1 })
    }
  }
}
