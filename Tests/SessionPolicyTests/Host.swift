import SessionPolicy
import Testing

/// A host for tests: a speaker, headphones and a line that are absent, a microphone.
struct Host {
  static let (speaker, headphones, line) = (0, 1, 2)
  static let microphone = 0

  private(set) var state = PolicyState(
    outputRoutes: [
      OutputRoute(name: "speaker", kind: .speaker),
      OutputRoute(name: "headphones", kind: .headphones, isAvailable: false),
      OutputRoute(name: "line", kind: .line, isAvailable: false),
    ],
    inputRoutes: [InputRoute(name: "mic")])
  /// What listeners were told of the last event.
  private(set) var notices: [Notice] = []
  private(set) var time = 0.0

  subscript(name: String) -> Session {
    guard let session = state.session(named: name) else { fatalError("there is no session \(name)") }
    return session
  }

  /// Opens a session.
  mutating func open(
    _ name: String, _ category: SessionPolicy.Category, _ options: SessionOptions = [], mode: Mode = .default,
    controls: Bool = false, activation: Activation = .manual
  ) {
    expectSuccess {
      try $0.apply(.open(name: name, category: category))
      let id = $0.sessionID(named: name)!
      try $0.apply(.setOptions(id, options))
      try $0.apply(.setMode(id, mode))
      try $0.apply(.set(id, .controls(controls)))
      try $0.apply(.set(id, .activation(activation)))
    }
  }

  /// Does something to a session, which must not be refused, as an event of its own.
  mutating func tell(_ name: String, _ event: (SessionID) -> Event) {
    let id = self[name].id
    expectSuccess { try $0.apply(event(id)) }
  }

  /// Does something to the host, which must not be refused, as an event of its own.
  mutating func happen(_ events: Event...) {
    expectSuccess { state in for event in events { try state.apply(event) } }
  }

  /// Does something to a session and returns the code of the refusal, if there is one.
  mutating func code(_ name: String, _ event: (SessionID) -> Event) -> Refusal.Code? {
    let id = self[name].id
    var code: Refusal.Code?
    time += 1
    state.beginEvent(at: time)
    do throws(Refusal) { try state.apply(event(id)) } catch { code = error.code }
    notices = state.endEvent()
    return code
  }

  /// Several things as one event.
  mutating func bundle(_ parts: (inout PolicyState) throws -> Void) { expectSuccess(parts) }

  private mutating func expectSuccess(_ parts: (inout PolicyState) throws -> Void) {
    time += 1
    state.beginEvent(at: time)
    #expect(throws: Never.self) { try parts(&state) }
    notices = state.endEvent()
  }
}

extension Host {
  mutating func play(_ name: String) { tell(name) { .play($0) } }
  mutating func pause(_ name: String) { tell(name) { .pause($0) } }
  mutating func activate(_ name: String) { tell(name) { .activate($0) } }
  mutating func deactivate(_ name: String, notifyOthers: Bool = false) {
    tell(name) { .deactivate($0, notifyOthers: notifyOthers) }
  }
  mutating func connect(_ name: String, _ value: Bool = true) { tell(name) { .setConnected($0, value) } }
  mutating func signal(_ name: String, _ value: Bool = true) { tell(name) { .setSignal($0, value) } }
}
