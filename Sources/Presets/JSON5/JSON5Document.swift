/// A JSON5 text as it was read: its values, where each stands, and every mistake in it.
///
/// Reading goes on after a mistake, so that all of them are found at once; what could not be read is
/// `JSON5Value.unreadable`.
public struct JSON5Document: Sendable {
  public let source: SourceText
  public let root: JSON5Node
  /// In the order of the text; empty if the text is JSON5.
  public let mistakes: [JSON5Mistake]

  /// Reads a text. Any text is read to some end, in time proportional to its length.
  public init(_ source: SourceText) {
    var parser = JSON5Parser(source)
    root = parser.parseDocument()
    mistakes = parser.mistakes.sorted { $0.range.lowerBound < $1.range.lowerBound }
    self.source = source
  }

  /// The value at a path, if there is one: where a writer finds the block that it replaces.
  public func node(at path: [PathStep]) -> JSON5Node? {
    var node = root
    for step in path {
      switch (step, node.value) {
      case (.key(let key), .object(let object)):
        guard let member = object.member(key) else { return nil }
        node = member.value
      case (.index(let index), .array(let elements)):
        guard elements.indices.contains(index) else { return nil }
        node = elements[index]
      default: return nil
      }
    }
    return node
  }
}

/// One value of a document and the range of scalars that it takes up, brackets and quotes included.
public struct JSON5Node: Sendable {
  public let value: JSON5Value
  public let range: Range<Int>
}

public enum JSON5Value: Sendable {
  case null
  case bool(Bool)
  /// A number without point and exponent that fits, decimal or hexadecimal.
  case integer(Int64)
  /// Any other number; infinite or NaN where the text says so, or where it is too large.
  case decimal(Double)
  case string(String)
  case array([JSON5Node])
  case object(JSON5Object)
  /// Here is a mistake, which has been reported.
  case unreadable
}

/// The members of an object in the order of the text; a key may be there more than once.
public struct JSON5Object: Sendable {
  public internal(set) var members: [JSON5Member] = []
  /// Whether a mistake among the keys may have hidden a member.
  public internal(set) var isDamaged = false

  /// The first member with this key.
  public func member(_ key: String) -> JSON5Member? { members.first { $0.key == key } }
}

public struct JSON5Member: Sendable {
  public let key: String
  /// The key as it stands in the text, quotes included.
  public let keyRange: Range<Int>
  public let value: JSON5Node
}

/// One step of the way from the root of a document to a value.
public enum PathStep: Hashable, Sendable {
  case key(String)
  case index(Int)
}

extension [PathStep] {
  /// The path as people write it: `sessions[1].duck.depth`, `start.set["/host/volume"]`.
  public var pathDescription: String {
    var text = ""
    for step in self {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key) where key.isIdentifier: text += text.isEmpty ? key : ".\(key)"
      case .key(let key): text += "[\"\(key.visiblePrefix(200))\"]"
      }
    }
    return text
  }
}

extension String {
  fileprivate var isIdentifier: Bool {
    guard let first = unicodeScalars.first, JSON5Parser.startsIdentifier(first) else { return false }
    return unicodeScalars.dropFirst().allSatisfy(JSON5Parser.continuesIdentifier)
  }
}

/// A place where a text is not JSON5.
public struct JSON5Mistake: Error, Hashable, Sendable {
  public let range: Range<Int>
  /// The object or array in which it is.
  public let path: [PathStep]
  /// What would have been right.
  public let expected: String
  /// What stands there.
  public let found: String
}
