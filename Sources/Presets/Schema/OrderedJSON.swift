/// A JSON value whose objects keep the order in which they were written.
enum OrderedJSON: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([OrderedJSON])
  case object([Member])

  struct Member: Hashable, Sendable {
    let key: String
    let value: OrderedJSON
  }

  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int) { self = .number(Double(value)) }
  init(arrayLiteral elements: OrderedJSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, OrderedJSON)...) {
    self = .object(elements.map { Member(key: $0, value: $1) })
  }

  /// An object with further members, each in place of the one with its key if there is one; itself if it is no object.
  func replacing(_ more: [Member]) -> OrderedJSON {
    guard case .object(let members) = self else { return self }
    let keys = Set(more.map(\.key))
    return .object(more + members.filter { !keys.contains($0.key) })
  }

  /// JSON text (RFC 8259), indented by two spaces a level.
  func text(indent: String = "") -> String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): value.shortText
    case .string(let value): Self.quoted(value)
    case .array(let elements) where elements.allSatisfy(\.isScalar):
      "[" + elements.map { $0.text() }.joined(separator: ", ") + "]"
    case .array(let elements):
      Self.block("[", elements.map { $0.text(indent: indent + "  ") }, "]", indent: indent)
    case .object(let members):
      Self.block(
        "{", members.map { Self.quoted($0.key) + ": " + $0.value.text(indent: indent + "  ") }, "}", indent: indent)
    }
  }

  private var isScalar: Bool {
    switch self {
    case .array, .object: false
    case .null, .bool, .number, .string: true
    }
  }

  private static func block(_ opening: String, _ lines: [String], _ closing: String, indent: String) -> String {
    if lines.isEmpty { return opening + closing }
    let inner = lines.map { indent + "  " + $0 }.joined(separator: ",\n")
    return opening + "\n" + inner + "\n" + indent + closing
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\0"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension Double {
  /// As people write it: a whole number without a point.
  var shortText: String {
    self == rounded() && magnitude < 1e15 ? String(Int64(self)) : String(self)
  }
}
