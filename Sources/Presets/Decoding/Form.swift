import SessionPolicy

/// What the value of a key may be: how it is read, how the schema tells it, how a default is written.
struct Form<Value> {
  /// What was expected, in errors: `a number from 0 to 1`.
  let expectation: String
  /// The JSON Schema of the value.
  let schema: OrderedJSON
  /// The value of a node; reports what is wrong with it. Nil if it is not to be used.
  let read: (JSON5Node, inout Decoding) -> Value?
  /// A value as the schema shows it.
  let write: (Value) -> OrderedJSON
}

extension Form {
  /// A form whose values come from texts.
  static func text(
    _ expectation: String, schema: OrderedJSON, write: @escaping (Value) -> String,
    parse: @escaping (String) -> Value?
  ) -> Form {
    Form(
      expectation: expectation, schema: schema,
      read: { node, decoding in
        if case .string(let text) = node.value, let value = parse(text) { return value }
        decoding.report(node, expected: expectation)
        return nil
      },
      write: { .string(write($0)) })
  }
}

extension Form where Value: Equatable {
  /// A word of a fixed list.
  static func word(_ article: String, among words: [(name: String, value: Value)]) -> Form {
    let names = words.map(\.name)
    let expectation = "\(article): one of \(names.joined(separator: ", "))"
    return Form(
      expectation: expectation, schema: ["enum": .array(names.map(OrderedJSON.string))],
      read: { node, decoding in
        guard case .string(let text) = node.value else {
          decoding.report(node, expected: expectation)
          return nil
        }
        if let known = words.first(where: { $0.name == text }) { return known.value }
        decoding.report(node, expected: expectation, nearest: nearestName(to: text, among: names))
        return nil
      },
      write: { value in words.first { $0.value == value }.map { .string($0.name) } ?? .null })
  }
}

extension Form where Value: RawRepresentable & CaseIterable & Equatable, Value.RawValue == String {
  /// A word of an enumeration.
  static func word(_ article: String) -> Form {
    word(article, among: Value.allCases.map { ($0.rawValue, $0) })
  }
}

extension Form where Value == Bool {
  static var flag: Form {
    Form(
      expectation: "true or false", schema: ["type": "boolean"],
      read: { node, decoding in
        if case .bool(let value) = node.value { return value }
        decoding.report(node, expected: "true or false")
        return nil
      },
      write: { .bool($0) })
  }
}

extension Form where Value == Double {
  /// A number within a range, the borders included.
  static func number(_ range: ClosedRange<Double>, _ unit: String = "") -> Form {
    let lowest = range.lowerBound.shortText
    let highest = range.upperBound.shortText
    let expectation = "a number from \(lowest) to \(highest)" + (unit.isEmpty ? "" : " (\(unit))")
    return Form(
      expectation: expectation,
      schema: ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)],
      read: { node, decoding in
        let number: Double? =
          switch node.value {
          case .integer(let value): Double(value)
          case .decimal(let value): value
          default: nil
          }
        // NaN is in no range.
        if let number, range.contains(number) { return number }
        decoding.report(node, expected: expectation)
        return nil
      },
      write: { .number($0) })
  }
}

extension Form where Value == Double? {
  /// A number within a range, or null where there is to be none.
  static func numberOrNull(_ range: ClosedRange<Double>, _ unit: String) -> Form {
    let form = Form<Double>.number(range, unit)
    let expectation = form.expectation + ", or null"
    return Form(
      expectation: expectation, schema: ["anyOf": [form.schema, ["type": "null"]]],
      read: { node, decoding in
        switch node.value {
        case .null: return .some(nil)
        case .integer, .decimal: return form.read(node, &decoding).map(Optional.some)
        default:
          decoding.report(node, expected: expectation)
          return nil
        }
      },
      write: { $0.map(OrderedJSON.number) ?? .null })
  }
}

extension Form where Value == Int {
  /// A whole number within a range, the borders included.
  static func integer(_ range: ClosedRange<Int>) -> Form {
    let expectation = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return Form(
      expectation: expectation,
      schema: [
        "type": "integer", "minimum": .number(Double(range.lowerBound)), "maximum": .number(Double(range.upperBound)),
      ],
      read: { node, decoding in
        switch node.value {
        case .integer(let value):
          if let value = Int(exactly: value), range.contains(value) { return value }
        case .decimal(let value):
          if let value = Int(exactly: value), range.contains(value) { return value }
        default: break
        }
        decoding.report(node, expected: expectation)
        return nil
      },
      write: { .number(Double($0)) })
  }
}

extension Form where Value == String {
  /// Any text for people.
  static var title: Form {
    .text("a text", schema: ["type": "string"], write: { $0 }, parse: { $0 })
  }

  /// A name; a wrong one is reported and used all the same, so that what refers to it is no further mistake.
  static func name(_ rule: NameRule) -> Form {
    Form(
      expectation: rule.expectation, schema: ["type": "string", "pattern": .string(rule.schemaPattern)],
      read: { node, decoding in
        guard case .string(let text) = node.value else {
          decoding.report(node, expected: rule.expectation)
          return nil
        }
        if let expected = rule.complaint(about: text) { decoding.report(node, expected: expected) }
        return text
      },
      write: { .string($0) })
  }
}
