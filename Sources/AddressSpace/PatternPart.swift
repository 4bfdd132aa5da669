/// What an address pattern says between two slashes, ready to be matched.
///
/// All ways to match are followed at once: as a set of the places in the text that the signs so far can lead to. So the time
/// is bounded by the length of the pattern times that of the text, whatever they are.
struct PatternPart: Hashable, Sendable {
  /// Bytes that a part with wild cards may have, and a text that it can match: names in the address space are shorter.
  static let longest = 127

  private enum Sign: Hashable {
    case byte(UInt8)
    /// `?`
    case character
    /// `*`
    case anything
    /// `[a-z]`, `[!a]`
    case member(ofRanges: [ClosedRange<UInt8>], isNegated: Bool)
    /// `{one,two}`
    case choice([[UInt8]])
    /// A bracket that is never closed.
    case nothing
  }

  private let text: [UInt8]
  /// Empty for a part without wild cards.
  private let signs: [Sign]

  init(_ text: some Sequence<UInt8>) {
    self.text = Array(text)
    guard AddressPattern.hasSigns(self.text) else {
      signs = []
      return
    }
    signs = self.text.count <= Self.longest ? Self.signs(of: self.text[...]) : [.nothing]
  }

  private static func signs(of text: ArraySlice<UInt8>) -> [Sign] {
    var signs: [Sign] = []
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"):
        if signs.last != .anything { signs.append(.anything) }
      case UInt8(ascii: "?"): signs.append(.character)
      case UInt8(ascii: "["):
        guard let close = rest.firstIndex(of: UInt8(ascii: "]")) else { return [.nothing] }
        signs.append(members(rest[..<close]))
        rest = rest[(close + 1)...]
      case UInt8(ascii: "{"):
        guard let close = rest.firstIndex(of: UInt8(ascii: "}")) else { return [.nothing] }
        let choices = rest[..<close].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        signs.append(.choice(choices.map(Array.init)))
        rest = rest[(close + 1)...]
      default: signs.append(.byte(byte))
      }
    }
    return signs
  }

  private static func members(_ text: ArraySlice<UInt8>) -> Sign {
    let isNegated = text.first == UInt8(ascii: "!")
    var rest = isNegated ? text.dropFirst() : text
    var ranges: [ClosedRange<UInt8>] = []
    while let first = rest.popFirst() {
      if rest.count >= 2, rest.first == UInt8(ascii: "-") {
        let last = rest[rest.startIndex + 1]
        ranges.append(min(first, last)...max(first, last))
        rest = rest.dropFirst(2)
      } else {
        ranges.append(first...first)
      }
    }
    return .member(ofRanges: ranges, isNegated: isNegated)
  }

  /// Whether it matches a whole text.
  func matches(_ text: [UInt8]) -> Bool {
    guard !signs.isEmpty else { return self.text == text }
    guard text.count <= Self.longest else { return false }
    // Bit n: the signs so far can have matched the first n bytes.
    var places: UInt128 = 1
    for sign in signs {
      places = Self.places(after: sign, from: places, in: text)
      if places == 0 { return false }
    }
    return places >> UInt128(text.count) & 1 == 1
  }

  private static func places(after sign: Sign, from places: UInt128, in text: [UInt8]) -> UInt128 {
    var reached: UInt128 = 0
    if case .anything = sign {
      let all = UInt128.max >> UInt128(127 - text.count)
      return all & (UInt128.max << UInt128(places.trailingZeroBitCount))
    }
    var left = places
    while left != 0 {
      let place = left.trailingZeroBitCount
      left &= left - 1
      switch sign {
      case .byte(let byte): if place < text.count, text[place] == byte { reached |= 1 << UInt128(place + 1) }
      case .character: if place < text.count { reached |= 1 << UInt128(end(ofCharacterAt: place, in: text)) }
      case .member(let ranges, let isNegated):
        guard place < text.count, ranges.contains(where: { $0.contains(text[place]) }) != isNegated else { continue }
        reached |= 1 << UInt128(isNegated ? end(ofCharacterAt: place, in: text) : place + 1)
      case .choice(let choices):
        for choice in choices where text[place...].starts(with: choice) {
          reached |= 1 << UInt128(place + choice.count)
        }
      case .anything, .nothing: break
      }
    }
    return reached
  }

  /// Where the character that begins at a place ends (UTF-8).
  private static func end(ofCharacterAt place: Int, in text: [UInt8]) -> Int {
    var end = place + 1
    while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
