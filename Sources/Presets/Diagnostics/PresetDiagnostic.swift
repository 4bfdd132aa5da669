/// One mistake in a preset: where it is, what was expected there and what came.
public struct PresetDiagnostic: Error, Hashable, Sendable, Encodable {
  public let file: String
  public let start: SourcePosition
  /// Behind the last character that is wrong.
  public let end: SourcePosition
  /// The place inside the document, such as `sessions[1].duck.depth`; empty for the document itself.
  public let path: String
  /// What would have been right.
  public let expected: String
  /// What stands there.
  public let found: String
  /// The existing name that a misspelt one most likely means.
  public let nearest: String?

  public var line: Int { start.line }
  public var column: Int { start.column }

  /// The mistake in one sentence, without its place.
  public var message: String {
    let sentence = "expected \(expected), found \(found)"
    return nearest.map { sentence + "; did you mean \($0.quotedForPeople)?" } ?? sentence
  }

  private enum CodingKeys: String, CodingKey {
    case file, line, column, endLine, endColumn, path, severity, message, expected, found, nearest
  }

  /// For editors: one flat object; `nearest` only where there is one.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(file, forKey: .file)
    try container.encode(start.line, forKey: .line)
    try container.encode(start.column, forKey: .column)
    try container.encode(end.line, forKey: .endLine)
    try container.encode(end.column, forKey: .endColumn)
    try container.encode(path, forKey: .path)
    try container.encode("error", forKey: .severity)
    try container.encode(message, forKey: .message)
    try container.encode(expected, forKey: .expected)
    try container.encode(found, forKey: .found)
    try container.encodeIfPresent(nearest, forKey: .nearest)
  }
}

/// All mistakes of one preset, in the order of its text; never empty.
public struct PresetMistakes: Error, Sendable {
  public let source: SourceText
  public let diagnostics: [PresetDiagnostic]
}
