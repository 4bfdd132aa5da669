import AddressSpace

/// The JSON Schema of OSC messages, `{ ADDRESS: ARGUMENTS }`, written from the table of the address space.
enum MessageSchema {
  /// How a schema refers to it.
  static let reference: OrderedJSON = ["$ref": "#/$defs/messages"]

  /// Every address that can be set, and what it takes. What only a preset as a whole can tell is left out: whether a
  /// session or route of a name exists.
  static let definition: OrderedJSON = {
    let settable = AddressTable.endpoints.filter { $0.access != .readOnly }
    let alone = settable.filter { $0.subject == .one }.map { endpoint in
      OrderedJSON.Member(
        key: endpoint.address,
        value: arguments(of: endpoint).replacing([
          .init(key: "description", value: .string(endpoint.documentation))
        ]))
    }
    let ofMany = settable.filter { $0.subject != .one }.map { endpoint in
      OrderedJSON.Member(key: expression(for: endpoint), value: arguments(of: endpoint))
    }
    // A pattern sets every match; each may take something else.
    let pattern = OrderedJSON.Member(key: "^/.*[*?\\[\\]{}]", value: anything)
    return [
      "type": "object", "properties": .object(alone), "patternProperties": .object(ofMany + [pattern]),
      "additionalProperties": false,
    ]
  }()

  private static let scalar: OrderedJSON = ["type": ["number", "string", "boolean"]]
  private static let anything: OrderedJSON = ["anyOf": [scalar, ["type": "array", "items": scalar]]]

  /// A regular expression (ECMA-262) for the addresses of an endpoint that many sessions or routes have.
  private static func expression(for endpoint: Endpoint) -> String {
    "^" + endpoint.address(of: "[A-Za-z0-9_-]{1,32}") + "$"
  }

  private static func arguments(of endpoint: Endpoint) -> OrderedJSON {
    let usage = MessageUsage(endpoint)
    guard let first = endpoint.kinds.first else {
      return usage.isOpenEnded ? ["type": "array", "items": scalar] : ["type": "array", "maxItems": 0]
    }
    switch first {
    case .words, .names:
      let word = first.wordSchema
      return [
        "anyOf": [
          word.or("none"), ["type": "array", "items": word, "minItems": 1], ["const": ["none"]],
        ]
      ]
    default: break
    }
    var list: [OrderedJSON.Member] = [
      .init(key: "type", value: "array"),
      .init(key: "prefixItems", value: .array(endpoint.kinds.map(\.wordSchema))),
      .init(key: "minItems", value: .number(Double(usage.required))),
    ]
    if usage.isOpenEnded {
      list.append(.init(key: "items", value: endpoint.kinds.last.map(\.wordSchema) ?? scalar))
    } else {
      list.append(.init(key: "maxItems", value: .number(Double(endpoint.kinds.count))))
    }
    return ["anyOf": .array((usage.required <= 1 ? [first.wordSchema] : []) + [.object(list)])]
  }
}

/// How many arguments an endpoint takes.
private struct MessageUsage {
  /// How many it needs at least.
  let required: Int
  /// Whether it takes any number.
  let isOpenEnded: Bool

  init(_ endpoint: Endpoint) {
    guard let usage = endpoint.usage else {
      required = endpoint.kinds.count
      isOpenEnded = false
      return
    }
    // `NAME [SECONDS [PATTERN…]]`; alternatives are parted by a bar.
    let counts = usage.split(separator: "|").map { alternative in
      alternative.prefix { $0 != "[" }.split(separator: " ").count
    }
    required = endpoint.kinds.count == 1 ? 1 : counts.min() ?? 0
    isOpenEnded = usage.contains("…]") || endpoint.kinds.isEmpty
  }
}

extension ValueKind {
  /// The JSON Schema of one argument of this kind.
  fileprivate var wordSchema: OrderedJSON {
    switch self {
    case .fader, .clamped, .measured: ["type": "number"]
    case .number(let range, _):
      ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
    case .integer(let range):
      [
        "type": "integer", "minimum": .number(Double(range.lowerBound)), "maximum": .number(Double(range.upperBound)),
      ]
    case .bool: ["type": ["boolean", "number"]]
    case .text, .names: ["type": "string"]
    case .word(let words, _), .words(let words, _): ["enum": .array(words.map(OrderedJSON.string))]
    }
  }
}

extension OrderedJSON {
  /// The schema with a further word that is allowed.
  fileprivate func or(_ word: String) -> OrderedJSON {
    guard case .object(let members) = self, let words = members.first(where: { $0.key == "enum" }),
      case .array(let list) = words.value
    else { return self }
    return ["enum": .array(list + [.string(word)])]
  }
}
