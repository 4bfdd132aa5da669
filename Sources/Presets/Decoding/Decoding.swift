import AddressSpace

/// What is known while a document is turned into a preset: where we are, and the mistakes so far.
struct Decoding {
  let source: SourceText
  private(set) var diagnostics: [PresetDiagnostic] = []
  private(set) var path: [PathStep] = []
  /// The messages and patterns that the address space is asked about when all names are known.
  var messages: [PendingMessage] = []
  var patterns: [PendingPattern] = []

  /// A message as it stands in the document.
  struct PendingMessage {
    let message: Message
    let addressRange: Range<Int>
    let node: JSON5Node
    let path: [PathStep]
  }

  /// An address pattern as it stands in the document.
  struct PendingPattern {
    let pattern: String
    let range: Range<Int>
    let path: [PathStep]
  }

  init(_ source: SourceText) { self.source = source }

  /// Does something one step further inside the document.
  mutating func at<Result>(_ step: PathStep, _ body: (inout Decoding) -> Result) -> Result {
    path.append(step)
    defer { path.removeLast() }
    return body(&self)
  }

  mutating func report(
    _ range: Range<Int>, expected: String, found: String, nearest: String? = nil, path: [PathStep]? = nil
  ) {
    diagnostics.append(
      PresetDiagnostic(
        file: source.file, start: source.position(at: range.lowerBound), end: source.position(at: range.upperBound),
        path: (path ?? self.path).pathDescription, expected: expected, found: found, nearest: nearest))
  }

  /// Reports that a value is not what was expected. One that could not even be read has been reported.
  mutating func report(_ node: JSON5Node, expected: String, nearest: String? = nil) {
    if case .unreadable = node.value { return }
    report(node.range, expected: expected, found: describe(node), nearest: nearest)
  }

  /// A value, for people.
  func describe(_ node: JSON5Node) -> String {
    switch node.value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer, .decimal: source.text(in: node.range)
    case .string(let text): "the text " + text.quotedForPeople
    case .array: "a list"
    case .object: "an object"
    case .unreadable: "something unreadable"
    }
  }

  /// Where a name stands, for people.
  func line(of range: Range<Int>) -> String { "line \(source.position(at: range.lowerBound).line)" }
}
