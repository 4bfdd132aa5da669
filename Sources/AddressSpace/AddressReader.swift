import SessionPolicy

/// Reads many values of one state. What all sessions together mean is worked out once, so that reading a thousand
/// sessions does not cost a million steps.
///
/// It holds the state: whoever changes the state meanwhile pays for a copy of it. Control thread only.
public struct AddressReader {
  private var scope: Scope

  public init(_ state: ControlState, environment: some Environment = SilentEnvironment()) {
    scope = Scope(state: state.policy, scenes: state.scenes, index: 0, environment: environment, reader: .only)
    scope.digest = Digest(state.policy)
  }

  /// The open sessions.
  public var sessions: [Session] { scope.state.sessions }

  /// What an endpoint reads now.
  ///
  /// - Parameter index: where the session or route stands that it is read for; 0 where there is one subject only.
  public mutating func value(from source: ValueSource, at index: Int, reader: ReaderID = .only) -> [Argument] {
    scope.index = index
    scope.reader = reader
    return source.read(scope)
  }
}

/// How the value of an endpoint is read: what of an endpoint whoever reads many values has to hold.
public struct ValueSource: Sendable {
  fileprivate let read: @Sendable (Scope) -> [Argument]

  /// `nil` for an endpoint that has no value to read.
  public init?(_ endpoint: Endpoint) {
    guard let read = endpoint.read else { return nil }
    self.read = read
  }
}

extension AddressTable {
  /// What a message with arguments sets: every endpoint that can be set and read, with where its subject stands and
  /// what it reads now. Nothing for an address that does not exist or is an act.
  public static func settings(
    of address: String, in state: ControlState
  ) -> [(endpoint: Endpoint, index: Int, value: [Argument])] {
    let found =
      AddressPattern.isPattern(address)
      ? (try? targets(of: address, in: state.policy, reading: false)) ?? []
      : (try? resolve(address, in: state.policy)).map { [$0] } ?? []
    return found.compactMap { target in
      guard target.endpoint.access == .readWrite, let read = target.endpoint.read else { return nil }
      let scope = Scope(
        state: state.policy, scenes: state.scenes, index: target.index, environment: SilentEnvironment(), reader: .only)
      return (target.endpoint, target.index, read(scope))
    }
  }
}

extension Endpoint {
  /// What a value depends on, and so when it can have changed.
  public enum Dependence: Hashable, Sendable {
    /// Only on its own session or route, which is a value that can be compared.
    case subject
    /// On everything that events change.
    case state
    /// On what is measured: it changes without an event.
    case measurement
    /// The same, and on when this reader last read it.
    case reader
  }

  /// What its value depends on.
  public var dependence: Dependence {
    switch address {
    case "/session/NAME/peak", "/route/NAME/peak": return .reader
    case "/session/NAME/badSamples": return .measurement
    case _ where address.hasPrefix("/eider/"): return .measurement
    default: break
    }
    if kinds.contains(where: { if case .measured = $0 { true } else { false } }) { return .measurement }
    return subject == .session && access == .readWrite ? .subject : .state
  }

  /// Whether a value is what these arguments meant to set. If it is not – it was clamped, a rule has decided otherwise –
  /// whoever has sent them does not know it yet.
  public func isValue(_ value: [Argument], setBy arguments: [Argument]) -> Bool {
    switch kinds.first {
    case .words, .names:
      arguments == [.string("none")] ? value.isEmpty : value == arguments
    default:
      // Further arguments say how it is set, or set something beside it.
      value.count == 1 && arguments.first.map { value[0].means($0) } ?? false
    }
  }
}

extension Argument {
  /// Whether a value as it is read is the same as one that was sent, in whatever type it came.
  fileprivate func means(_ sent: Argument) -> Bool {
    switch self {
    case .bool(let value):
      if case .bool(let other) = sent { return value == other }
      return sent.number.map { ($0 != 0) == value } ?? false
    default:
      guard let number, let other = sent.number else { return self == sent }
      return Float(number) == Float(other)
    }
  }
}
