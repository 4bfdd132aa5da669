/// A regular expression for ports, which matches a port if it matches the whole of its name, of an alias or of its
/// pretty name. A pattern that is the very text of a name matches it too, so that a name with parentheses or dots can be
/// given as it is.
public struct PortPattern {
  /// As it was given.
  public let text: String

  /// ASCII characters with which everything begins that the expression matches: most ports are told apart by them.
  private let start: String
  /// Nil where the text has no special characters.
  private let expression: Regex<AnyRegexOutput>?

  /// Compiles a pattern.
  public init(_ text: String) throws(PortPatternError) {
    self.text = text
    start = Self.literalStart(of: text)
    guard start.utf8.count < text.utf8.count || text.isEmpty else {
      expression = nil
      return
    }
    do {
      expression = try Regex(text)
    } catch {
      throw PortPatternError(pattern: text, reason: "\(error)")
    }
  }

  /// Whether the port is meant.
  public func matches(_ port: JACKPort) -> Bool {
    matches(port.name) || port.aliases.contains(where: matches) || (port.prettyName.map(matches) ?? false)
  }

  private func matches(_ name: String) -> Bool {
    if name == text { return true }
    guard let expression, name.utf8.starts(with: start.utf8) else { return false }
    return name.wholeMatch(of: expression) != nil
  }

  private static func literalStart(of text: String) -> String {
    // Alternatives and inline options can give any beginning to what matches.
    if text.utf8.contains(UInt8(ascii: "|")) || text.contains("(?") { return "" }
    let special = Set("\\^$.|?*+()[]{}".utf8)
    let start = text.utf8.prefix { $0 < 0x80 && !special.contains($0) }
    // What follows may make the last character optional, or be a combining one.
    let whole = start.count == text.utf8.count
    return String(whole ? start[...] : start.dropLast()) ?? ""
  }
}

/// Why a pattern cannot be used.
public struct PortPatternError: Error, Hashable, CustomStringConvertible {
  public let pattern: String
  public let reason: String

  /// A sentence for people.
  public var description: String { "“\(pattern)” is not a regular expression: \(reason)" }
}

/// Which ports of the graph are meant.
public enum PortSelection {
  /// What the patterns match: in their order, and in natural order what one pattern matches.
  case patterns([PortPattern])
  /// The connectors of the hardware, in natural order.
  case physical

  /// The numbers of the patterns that match the port; none if it is not meant.
  func matches(_ port: JACKPort) -> [Int] {
    switch self {
    case .patterns(let patterns): patterns.indices.filter { patterns[$0].matches(port) }
    case .physical: port.isPhysical ? [0] : []
    }
  }

  /// How many numbers `matches` can give.
  var count: Int {
    switch self {
    case .patterns(let patterns): patterns.count
    case .physical: 1
    }
  }
}
