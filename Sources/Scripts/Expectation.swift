import AddressSpace

/// How what is expected is compared with what has come.
public enum Expectation {
  /// How far numbers may lie apart.
  static let tolerance = 1e-3

  /// Whether values are the expected words; `none` stands for an empty list.
  public static func hold(_ expected: [Script.Word], _ values: [Argument]) -> Bool {
    if values.isEmpty { return expected.isEmpty || expected.map(\.text) == ["none"] }
    return expected.count == values.count && zip(expected, values).allSatisfy(isEqual)
  }

  private static func isEqual(_ word: Script.Word, _ value: Argument) -> Bool {
    switch value {
    case .bool(let value):
      if case .bool(let expected) = word.value { return expected == value }
      return word.value.number == (value ? 1 : 0)
    case .string(let text): return word.text == text
    case .int, .long, .float, .double:
      if case .bool(let expected) = word.value { return value.number == (expected ? 1 : 0) }
      guard let expected = word.value.number, let number = value.number else { return false }
      return abs(expected - number) <= tolerance
    case .other: return false
    }
  }

  /// Words as they stand in a script.
  static func describe(_ words: [Script.Word]) -> String {
    words.isEmpty ? "none" : words.map { $0.text.isEmpty ? "\"\"" : $0.text }.joined(separator: " ")
  }

  /// Values as they would stand in a script.
  static func describe(_ values: [Argument]) -> String {
    values.isEmpty ? "none" : values.map(\.description).joined(separator: " ")
  }
}
