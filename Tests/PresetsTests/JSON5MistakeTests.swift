import Testing

@testable import Presets

@Suite struct JSON5MistakeTests {
  /// The mistakes of a text, of which there must be one at each mark and none elsewhere.
  @discardableResult
  private func mistakes(
    _ marked: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> (document: JSON5Document, mistakes: [JSON5Mistake]) {
    let text = MarkedText(marked)
    let document = JSON5Document(text.source)
    let places = document.mistakes.map { text.source.position(at: $0.range.lowerBound) }
    #expect(places == text.marks, "\(document.mistakes)", sourceLocation: sourceLocation)
    return (document, document.mistakes)
  }

  @Test(arguments: [
    "▸", "  // nothing\n▸", "▸}", "▸,", "▸@", "▸/", "{} ▸{}", "1 ▸2", "[1] ▸,",
    "▸012", "▸0x", "▸0xG", "▸1_000", "▸1e", "▸1e+", "▸.", "▸+", "▸-", "▸.e1", "▸1.2.3", "▸3in", "▸- 1", "▸+-1",
    "[▸- 1, ▸1_000 a]", "▸00",
    "▸infinity", "▸True", "▸undefined", "▸٣",
    #"▸"abc"#, "▸'abc\n", #""▸\x4""#, #""▸\u12G4""#, #""▸\uD83D""#, #""▸\uD83Dx""#, #""▸\uDE00""#, #""▸\1""#,
    #""▸\01""#,
    #"▸"\"#, "{a: 1 ▸/* never closed", "{a: 1▸", "[1, ▸", "[▸,]", "[1,▸,]", "{▸,}", "{a: 1,▸,}",
    "{a▸}", "{a: ▸}", "{a: ▸,b: 1}", "{a ▸1}", "{a ▸= 1}", "{▸1: 2}", "{a: 1 ▸b: 2}", "{a: 1 ▸'b': 2}", "[1 ▸2]",
    "[{} ▸{}]", "[1, 2▸}", "{a: [1, 2▸}", "{a: 1▸]", "[{a: 1▸]", "{a: ▸b c d, e: 1}", "{a▸\\x: 1}",
    "{ ▸# hello\n a: 1 }",
  ])
  func `a mistake is found where it is`(marked: String) {
    mistakes(marked)
  }

  @Test func `all the mistakes of a text are found`() {
    let (document, all) = mistakes(
      """
      {
        eider ▸= 1,
        title: ▸Museum kiosk,
        routes: [
          { name: "speaker", volume: ▸0.8.1, kind: "speaker" }
          ▸{ name: ▸"headphones
          },
        ]▸;
        ▸# a comment of another language
        resume: true
      ▸
      """)
    #expect(
      all.map(\.path.pathDescription) == [
        "eider", "title", "routes[0].volume", "routes", "routes[1].name", "", "", "",
      ])
    #expect(all.map(\.found).contains("the end of the line"))
    #expect(document.node(at: [.key("resume")]).map(Plain.init) == .bool(true))
    #expect(document.node(at: [.key("routes"), .index(1), .key("name")]).map(Plain.init) == .string("headphones"))
    #expect(document.node(at: [.key("routes"), .index(0), .key("kind")]).map(Plain.init) == .string("speaker"))
  }

  @Test func `what was expected and what came is told`() throws {
    let mistake = try #require(mistakes("{ volume ▸0.8 }").mistakes.first)
    #expect(mistake.expected == "“:” after the key “volume”")
    #expect(mistake.found == "“0”")
    let unclosed = try #require(mistakes("[\n [1, 2▸").mistakes.first)
    #expect(unclosed.expected == "“]” to close the list that begins at line 2, column 2")
    #expect(unclosed.found == "the end of the file")
  }

  @Test func `a control character reaches no terminal`() throws {
    let mistake = try #require(mistakes("▸\u{1B}2J").mistakes.first)
    #expect(mistake.found == "“\\u{1B}”")
  }

  @Test func `nesting without end is refused and passed over`() {
    for (opening, closing) in [("[", "]"), ("{a:", "}")] {
      let depth = 100_000
      let text =
        "[" + String(repeating: opening, count: depth) + String(repeating: closing, count: depth) + ", 7]"
      let document = json5(text)
      #expect(document.mistakes.count == 1)
      #expect(document.node(at: [.index(1)]).map(Plain.init) == .integer(7))
    }
    #expect(json5(String(repeating: "[", count: 1_000_000)).mistakes.count == 2)
  }

  @Test func `a text full of mistakes is read to its end, and a hundred of them are told`() {
    let document = json5("[" + String(repeating: "@,", count: 5000) + "]")
    #expect(document.mistakes.count == 100)
    guard case .array(let elements) = document.root.value else {
      Issue.record("no list")
      return
    }
    #expect(elements.count == 5000)
  }
}
