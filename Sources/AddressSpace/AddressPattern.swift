/// An OSC address pattern: `?` one character, `*` any number, `[abc]` `[a-z]` `[!a]` one of or none of, `{one,two}`
/// alternatives; none of them crosses a slash (OSC 1.0, "Message Dispatching and Pattern Matching").
public struct AddressPattern: Hashable, Sendable {
  /// The pattern of each part between slashes.
  let parts: [[UInt8]]

  /// The most steps that matching one part may take, so that no pattern can hold up its reader.
  private static let mostSteps = 10_000

  /// Whether an address has to be read as a pattern.
  public static func isPattern(_ address: some StringProtocol) -> Bool {
    address.utf8.contains { byte in
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
        UInt8(ascii: "}"):
        true
      default: false
      }
    }
  }

  public init(_ pattern: String) {
    parts = pattern.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
  }

  /// Whether it matches a whole address.
  public func matches(_ address: String) -> Bool {
    let others = address.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return others.count == parts.count && zip(parts, others).allSatisfy { Self.matches($0, Array($1)) }
  }

  /// Whether it matches an address, or something of which the address is a part.
  func matchesBeginning(of address: String) -> Bool {
    let others = address.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return others.count >= parts.count && zip(parts, others).allSatisfy { Self.matches($0, Array($1)) }
  }

  static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
    var steps = mostSteps
    return matches(pattern[...], text[...], &steps)
  }

  private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>, _ steps: inout Int) -> Bool {
    var (pattern, text) = (pattern, text)
    while let sign = pattern.first {
      steps -= 1
      guard steps > 0 else { return false }
      switch sign {
      case UInt8(ascii: "*"):
        let rest = pattern.drop { $0 == UInt8(ascii: "*") }
        if rest.isEmpty { return true }
        for start in text.startIndex...text.endIndex where matches(rest, text[start...], &steps) { return true }
        return false
      case UInt8(ascii: "?"):
        guard let scalar = firstCharacter(of: text) else { return false }
        text = text.dropFirst(scalar)
        pattern = pattern.dropFirst()
      case UInt8(ascii: "["):
        guard let close = pattern.firstIndex(of: UInt8(ascii: "]")), let byte = text.first,
          isMember(byte, of: pattern[(pattern.startIndex + 1)..<close])
        else { return false }
        pattern = pattern[(close + 1)...]
        text = text.dropFirst()
      case UInt8(ascii: "{"):
        guard let close = pattern.firstIndex(of: UInt8(ascii: "}")) else { return false }
        let rest = pattern[(close + 1)...]
        let choices = pattern[(pattern.startIndex + 1)..<close]
        for choice in choices.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        where text.starts(with: choice) && matches(rest, text.dropFirst(choice.count), &steps) { return true }
        return false
      default:
        guard text.first == sign else { return false }
        pattern = pattern.dropFirst()
        text = text.dropFirst()
      }
    }
    return text.isEmpty
  }

  /// How many bytes the first character has (UTF-8).
  private static func firstCharacter(of text: ArraySlice<UInt8>) -> Int? {
    guard !text.isEmpty else { return nil }
    return 1 + text.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count
  }

  private static func isMember(_ byte: UInt8, of set: ArraySlice<UInt8>) -> Bool {
    let isNegated = set.first == UInt8(ascii: "!")
    var rest = isNegated ? set.dropFirst() : set
    var isFound = false
    while let first = rest.first {
      let isRange = rest.count >= 3 && rest[rest.startIndex + 1] == UInt8(ascii: "-")
      if isRange {
        let last = rest[rest.startIndex + 2]
        isFound = isFound || (min(first, last)...max(first, last)).contains(byte)
        rest = rest.dropFirst(3)
      } else {
        isFound = isFound || first == byte
        rest = rest.dropFirst()
      }
    }
    return isFound != isNegated
  }
}
