/// Reads JSON5 (json5.org, version 1.0.0) with positions, and goes on after a mistake.
///
/// Objects and arrays are read by recursion no deeper than `maximumDepth`; what is nested deeper is passed over.
struct JSON5Parser {
  static let maximumDepth = 64
  /// After so many, a text is not meant to be JSON5, and no more are told.
  static let maximumMistakes = 100

  let source: SourceText
  let scalars: [Unicode.Scalar]
  var offset = 0
  private(set) var mistakes: [JSON5Mistake] = []
  private var path: [PathStep] = []
  /// The brackets that are open, outermost first.
  private var open: [Bracket] = []
  /// Whether the text ended too early, so that the brackets still open are no mistakes of their own.
  private var hasEndedEarly = false

  private enum Bracket { case brace, square }

  init(_ source: SourceText) {
    self.source = source
    scalars = source.scalars
  }

  var current: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

  mutating func parseDocument() -> JSON5Node {
    skipBlanks()
    let root = parseValue()
    skipBlanks()
    if case .unreadable = root.value { return root }
    if current != nil { mistake(expected: "the end of the file") }
    return root
  }

  /// Notes a mistake at a range, or where the parser stands.
  mutating func mistake(expected: String, found: String? = nil, at range: Range<Int>? = nil) {
    guard mistakes.count < Self.maximumMistakes else { return }
    let here = offset..<min(offset + max(1, wordLength), scalars.count)
    mistakes.append(
      JSON5Mistake(range: range ?? here, path: path, expected: expected, found: found ?? describeCurrent())
    )
  }

  /// Notes that the text ends too early: once, however much is still open.
  mutating func endedEarly(expected: String, at range: Range<Int>? = nil) {
    if !hasEndedEarly { mistake(expected: expected, found: "the end of the file", at: range) }
    hasEndedEarly = true
    offset = scalars.count
  }

  // MARK: Values

  private mutating func parseValue() -> JSON5Node {
    let start = offset
    switch current {
    case nil:
      endedEarly(expected: "a value")
      return JSON5Node(value: .unreadable, range: start..<start)
    case "{": return parseContainer(.brace) { $0.parseObject() }
    case "[": return parseContainer(.square) { $0.parseArray() }
    case "\"", "'":
      let string = parseString()
      return JSON5Node(value: .string(string), range: start..<offset)
    case let scalar? where Self.startsNumber(scalar):
      let number = parseNumber()
      return JSON5Node(value: number, range: start..<offset)
    case let scalar? where Self.startsIdentifier(scalar) || scalar == "\\":
      return parseWord()
    default:
      mistake(expected: "a value")
      skipToDelimiter()
      return JSON5Node(value: .unreadable, range: start..<offset)
    }
  }

  private mutating func parseWord() -> JSON5Node {
    let start = offset
    let word = parseIdentifier()
    let value: JSON5Value
    switch word {
    case "true": value = .bool(true)
    case "false": value = .bool(false)
    case "null": value = .null
    case "Infinity": value = .decimal(.infinity)
    case "NaN": value = .decimal(.nan)
    default:
      value = .unreadable
      mistake(
        expected: "a value (a text is written in quotes)", found: word.quotedForPeople, at: start..<offset)
      skipToDelimiter()
    }
    return JSON5Node(value: value, range: start..<offset)
  }

  private mutating func parseContainer(
    _ bracket: Bracket, _ parse: (inout JSON5Parser) -> JSON5Value
  ) -> JSON5Node {
    let start = offset
    guard open.count < Self.maximumDepth else {
      mistake(expected: "at most \(Self.maximumDepth) levels of objects and arrays")
      skipBalanced()
      return JSON5Node(value: .unreadable, range: start..<offset)
    }
    open.append(bracket)
    offset += 1
    let value = parse(&self)
    open.removeLast()
    return JSON5Node(value: value, range: start..<offset)
  }

  private mutating func parseArray() -> JSON5Value {
    let start = offset - 1
    var elements: [JSON5Node] = []
    while true {
      skipBlanks()
      switch current {
      case nil:
        endedEarly(expected: "“]” to close the list that begins at \(place(start))")
        return .array(elements)
      case "]":
        offset += 1
        return .array(elements)
      case "}":
        mistake(expected: "“]” to close the list that begins at \(place(start))")
        if !open.contains(.brace) { offset += 1 }
        return .array(elements)
      case ",":
        mistake(expected: "a value or “]”")
        offset += 1
      default:
        path.append(.index(elements.count))
        elements.append(parseValue())
        path.removeLast()
        endElement(closing: "]")
      }
    }
  }

  private mutating func parseObject() -> JSON5Value {
    let start = offset - 1
    var object = JSON5Object()
    while true {
      skipBlanks()
      switch current {
      case nil:
        endedEarly(expected: "“}” to close the object that begins at \(place(start))")
        object.isDamaged = true
        return .object(object)
      case "}":
        offset += 1
        return .object(object)
      case "]":
        mistake(expected: "“}” to close the object that begins at \(place(start))")
        object.isDamaged = true
        if !open.contains(.square) { offset += 1 }
        return .object(object)
      case ",":
        mistake(expected: "a key or “}”")
        offset += 1
      default: parseMember(into: &object)
      }
    }
  }

  private mutating func parseMember(into object: inout JSON5Object) {
    let start = offset
    let key: String
    switch current {
    case "\"", "'": key = parseString()
    case let scalar? where Self.startsIdentifier(scalar) || scalar == "\\": key = parseIdentifier()
    default:
      mistake(expected: "a key or “}” (a key with other characters than letters and digits is written in quotes)")
      object.isDamaged = true
      skipToDelimiter()
      if current == "," { offset += 1 }
      return
    }
    let keyRange = start..<offset
    path.append(.key(key))
    skipBlanks()
    let hasColon = current == ":"
    if !hasColon { mistake(expected: "“:” after the key \(key.quotedForPeople)") }
    if hasColon || current == "=" { offset += 1 }
    skipBlanks()
    let value: JSON5Node
    switch current {
    case ",", "}", "]":
      if hasColon { mistake(expected: "a value") }
      value = JSON5Node(value: .unreadable, range: offset..<offset)
    default: value = parseValue()
    }
    path.removeLast()
    object.members.append(JSON5Member(key: key, keyRange: keyRange, value: value))
    if !endElement(closing: "}") { object.isDamaged = true }
  }

  /// Passes the comma after an element; a missing one is noted, and read as if it were there.
  /// Returns false if something was passed over.
  @discardableResult
  private mutating func endElement(closing: String) -> Bool {
    skipBlanks()
    switch current {
    case nil, "}", "]": return true
    case ",":
      offset += 1
      return true
    case let scalar?:
      mistake(expected: "“,” or “\(closing)”")
      if scalar == ";" {
        offset += 1
        return true
      }
      let beginsNext =
        Self.startsIdentifier(scalar) || scalar == "\"" || scalar == "'"
        || closing == "]" && (scalar == "{" || scalar == "[" || Self.startsNumber(scalar))
      if beginsNext { return true }
      skipToDelimiter()
      if current == "," { offset += 1 }
      return false
    }
  }

  private func place(_ offset: Int) -> String {
    let position = source.position(at: offset)
    return "line \(position.line), column \(position.column)"
  }
}
