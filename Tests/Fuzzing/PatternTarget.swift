import AddressSpace

/// A pattern and a text, with a newline between them: matched by all ways at once as by one after the other.
enum Target: FuzzingTarget {
  static var dictionary: [String] {
    ["*", "?", "[a-z]", "[!a]", "{a,b}", "{,}", "[", "]", "{", "}", "\n", "/", "session"]
  }

  static var seeds: [String: [UInt8]] {
    let seeds = [
      "star": "/session/*/mute\n/session/music/mute", "choice": "/{film,music}/m?te\n/music/mute",
      "member": "/[a-l]*/[!b]\n/film/c", "hostile": "*a*a*a*a*b\naaaaaaaaaa", "open": "/[ab\n/a", "bytes": "?[!x]\nä—",
    ]
    return seeds.mapValues { Array($0.utf8) }
  }

  static func take(_ input: [UInt8]) {
    let halves = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return }
    let pattern = String(decoding: halves[0], as: UTF8.self)
    let text = String(decoding: halves[1], as: UTF8.self)
    let holds = AddressPattern(pattern).matches(text)
    // Trying every way takes a time without limit, so it is asked about short ones only.
    let patterns = pattern.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let texts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard patterns.allSatisfy({ $0.count <= 12 }), texts.allSatisfy({ $0.count <= 12 }) else { return }
    let expected =
      patterns.count == texts.count
      && zip(patterns, texts).allSatisfy { EveryWay.matches(Array($0)[...], Array($1)[...]) }
    precondition(holds == expected, "\(pattern.debugDescription) \(text.debugDescription): \(holds), not \(expected)")
  }
}
