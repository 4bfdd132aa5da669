import Foundation
import SessionPolicy
import Testing

@testable import Presets

@Suite struct PresetSchemaTests {
  private func schema() throws -> [String: Any] {
    let json = PresetSchema.json()
    #expect(json5(json).mistakes.isEmpty)
    return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  private func properties(_ schema: Any?) throws -> [String: [String: Any]] {
    let schema = try #require(schema as? [String: Any])
    return try #require(schema["properties"] as? [String: [String: Any]])
  }

  @Test func `the schema tells keys, types, ranges, defaults and what each is for`() throws {
    let schema = try schema()
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["additionalProperties"] as? Bool == false && schema["required"] as? [String] == ["eider"])
    let preset = try properties(schema)
    let session = try properties(preset["sessions"]?["items"])
    let volume = try #require(session["volume"])
    #expect(volume["type"] as? String == "number" && volume["minimum"] as? Double == 0)
    #expect(volume["maximum"] as? Double == 1 && volume["default"] as? Double == 1)
    #expect(session["category"]?["enum"] as? [String] == Category.allCases.map(\.rawValue))
    #expect(session["category"]?["default"] as? String == "soloAmbient")
    #expect(try properties(session["duck"])["depth"]?["default"] as? Double == -14)
    let route = try properties(preset["routes"]?["items"])
    #expect(route["limit"]?["default"] as? Double == -0.1)
    #expect((preset["routes"]?["items"] as? [String: Any])?["required"] as? [String] == ["name", "kind"])
    #expect(preset["routes"]?["maxItems"] as? Int == 64)
  }

  @Test func `every key has a description`() throws {
    func check(_ schema: [String: Any]) throws {
      for (name, property) in schema["properties"] as? [String: [String: Any]] ?? [:] {
        #expect((property["description"] as? String)?.isEmpty == false, "\(name)")
        try check(property)
        if let items = property["items"] as? [String: Any] { try check(items) }
      }
    }
    try check(schema())
  }

  @Test func `a preset that writes out every default of the schema says nothing new`() throws {
    func defaults(_ schema: Any?, _ more: String) throws -> String {
      let written = try properties(schema).compactMap { name, property -> String? in
        guard let value = property["default"] else { return nil }
        let json = try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
        return "\"\(name)\": " + String(decoding: json, as: UTF8.self)
      }
      return "{ " + ([more] + written).joined(separator: ", ") + " }"
    }
    let schema = try schema()
    let preset = try properties(schema)
    let session = try properties(preset["sessions"]?["items"])
    let written = try [
      "eider: 1",
      "routes: [\(defaults(preset["routes"]?["items"], "name: 'r', kind: 'hdmi'"))]",
      "inputs: [\(defaults(preset["inputs"]?["items"], "name: 'i'"))]",
      "sessions: [\(defaults(preset["sessions"]?["items"], "name: 's'")),"
        + "{ name: 't', duck: \(defaults(session["duck"], "")) }]".replacing("{ , ", with: "{ "),
      "scenes: [\(defaults(preset["scenes"]?["items"], "name: 'c'"))]",
      "fades: \(defaults(preset["fades"], ""))".replacing("{ , ", with: "{ "),
      "start: \(defaults(preset["start"], "scene: 'c'"))",
      "osc: \(defaults(preset["osc"], ""))".replacing("{ , ", with: "{ "),
      "safe: [], resume: false",
    ].joined(separator: ",\n")
    let short = """
      { eider: 1, routes: [{ name: 'r', kind: 'hdmi' }], inputs: [{ name: 'i' }],
        sessions: [{ name: 's' }, { name: 't' }], scenes: [{ name: 'c' }], start: { scene: 'c' } }
      """
    #expect(try read("{ \(written) }") == read(short))
  }

  @Test func `the schema allows with each category what the policy allows`() throws {
    let session = try #require(try properties(schema())["sessions"]?["items"] as? [String: Any])
    let rules = try #require(session["allOf"] as? [[String: [String: Any]]])
    #expect(rules.count == Category.allCases.count)
    for (category, rule) in zip(Category.allCases, rules) {
      #expect(try properties(rule["if"])["category"]?["const"] as? String == category.rawValue)
      #expect((rule["if"]?["required"] == nil) == (category == .soloAmbient))
      let options = try properties(rule["then"])["options"]?["items"] as? [String: Any]
      #expect(options?["enum"] as? [String] == category.allowedOptions.names)
      #expect((try properties(rule["then"])["mode"] == nil) == (category == .playback))
    }
  }
}
