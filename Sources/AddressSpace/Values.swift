import SessionPolicy

/// What an argument may be, and how what comes is made into it.
public enum ValueKind: Hashable, Sendable {
  /// A fader position, clamped to 0…1.
  case fader
  /// A number that is clamped to its range.
  case clamped(ClosedRange<Double>, unit: String)
  /// A number that is refused outside its range.
  case number(ClosedRange<Double>, unit: String)
  /// A measured number that nobody sets.
  case measured(unit: String)
  case integer(ClosedRange<Int>)
  case bool
  case text
  /// One of these words; another is refused with the code.
  case word([String], otherwise: Refusal.Code)
  /// Any number of these words, or `none` alone.
  case words([String], otherwise: Refusal.Code)
  /// Any number of names, or `none` alone.
  case names

  /// The OSC type tag.
  public var typeTag: String {
    switch self {
    case .fader, .clamped, .number, .measured: "f"
    case .integer: "i"
    case .bool: "T/F"
    case .text, .word: "s"
    case .words, .names: "s…"
    }
  }

  /// What is expected, for people.
  public var expectation: String {
    switch self {
    case .fader: "a number 0…1"
    case .clamped(let range, let unit), .number(let range, let unit):
      "a number \(short(range.lowerBound))…\(short(range.upperBound))" + (unit.isEmpty ? "" : " \(unit)")
    case .measured(let unit): "a number" + (unit.isEmpty ? "" : " in \(unit)")
    case .integer(let range): "a whole number \(range.lowerBound)…\(range.upperBound)"
    case .bool: "true or false"
    case .text: "a text"
    case .word(let words, _): "one of \(words.joined(separator: " "))"
    case .words(let words, _): "any of \(words.joined(separator: " ")), or none"
    case .names: "names, or none"
    }
  }
}

extension ValueKind {
  /// The range to which numbers of this kind are clamped; nil for a kind that refuses some, or has none.
  var clampedRange: ClosedRange<Double>? {
    switch self {
    case .fader: 0...1
    case .clamped(let range, _): range
    case .number, .measured, .integer, .bool, .text, .word, .words, .names: nil
    }
  }

  /// What a number comes to, clamped where that is the way of this kind; nil if it is refused.
  func number(_ number: Double) -> Double? {
    guard number.isFinite else { return nil }
    return switch self {
    case .fader: min(1, max(0, number))
    case .clamped(let range, _): min(range.upperBound, max(range.lowerBound, number))
    case .number(let range, _): range.contains(number) ? number : nil
    case .integer(let range):
      number == number.rounded() && range.contains(Int(clamping: number)) ? number : nil
    case .measured, .bool, .text, .word, .words, .names: number
    }
  }
}

/// A number as people write it: without `.0`.
func short(_ number: Double) -> String {
  number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number)
}

/// The arguments of one message, taken one by one.
struct Words {
  let arguments: [Argument]
  private(set) var position = 0

  init(_ arguments: [Argument]) { self.arguments = arguments }

  var isAtEnd: Bool { position == arguments.count }

  /// The next argument, or a refusal that says what is missing.
  mutating func next(_ expectation: @autoclosure () -> String) throws(Refusal) -> Argument {
    guard !isAtEnd else {
      throw Refusal(.badArguments, "argument \(position + 1) is missing: expected \(expectation())")
    }
    position += 1
    return arguments[position - 1]
  }

  /// Refuses what is left over.
  func end() throws(Refusal) {
    guard isAtEnd else {
      throw Refusal(
        .badArguments, "argument \(position + 1) is one too many: expected \(position), got \(arguments.count)")
    }
  }

  private func wrong(_ expectation: String, _ argument: Argument) -> Refusal {
    Refusal(.badArguments, "argument \(position): expected \(expectation), got \(argument)")
  }

  /// A number in its range.
  mutating func number(_ kind: ValueKind) throws(Refusal) -> Double {
    let argument = try next(kind.expectation)
    if let number = argument.number.flatMap(kind.number) { return number }
    guard let number = argument.number, number.isFinite else { throw wrong(kind.expectation, argument) }
    if case .integer = kind, number != number.rounded() { throw wrong(kind.expectation, argument) }
    throw Refusal(.outOfRange, "argument \(position): expected \(kind.expectation), got \(argument)")
  }

  mutating func bool() throws(Refusal) -> Bool {
    let argument = try next(ValueKind.bool.expectation)
    guard let flag = argument.flag else { throw wrong(ValueKind.bool.expectation, argument) }
    return flag
  }

  mutating func text(_ expectation: @autoclosure () -> String = ValueKind.text.expectation) throws(Refusal) -> String {
    let argument = try next(expectation())
    guard case .string(let text) = argument else { throw wrong(expectation(), argument) }
    return text
  }

  /// A word of an enumeration.
  mutating func word<Value: CaseIterable & RawRepresentable<String>>(
    _ type: Value.Type, otherwise code: Refusal.Code = .outOfRange
  ) throws(Refusal) -> Value {
    let expectation = "one of \(Value.allCases.map(\.rawValue).joined(separator: " "))"
    let text = try text(expectation)
    guard let value = Value(rawValue: text) else {
      throw Refusal(code, "argument \(position): expected \(expectation), got \"\(text)\"")
    }
    return value
  }

  /// Any number of words up to the end, or `none` alone.
  mutating func words(
    _ expectation: @autoclosure () -> String, noneIsEmpty: Bool = true
  ) throws(Refusal) -> [String] {
    var words: [String] = []
    repeat { words.append(try text(expectation())) } while !isAtEnd
    return noneIsEmpty && words == ["none"] ? [] : words
  }

  /// Any number of members of a set up to the end, or `none` alone.
  mutating func set<Value: NamedSet>(
    _ type: Value.Type, otherwise code: Refusal.Code, noneIsEmpty: Bool = true
  ) throws(Refusal) -> Value where Value.Element == Value {
    let expectation = "any of \(Value.names.map(\.name).joined(separator: " "))" + (noneIsEmpty ? ", or none" : "")
    var result: Value = []
    for word in try words(expectation, noneIsEmpty: noneIsEmpty) {
      guard let member = Value(name: word) else {
        throw Refusal(code, "expected \(expectation), got \"\(word)\"")
      }
      result.formUnion(member)
    }
    return result
  }
}

extension Argument: CustomStringConvertible {
  /// As it is written in a script.
  public var description: String {
    switch self {
    case .int(let value): String(value)
    case .long(let value): String(value)
    case .float(let value): value == value.rounded() && abs(value) < 1e9 ? short(Double(value)) : String(value)
    case .double(let value): value == value.rounded() && abs(value) < 1e15 ? short(value) : String(value)
    case .bool(let value): value ? "true" : "false"
    case .string(let value): quoted(value)
    case .other(let tag): "an argument of type \(tag)"
    }
  }
}

/// A word as it is written in a script: quoted where it would be read as something else.
func quoted(_ word: String) -> String {
  let isPlain =
    !word.isEmpty && word != "true" && word != "false" && Double(word) == nil
    && word.allSatisfy { !$0.isWhitespace && $0 != "\"" && $0 != "'" && $0 != "#" && $0 != "\\" }
  guard !isPlain else { return word }
  let escaped = word.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
  return "\"\(escaped)\""
}

extension Int {
  /// The nearest whole number that an `Int` can hold.
  fileprivate init(clamping number: Double) {
    self = Int(exactly: Swift.min(9e18, Swift.max(-9e18, number)).rounded()) ?? 0
  }
}
