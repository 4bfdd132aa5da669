/// Matches one part of an address pattern by trying every way, one after the other: plain, and slow without limit.
enum EveryWay {
  static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
    guard let sign = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch sign {
    case UInt8(ascii: "*"):
      return (text.startIndex...text.endIndex).contains { matches(rest, text[$0...]) }
    case UInt8(ascii: "?"):
      return !text.isEmpty && matches(rest, text.dropFirst(characterSize(text)))
    case UInt8(ascii: "["):
      guard let close = rest.firstIndex(of: UInt8(ascii: "]")), let byte = text.first else { return false }
      let members = rest[..<close]
      let isNegated = members.first == UInt8(ascii: "!")
      guard isMember(byte, of: Array(isNegated ? members.dropFirst() : members)) != isNegated else { return false }
      return matches(rest[(close + 1)...], text.dropFirst(isNegated ? characterSize(text) : 1))
    case UInt8(ascii: "{"):
      guard let close = rest.firstIndex(of: UInt8(ascii: "}")) else { return false }
      return rest[..<close].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).contains {
        text.starts(with: $0) && matches(rest[(close + 1)...], text.dropFirst($0.count))
      }
    default:
      return text.first == sign && matches(rest, text.dropFirst())
    }
  }

  private static func characterSize(_ text: ArraySlice<UInt8>) -> Int {
    1 + text.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count
  }

  private static func isMember(_ byte: UInt8, of members: [UInt8]) -> Bool {
    var place = 0
    while place < members.count {
      if place + 2 < members.count, members[place + 1] == UInt8(ascii: "-") {
        let (first, last) = (members[place], members[place + 2])
        if (min(first, last)...max(first, last)).contains(byte) { return true }
        place += 3
      } else {
        if members[place] == byte { return true }
        place += 1
      }
    }
    return false
  }
}
