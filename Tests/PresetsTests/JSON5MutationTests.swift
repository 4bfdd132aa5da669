import Foundation
import Testing

@testable import Presets

/// SplitMix64, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite struct JSON5MutationTests {
  private static let fragments =
    Array("{}[]:,\"'\\/*#+-.0123456789eExXuab$_ \n\r\t\u{2028}é😀@=;").map(String.init) + [
      "//", "/*", "*/", "\\u", "\\x", "0x", "null", "true", "NaN", "-Infinity", "name", "\\\n", "\\uD83D", "\0",
    ]

  private func mutate(_ text: [Unicode.Scalar], _ generator: inout SeededGenerator) -> String {
    var text = text
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let start = Int.random(in: 0...text.count, using: &generator)
      let end = min(text.count, start + Int.random(in: 0...8, using: &generator))
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: text.removeSubrange(start..<end)
      case 1: text.insert(contentsOf: Self.fragments.randomElement(using: &generator)!.unicodeScalars, at: start)
      case 2: text.insert(contentsOf: Array(text[start..<end]), at: Int.random(in: 0...text.count, using: &generator))
      case 3:
        text.replaceSubrange(start..<end, with: Self.fragments.randomElement(using: &generator)!.unicodeScalars)
      default: text.removeSubrange(start...)  // cut off
      }
    }
    return String(String.UnicodeScalarView(text))
  }

  /// Ranges lie in the text, children within their parents and one behind the other.
  private func check(_ node: JSON5Node, within outer: Range<Int>) {
    #expect(outer.lowerBound <= node.range.lowerBound && node.range.upperBound <= outer.upperBound)
    var last = node.range.lowerBound
    func next(_ range: Range<Int>) {
      #expect(last <= range.lowerBound)
      last = range.upperBound
    }
    switch node.value {
    case .array(let nodes):
      for child in nodes {
        next(child.range)
        check(child, within: node.range)
      }
    case .object(let object):
      for member in object.members {
        next(member.keyRange)
        next(member.value.range)
        check(member.value, within: node.range)
      }
    default: break
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `a preset with anything done to it is read to its end, and its mistakes are told in order`(seed: UInt64) throws {
    var generator = SeededGenerator(state: seed)
    let original = Array(try String(contentsOf: readyMade("kiosk"), encoding: .utf8).unicodeScalars)
    for _ in 0..<60 {
      let text = mutate(original, &generator)
      let source = SourceText(text, file: "mutated.json5")
      let document = JSON5Document(source)
      check(document.root, within: 0..<source.scalars.count)
      for mistake in document.mistakes {
        #expect(0 <= mistake.range.lowerBound && mistake.range.upperBound <= source.scalars.count)
      }
      do {
        _ = try Preset(source, addresses: AnyAddress())
        #expect(document.mistakes.isEmpty)
      } catch {
        #expect(!error.diagnostics.isEmpty)
        #expect(error.diagnostics.map(\.start) == error.diagnostics.map(\.start).sorted())
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test func `any text is read to its end`() {
    var generator = SeededGenerator(state: 42)
    for _ in 0..<3000 {
      let length = Int.random(in: 0...40, using: &generator)
      let text = (0..<length).map { _ in Self.fragments.randomElement(using: &generator)! }.joined()
      let document = json5(text)
      check(document.root, within: 0..<document.source.scalars.count)
    }
  }

  @Test func `what the standard JSON reader takes is read alike`() throws {
    var generator = SeededGenerator(state: 7)
    let original = Array(#"{"a":[1,-2.5e3,"x\u00e9\n",true,null,{"b":{}}],"c":0.25,"d":[[],[12]]}"#.unicodeScalars)
    var alike = 0
    for _ in 0..<4000 {
      let text = mutate(original, &generator)
      guard (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil,
        !text.contains("\0")
      else { continue }
      #expect(json5(text).mistakes.isEmpty, "\(text)")
      alike += 1
    }
    #expect(alike > 100)
  }
}

/// A preset that comes with Eider.
func readyMade(_ name: String) -> URL {
  URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("presets/\(name).json5")
}
