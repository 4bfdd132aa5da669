import SessionPolicy

// Shorthands for the rows of sessions.

/// What setting a flag does.
enum FlagChange {
  case attribute(Attribute)
  case event(Event)

  func event(for session: SessionID) -> Event {
    switch self {
    case .attribute(let attribute): .set(session, attribute)
    case .event(let event): event
    }
  }
}

extension Endpoint {
  static func finding(
    _ name: String, _ kinds: [ValueKind], rules: [String] = [], _ documentation: String,
    read: @escaping @Sendable (Scope) -> [Argument]
  ) -> Endpoint {
    Endpoint("/session/NAME/\(name)", .session, .readOnly, kinds, rules: rules, documentation, read: read)
  }

  static func flag(
    _ name: String, rules: [String], _ documentation: String, get: @escaping @Sendable (Session) -> Bool,
    set: @escaping @Sendable (SessionID, Bool) -> FlagChange
  ) -> Endpoint {
    Endpoint(
      "/session/NAME/\(name)", .session, .readWrite, [.bool], rules: rules, documentation,
      read: { [.bool(get($0.session))] },
      write: { scope, words throws(Refusal) in
        let id = scope.session.id
        return .event(set(id, try words.bool()).event(for: id))
      },
      press: PressRule(event: { session, value in value.flag.map { set(session, $0).event(for: session) } }))
  }

  /// A number that means the same whatever the session is like.
  static func number(
    _ name: String, _ kind: ValueKind, rules: [String] = [], _ documentation: String,
    get: @escaping @Sendable (Session) -> Double, set: @escaping @Sendable (Double) -> Attribute, level: Level? = nil
  ) -> Endpoint {
    Endpoint(
      "/session/NAME/\(name)", .session, .readWrite, [kind], rules: rules, documentation,
      read: { [.float(Float(get($0.session)))] },
      write: { scope, words throws(Refusal) in try scope.set(set(words.number(kind))) },
      press: PressRule(
        event: { session, value in value.number.flatMap(kind.number).map { .set(session, set($0)) } },
        level: level.flatMap { level in kind.clampedRange.map { LevelRule(level: level, range: $0) } }))
  }

  /// A number that is one of several that belong together.
  static func number(
    _ name: String, _ kind: ValueKind, rules: [String] = [], _ documentation: String,
    get: @escaping @Sendable (Session) -> Double, change: @escaping @Sendable (Session, Double) -> Attribute
  ) -> Endpoint {
    Endpoint(
      "/session/NAME/\(name)", .session, .readWrite, [kind], rules: rules, documentation,
      read: { [.float(Float(get($0.session)))] },
      write: { scope, words throws(Refusal) in try scope.set(change(scope.session, words.number(kind))) })
  }

  static func word<Value: CaseIterable & RawRepresentable<String> & Sendable>(
    _ name: String, _ type: Value.Type, rules: [String], _ documentation: String,
    get: @escaping @Sendable (Session) -> Value, set: @escaping @Sendable (Session, Value) -> Attribute
  ) -> Endpoint {
    Endpoint(
      "/session/NAME/\(name)", .session, .readWrite,
      [.word(Value.allCases.map(\.rawValue), otherwise: .outOfRange)], rules: rules, documentation,
      read: { [.string(get($0.session).rawValue)] },
      write: { scope, words throws(Refusal) in try scope.set(set(scope.session, words.word(type))) })
  }
}

extension ValueKind {
  static let category = ValueKind.word(Category.allCases.map(\.rawValue), otherwise: .incompatibleCategory)
  static let options = ValueKind.words(SessionOptions.names.map(\.name), otherwise: .incompatibleCategory)
}

extension Scope {
  /// A change of an attribute of the session that is written to.
  func set(_ attribute: Attribute) -> Action { .event(.set(session.id, attribute)) }

  /// A name that cannot be given is refused before the category is looked at.
  func refuseName(_ name: String) throws(Refusal) {
    try SessionName.validate(name)
    guard state.sessionID(named: name) == nil else {
      throw Refusal(.nameTaken, "a session named \(name) is open; close it first or choose another name")
    }
  }
}

extension [Argument] {
  static func words(_ words: [String]) -> [Argument] { words.map(Argument.string) }
}

extension DuckParameters {
  func with<Value>(_ path: WritableKeyPath<DuckParameters, Value>, _ value: Value) -> DuckParameters {
    var changed = self
    changed[keyPath: path] = value
    return changed
  }
}

extension AutomaticActivationParameters {
  func with<Value>(_ path: WritableKeyPath<AutomaticActivationParameters, Value>, _ value: Value)
    -> AutomaticActivationParameters
  {
    var changed = self
    changed[keyPath: path] = value
    return changed
  }
}
