import SessionPolicy

/// What a name may be.
enum NameRule {
  case session, route, input, scene

  static let longestOfScene = 64

  var expectation: String {
    switch self {
    case .session, .route, .input: "a name of 1 to \(SessionName.maximumLength) of A-Z a-z 0-9 - _"
    case .scene: "a name of 1 to \(Self.longestOfScene) characters"
    }
  }

  /// The names that are refused although their characters are right.
  var reserved: [String] {
    switch self {
    case .session: SessionName.reserved.sorted()
    // As a session's only route it would mean an empty list.
    case .route: ["none"]
    case .input, .scene: []
    }
  }

  /// What is wrong with a name: what was expected instead; nil if nothing is.
  func complaint(about name: String) -> String? {
    if reserved.contains(name) { return expectation + " but \(reserved.joined(separator: ", "))" }
    return hasRightCharacters(name) ? nil : expectation
  }

  private func hasRightCharacters(_ name: String) -> Bool {
    switch self {
    case .session, .route, .input:
      return (1...SessionName.maximumLength).contains(name.utf8.count)
        && name.utf8.allSatisfy(Self.isLetterDigitDashOrUnderscore)
    case .scene:
      let hasControls = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
      return (1...Self.longestOfScene).contains(name.unicodeScalars.count) && !hasControls
    }
  }

  private static func isLetterDigitDashOrUnderscore(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The same rule as an ECMA-262 regular expression.
  var schemaPattern: String {
    switch self {
    case .session: "^(?!(\(reserved.joined(separator: "|")))$)[A-Za-z0-9_-]{1,\(SessionName.maximumLength)}$"
    case .route: "^(?!none$)[A-Za-z0-9_-]{1,\(SessionName.maximumLength)}$"
    case .input: "^[A-Za-z0-9_-]{1,\(SessionName.maximumLength)}$"
    case .scene: "^[^\\u0000-\\u001f\\u007f-\\u009f]{1,\(Self.longestOfScene)}$"
    }
  }
}
