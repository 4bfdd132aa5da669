import SessionPolicy

extension Form {
  /// A list. Elements that are wrong are reported and left out.
  ///
  /// - Parameters:
  ///   - noun: what the elements are, for errors: `routes`.
  ///   - maximum: how many there may be at most.
  ///   - isSet: whether an element may be there only once.
  static func list<Element: Hashable>(
    _ noun: String, of element: Form<Element>, maximum: Int, isSet: Bool = true
  ) -> Form where Value == [Element] {
    let expectation = "a list of \(noun), […]"
    var schema: [OrderedJSON.Member] = [
      .init(key: "type", value: "array"), .init(key: "items", value: element.schema),
      .init(key: "maxItems", value: .number(Double(maximum))),
    ]
    if isSet { schema.append(.init(key: "uniqueItems", value: true)) }
    return Form(
      expectation: expectation, schema: .object(schema),
      read: { node, decoding in
        guard case .array(let nodes) = node.value else {
          decoding.report(node, expected: expectation)
          return nil
        }
        if nodes.count > maximum {
          decoding.report(nodes[maximum].range, expected: "at most \(maximum) \(noun)", found: "\(nodes.count)")
        }
        var elements: [Element] = []
        var places: [Element: Range<Int>] = [:]
        for (index, node) in nodes.enumerated() {
          decoding.at(.index(index)) { decoding in
            guard let value = element.read(node, &decoding) else { return }
            if isSet, let first = places.updateValue(node.range, forKey: value) {
              let found = "\(decoding.describe(node)) again (first in \(decoding.line(of: first)))"
              decoding.report(node.range, expected: "each only once", found: found)
            } else {
              elements.append(value)
            }
          }
        }
        return elements
      },
      write: { .array($0.map(element.write)) })
  }

  /// An object with the keys of a table.
  static func object(_ table: KeyTable<Value>) -> Form {
    Form(
      expectation: "\(table.noun): an object", schema: table.schema,
      read: { node, decoding in
        guard case .object(let object) = node.value else {
          decoding.report(node, expected: "\(table.noun): an object, {…}")
          return nil
        }
        return table.read(object, range: node.range, &decoding)
      },
      write: { _ in [:] })
  }
}

extension Form where Value: NamedSet & Hashable, Value.Element == Value {
  /// A set of words, as a list.
  static func words(_ article: String, _ noun: String) -> Form {
    let word = Form.word(article, among: Value.names.map { ($0.name, $0.member) })
    let list = Form<[Value]>.list(noun, of: word, maximum: Value.names.count)
    return Form(
      expectation: list.expectation, schema: list.schema,
      read: { node, decoding in list.read(node, &decoding).map { Value($0) } },
      write: { .array($0.names.map(OrderedJSON.string)) })
  }
}

extension Form where Value == PortExpression {
  static var port: Form {
    let expectation = "the name of a JACK port, or a regular expression for the names of several"
    return Form(
      expectation: expectation, schema: ["type": "string", "format": "regex", "minLength": 1],
      read: { node, decoding in
        guard case .string(let text) = node.value else {
          decoding.report(node, expected: expectation)
          return nil
        }
        do throws(PortExpression.Mistake) {
          return try PortExpression(text)
        } catch {
          decoding.report(
            node.range, expected: expectation, found: "\(text.quotedForPeople), which is none: \(error.reason)")
          return nil
        }
      },
      write: { .string($0.text) })
  }
}

extension Form where Value == IPAddress {
  static var address: Form {
    .text(
      "an IP address, such as 127.0.0.1 or 192.168.1.5",
      schema: ["type": "string", "pattern": .string("^(\(IPAddress.schemaPattern))$")], write: \.description,
      parse: { IPAddress($0) })
  }
}

extension Form where Value == IPBlock {
  static var block: Form {
    .text(
      "a block of IP addresses, such as 192.168.1.0/24",
      schema: ["type": "string", "pattern": .string("^(\(IPBlock.schemaPattern))$")], write: \.description,
      parse: { IPBlock($0) })
  }
}

extension IPAddress {
  private static let byte = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
  static let fourBytes = "(\(byte)\\.){3}\(byte)"
  /// Roughly: a schema cannot count the groups of an IPv6 address.
  static let sixteenBytes = "[0-9A-Fa-f]*:[0-9A-Fa-f:.]*"
  /// The addresses as an ECMA-262 regular expression.
  static let schemaPattern = "\(fourBytes)|\(sixteenBytes)"
}

extension IPBlock {
  /// The blocks as an ECMA-262 regular expression.
  static let schemaPattern =
    "\(IPAddress.fourBytes)(/0*([12]?[0-9]|3[0-2]))?|\(IPAddress.sixteenBytes)(/0*(1[01][0-9]|12[0-8]|[1-9]?[0-9]))?"
}
