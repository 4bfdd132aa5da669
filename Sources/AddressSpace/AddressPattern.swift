/// An OSC address pattern: `?` one character, `*` any number, `[abc]` `[a-z]` `[!a]` one of or none of, `{one,two}`
/// alternatives; none of them crosses a slash (OSC 1.0, "Message Dispatching and Pattern Matching").
public struct AddressPattern: Hashable, Sendable {
  /// The pattern of each part between slashes.
  let parts: [PatternPart]

  /// Whether an address has to be read as a pattern.
  public static func isPattern(_ address: some StringProtocol) -> Bool { hasSigns(address.utf8) }

  static func hasSigns(_ text: some Sequence<UInt8>) -> Bool {
    text.contains { byte in
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
        UInt8(ascii: "}"):
        true
      default: false
      }
    }
  }

  /// Parts of it, between slashes, that are longer than 127 bytes and hold wild cards match nothing.
  public init(_ pattern: String) { parts = Parts(pattern).bytes.map { PatternPart($0) } }

  /// Whether it matches a whole address.
  public func matches(_ address: String) -> Bool { matches(Parts(address)) }

  /// Whether it matches an address, or something of which the address is a part.
  func matchesBeginning(of address: String) -> Bool {
    let others = Parts(address).bytes
    return others.count >= parts.count && zip(parts, others).allSatisfy { $0.matches($1) }
  }
}
