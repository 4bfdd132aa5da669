import AddressSpace
import Scripts
import Testing

/// Whether words as they stand in a script are met by values.
private func hold(_ words: String, _ values: Argument...) throws -> Bool {
  let script = try Script(name: "test.osc", text: "0 ? /x \(words)")
  guard case .read(_, let expected) = script.steps[0].action else { return false }
  return Expectation.hold(expected, values)
}

@Suite("How what is expected is compared")
struct ExpectationTests {
  @Test("Numbers of any type are equal within a thousandth")
  func numbers() throws {
    #expect(try hold("-14", .float(-14)))
    #expect(try hold("-14", .double(-14.0009)))
    #expect(try !hold("-14", .double(-14.002)))
    #expect(try hold("0.0625", .float(0.0625)))
    #expect(try hold("1", .int(1)))
    #expect(try hold("1.0", .int(1)))
    #expect(try hold("3000000000", .long(3_000_000_000)))
    #expect(try !hold("one", .int(1)))
    #expect(try !hold("\"1\"", .int(1)))
  }

  @Test("A bool is true, false, 1 or 0, and a 1 or 0 of a notice is true or false")
  func bools() throws {
    #expect(try hold("true", .bool(true)))
    #expect(try hold("1", .bool(true)))
    #expect(try hold("false", .bool(false)))
    #expect(try hold("0", .bool(false)))
    #expect(try !hold("false", .bool(true)))
    #expect(try !hold("2", .bool(true)))
    #expect(try !hold("yes", .bool(true)))
    #expect(try hold("true", .int(1)))
    #expect(try !hold("true", .int(0)))
  }

  @Test("A text is compared as it is written, quoted or not")
  func texts() throws {
    #expect(try hold("playback", .string("playback")))
    #expect(try hold("\"two words\"", .string("two words")))
    #expect(try hold("\"\"", .string("")))
    #expect(try hold("5", .string("5")))
    #expect(try !hold("Playback", .string("playback")))
  }

  @Test("An empty list is none; lists are compared in order and length")
  func lists() throws {
    #expect(try hold("none"))
    #expect(try hold(""))
    #expect(try !hold("film"))
    #expect(try hold("film radio", .string("film"), .string("radio")))
    #expect(try !hold("radio film", .string("film"), .string("radio")))
    #expect(try !hold("film", .string("film"), .string("radio")))
    #expect(try !hold("none", .string("film")))
    #expect(try hold("none", .string("none")))
    #expect(try !hold("1", .other(tag: "b")))
  }
}
