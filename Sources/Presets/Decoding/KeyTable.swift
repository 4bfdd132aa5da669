/// The keys that an object may have: the one place from which objects are read, misspelt keys are recognised, and
/// the schema is written.
struct KeyTable<Model> {
  /// What the object is, for errors: `a session`.
  let noun: String
  /// What it is for, for people.
  let summary: String
  /// The object without any key: its defaults.
  let prototype: Model
  let keys: [Key<Model>]
  /// What concerns several keys, beside their own forms.
  var check: (Model, JSON5Object, inout Decoding) -> Void = { _, _, _ in }
  /// The same for the schema.
  var schemaRules: [OrderedJSON] = []

  /// Reads an object: reports everything that is wrong, and takes everything that is right.
  func read(_ object: JSON5Object, range: Range<Int>, _ decoding: inout Decoding) -> Model {
    var model = prototype
    decoding.reportDuplicateKeys(of: object)
    var seen: Set<String> = []
    for member in object.members where seen.insert(member.key).inserted {
      decoding.at(.key(member.key)) { decoding in
        if let key = keys.first(where: { $0.name == member.key }) {
          key.read(member.value, &decoding, &model)
        } else {
          reportUnknown(member, &decoding)
        }
      }
    }
    // A key that is there but misspelt, or behind a mistake, is not missing too.
    let known = keys.map(\.name)
    let misspelt = seen.subtracting(known).compactMap { nearestName(to: $0, among: known) }
    for key in keys where key.isRequired && !seen.contains(key.name) && !object.isDamaged {
      if misspelt.contains(key.name) { continue }
      decoding.report(
        range.lowerBound..<min(range.lowerBound + 1, range.upperBound),
        expected: "the key “\(key.name)” in \(noun) (\(key.expectation))", found: "none")
    }
    check(model, object, &decoding)
    return model
  }

  private func reportUnknown(_ member: JSON5Member, _ decoding: inout Decoding) {
    let names = keys.map(\.name)
    let nearest = nearestName(to: member.key, among: names)
    let list = nearest == nil ? " (\(names.joined(separator: ", ")))" : ""
    decoding.report(
      member.keyRange, expected: "a key of \(noun)\(list)", found: member.key.quotedForPeople, nearest: nearest)
  }

  /// The JSON Schema of the object.
  var schema: OrderedJSON {
    var members: [OrderedJSON.Member] = [
      .init(key: "description", value: .string(summary)),
      .init(key: "type", value: "object"),
      .init(key: "properties", value: .object(keys.map { .init(key: $0.name, value: $0.schema(prototype)) })),
    ]
    let required = keys.filter(\.isRequired).map { OrderedJSON.string($0.name) }
    if !required.isEmpty { members.append(.init(key: "required", value: .array(required))) }
    members.append(.init(key: "additionalProperties", value: false))
    if !schemaRules.isEmpty { members.append(.init(key: "allOf", value: .array(schemaRules))) }
    return .object(members)
  }
}

/// One key of an object: its name, what its value may be, what it is without it, and what it is for.
struct Key<Model> {
  let name: String
  let isRequired: Bool
  let expectation: String
  let read: (JSON5Node, inout Decoding, inout Model) -> Void
  let schema: (Model) -> OrderedJSON

  /// A key whose default is what the table's prototype has.
  init<Value>(
    _ name: String, _ property: WritableKeyPath<Model, Value>, _ form: Form<Value>, _ documentation: String
  ) {
    self.init(
      name, form, isRequired: false, documentation, store: { $0[keyPath: property] = $1 },
      defaultValue: { form.write($0[keyPath: property]) })
  }

  /// A key that must be there.
  init<Value>(
    _ name: String, _ property: WritableKeyPath<Model, Value>, required form: Form<Value>, _ documentation: String
  ) {
    self.init(
      name, form, isRequired: true, documentation, store: { $0[keyPath: property] = $1 }, defaultValue: { _ in nil })
  }

  /// A key whose default the file cannot write; the documentation tells it.
  init<Value>(
    _ name: String, _ property: WritableKeyPath<Model, Value>, unwritable form: Form<Value>, _ documentation: String
  ) {
    self.init(
      name, form, isRequired: false, documentation, store: { $0[keyPath: property] = $1 }, defaultValue: { _ in nil })
  }

  /// The same for a property that is nil by default.
  init<Value>(
    _ name: String, _ property: WritableKeyPath<Model, Value?>, optional form: Form<Value>, _ documentation: String
  ) {
    self.init(
      name, form, isRequired: false, documentation, store: { $0[keyPath: property] = $1 }, defaultValue: { _ in nil })
  }

  /// A key that the model does not keep.
  init<Value>(_ name: String, ignored form: Form<Value>, isRequired: Bool, _ documentation: String) {
    self.init(name, form, isRequired: isRequired, documentation, store: { _, _ in }, defaultValue: { _ in nil })
  }

  private init<Value>(
    _ name: String, _ form: Form<Value>, isRequired: Bool, _ documentation: String,
    store: @escaping (inout Model, Value) -> Void, defaultValue: @escaping (Model) -> OrderedJSON?
  ) {
    self.name = name
    self.isRequired = isRequired
    expectation = form.expectation
    read = { node, decoding, model in
      if let value = form.read(node, &decoding) { store(&model, value) }
    }
    schema = { prototype in
      var more = [OrderedJSON.Member(key: "description", value: .string(documentation))]
      if let value = defaultValue(prototype) { more.append(.init(key: "default", value: value)) }
      return form.schema.replacing(more)
    }
  }
}

extension Decoding {
  /// Reports every key that its object has had before.
  mutating func reportDuplicateKeys(of object: JSON5Object) {
    var places: [String: Range<Int>] = [:]
    for member in object.members {
      guard let first = places[member.key] else {
        places[member.key] = member.keyRange
        continue
      }
      at(.key(member.key)) { decoding in
        let found = "\(member.key.quotedForPeople) again (first in \(decoding.line(of: first)))"
        decoding.report(member.keyRange, expected: "each key only once", found: found)
      }
    }
  }
}
