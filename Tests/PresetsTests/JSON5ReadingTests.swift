import Testing

@testable import Presets

@Suite struct JSON5ReadingTests {
  private func plain(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> Plain {
    let document = json5(text)
    #expect(document.mistakes.isEmpty, sourceLocation: sourceLocation)
    return Plain(document.root)
  }

  @Test(arguments: [
    ("null", Plain.null), ("true", .bool(true)), ("false", .bool(false)),
    ("0", .integer(0)), ("-0", .integer(0)), ("+12", .integer(12)), ("-12", .integer(-12)),
    ("0x1F", .integer(31)), ("0Xff", .integer(255)), ("-0x10", .integer(-16)), ("+0xA", .integer(10)),
    ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .decimal(9_223_372_036_854_775_808)),
    ("0x10000000000000000", .decimal(18_446_744_073_709_551_616)),
    (".5", .decimal(0.5)), ("5.", .decimal(5)), ("-.5", .decimal(-0.5)), ("1.25", .decimal(1.25)),
    ("1e3", .decimal(1000)), ("1E+3", .decimal(1000)), ("25e-2", .decimal(0.25)), ("5.e1", .decimal(50)),
    ("Infinity", .decimal(.infinity)), ("-Infinity", .decimal(-.infinity)), ("+Infinity", .decimal(.infinity)),
    ("1e999", .decimal(.infinity)), ("0e0", .decimal(0)), ("0.1", .decimal(0.1)),
  ])
  func `numbers and words are read as JSON5 has them`(text: String, expected: Plain) {
    #expect(plain(text) == expected)
  }

  @Test func `NaN is read with any sign`() {
    for text in ["NaN", "+NaN", "-NaN"] {
      guard case .decimal(let value) = json5(text).root.value else {
        Issue.record("no number: \(text)")
        continue
      }
      #expect(value.isNaN)
    }
  }

  @Test(arguments: [
    (#""""#, ""), (#"'a "b" c'"#, #"a "b" c"#), (#""it's""#, "it's"), (#"'it\'s'"#, "it's"),
    (#""\b\f\n\r\t\v\0""#, "\u{08}\u{0C}\n\r\t\u{0B}\0"), (#""\x41\u00e9""#, "Aé"), (#""\uD83D\uDE00""#, "😀"),
    (#""\a\/\"\\""#, #"a/"\"#), ("\"a\\\nb\"", "ab"), ("\"a\\\r\nb\"", "ab"), ("\"a\\\rb\"", "ab"),
    ("\"a\\\u{2028}b\\\u{2029}c\"", "abc"), ("\"a\u{2028}b\"", "a\u{2028}b"), ("'tab\there'", "tab\there"),
    (#""\0a""#, "\0a"), ("\"é\u{301}😀\"", "é\u{301}😀"),
  ])
  func `texts are read with all their escapes`(text: String, expected: String) {
    #expect(plain(text) == .string(expected))
  }

  @Test func `keys may stand without quotes`() {
    let text = #"{ a: 1, $b_9: 2, 'c d': 3, "e": 4, größe: 5, \u0061b: 6, null: 7, Infinity: 8, a‌b: 9, }"#
    let keys = ["a", "$b_9", "c d", "e", "größe", "ab", "null", "Infinity", "a\u{200C}b"]
    #expect(plain(text) == .object(keys, (1...9).map { .integer($0) }))
  }

  @Test func `comments and white space of every kind may stand anywhere`() {
    let text = """
      \u{FEFF}// first\u{2028} /* second
      // */ { /**/ a /* : */ : // ]
      \t\u{0B}\u{0C}\u{A0}\u{3000}[ 1, /* 2, */ 3 , ] /* * / */ , } // last
      """
    #expect(plain(text) == .object(["a"], [.array([.integer(1), .integer(3)])]))
  }

  @Test func `every value and every key knows where it stands`() {
    let text = "{\r\n  größe: [1.5, 'zwei'], // é\n\t\"b\\u0063\": { d: 0x1F },\r}"
    let document = json5(text)
    func excerpt(_ path: [PathStep]) -> String? { document.node(at: path).map { document.source.text(in: $0.range) } }
    #expect(excerpt([]) == text)
    #expect(excerpt([.key("größe")]) == "[1.5, 'zwei']")
    #expect(excerpt([.key("größe"), .index(0)]) == "1.5")
    #expect(excerpt([.key("größe"), .index(1)]) == "'zwei'")
    #expect(excerpt([.key("bc")]) == "{ d: 0x1F }")
    #expect(excerpt([.key("bc"), .key("d")]) == "0x1F")
    #expect(excerpt([.key("größe"), .index(2)]) == nil)
    #expect(excerpt([.key("bc"), .index(0)]) == nil)

    guard case .object(let object) = document.root.value else {
      Issue.record("no object")
      return
    }
    #expect(object.members.map { document.source.text(in: $0.keyRange) } == ["größe", "\"b\\u0063\""])
    let positions = object.members.map { document.source.position(at: $0.keyRange.lowerBound) }
    #expect(positions == [SourcePosition(line: 2, column: 3), SourcePosition(line: 3, column: 2)])
  }

  @Test func `a block is replaced without touching anything around it`() throws {
    let text = "// é\n{ a: 1, /* keep */ b: { c: 2 }, // 😀\n}"
    let document = json5(text)
    let block = try #require(document.node(at: [.key("b")]))
    let written = document.source.replacing(block.range, with: "{ c: 3, d: 4 }")
    #expect(written == "// é\n{ a: 1, /* keep */ b: { c: 3, d: 4 }, // 😀\n}")
  }

  @Test func `lines are counted as editors count them`() {
    let source = SourceText("a\nb\r\nc\rd\n\ne\u{2028}f", file: "test")
    let starts = ["a", "b", "c", "d", "e", "f"].map { letter in
      source.position(at: source.scalars.firstIndex(of: Unicode.Scalar(letter)!)!)
    }
    #expect(starts.map(\.line) == [1, 2, 3, 4, 6, 6])
    #expect(starts.map(\.column) == [1, 1, 1, 1, 1, 3])
    #expect((1...7).map(source.line) == ["a", "b", "c", "d", "", "e\u{2028}f", ""])
  }

  @Test func `a byte order mark has no column`() {
    let source = SourceText("\u{FEFF}{}\n{}", file: "test")
    #expect(source.position(at: 0) == SourcePosition(line: 1, column: 1))
    #expect(source.position(at: 1) == SourcePosition(line: 1, column: 1))
    #expect(source.position(at: 2) == SourcePosition(line: 1, column: 2))
    #expect(source.position(at: 4) == SourcePosition(line: 2, column: 1))
    #expect(source.line(1) == "{}")
  }

  @Test func `sixty-four levels can be read`() {
    let text = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(json5(text).mistakes.isEmpty)
  }
}
