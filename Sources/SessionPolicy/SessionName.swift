/// How a session may be called (policy §1).
public enum SessionName {
  /// The longest name, in characters.
  public static let maximumLength = 32

  /// Words that mean something else where a session's name stands.
  public static let reserved: Set<String> = [
    "open", "close", "list", "opened", "closed", "mic", "background", "host", "session", "none",
  ]

  /// Throws `badName` with what is wrong and what would be right.
  public static func validate(_ name: String) throws(Refusal) {
    let letters = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard letters, (1...maximumLength).contains(name.utf8.count) else {
      throw Refusal(
        .badName, "a session is named by 1 to \(maximumLength) of A-Z a-z 0-9 - _, got \"\(name)\"")
    }
    guard !reserved.contains(name) else {
      throw Refusal(.badName, "\"\(name)\" is a word of the address space; choose another name")
    }
  }
}
