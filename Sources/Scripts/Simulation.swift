import AddressSpace
import SessionPolicy

/// Runs a script on the policy alone: no JACK, no audio, virtual time.
public struct Simulation {
  /// An expectation that does not hold.
  public struct Failure: Sendable, CustomStringConvertible {
    public let script: String
    public let line: Int
    public let expected: String
    public let got: String

    public var description: String { "\(script):\(line): expected \(expected), got \(got)" }
  }

  /// What came of a script.
  public struct Result: Sendable {
    public var passed = 0
    public var failures: [Failure] = []
    /// Sending lines that were refused though nobody expected it, as `FILE:LINE: …`.
    public var refusals: [String] = []
  }

  private let script: Script
  private var state: ControlState
  private var result = Result()
  /// What was told since the last sending line.
  private var notices: [Message] = []
  private let trace: ((TraceRecord) -> Void)?

  /// Runs a script on a host of its own.
  /// - Parameter trace: is given a record after each event.
  public static func run(_ script: Script, on host: ControlState, trace: ((TraceRecord) -> Void)? = nil) -> Result {
    var simulation = Simulation(script: script, state: host, trace: trace)
    for step in script.steps { simulation.perform(step) }
    return simulation.result
  }

  private init(script: Script, state: ControlState, trace: ((TraceRecord) -> Void)?) {
    self.script = script
    self.state = state
    self.trace = trace
  }

  private mutating func perform(_ step: Script.Step) {
    releaseIdle(until: step.time)
    switch step.action {
    case .send(let sendings):
      send(sendings, at: step.time)
      // A time that is set late may be over already.
      releaseIdle(until: step.time)
    case .read(let address, let expected): read(address, expected, step.line)
    case .notice(let address, let expected):
      let heard = notices.filter { $0.address == address }
      judge(
        heard.contains { Expectation.hold(expected, $0.arguments) }, step.line,
        "notice \(address) \(Expectation.describe(expected))",
        heard.isEmpty ? "none" : heard.map { Expectation.describe($0.arguments) }.joined(separator: "; "))
    case .noNotice(let address):
      let heard = notices.filter { $0.address == address }
      judge(
        heard.isEmpty, step.line, "no notice \(address)",
        heard.map { Expectation.describe($0.arguments) }.joined(separator: "; "))
    }
  }

  private mutating func judge(
    _ holds: Bool, _ line: Int, _ expected: @autoclosure () -> String, _ got: @autoclosure () -> String
  ) {
    if holds {
      result.passed += 1
    } else {
      result.failures.append(Failure(script: script.name, line: line, expected: expected(), got: got()))
    }
  }

  private mutating func send(_ sendings: [Script.Sending], at time: Double) {
    var errors: [TraceRecord.RefusedAddress] = []
    state.beginEvent(at: time)
    for sending in sendings {
      let matches = AddressTable.matchCount(of: sending.message, in: state.policy)
      let replies = AddressTable.apply(sending.message, to: &state)
      let refusals = replies.compactMap { reply in
        if case .refused(let address, let refusal) = reply { (address, refusal) } else { nil }
      }
      errors += refusals.map { TraceRecord.RefusedAddress(address: $0.0, code: $0.1.code.rawValue) }
      if let code = sending.expectedError {
        let holds =
          !refusals.isEmpty && refusals.count >= matches && refusals.allSatisfy { $0.1.code.rawValue == code }
        judge(
          holds, sending.line, "\(sending.text) to be refused with \(code)",
          refusals.isEmpty ? "no error" : refusals.map(\.1.code.rawValue).joined(separator: " "))
      } else {
        for (address, refusal) in refusals {
          result.refusals.append(
            "\(script.name):\(sending.line): refused: \(address) \(refusal.code.rawValue): \(refusal.message)")
        }
      }
    }
    notices = state.endEvent()
    record(time, sendings.map(\.text).joined(separator: "; "), errors, notices)
  }

  private mutating func releaseIdle(until time: Double) {
    while let next = state.policy.nextIdleRelease, next.time <= time {
      // A time that is set late is over when it is set, not before.
      let moment = max(next.time, state.policy.lastEventTime)
      let told = state.releaseIdle(next.session.id, at: moment)
      notices += told
      record(moment, "/session/\(next.session.name)/active false notifyOthers", [], told)
    }
  }

  private func record(_ time: Double, _ event: String, _ errors: [TraceRecord.RefusedAddress], _ notices: [Message]) {
    trace?(TraceRecord(time: time, event: event, errors: errors, notices: notices, state: state.policy))
  }

  private mutating func read(_ address: String, _ expected: [Script.Word], _ line: Int) {
    var copy = state
    let replies = AddressTable.apply(Message(address), to: &copy)
    let isPattern = AddressPattern.isPattern(address)
    for reply in replies {
      let holds: Bool
      let got: String
      switch reply {
      case .value(let message):
        holds = Expectation.hold(expected, message.arguments)
        got = (isPattern ? "\(message.address) " : "") + Expectation.describe(message.arguments)
      case .refused(_, let refusal): (holds, got) = (false, refusal.code.rawValue)
      case .ignoredRemote, .request: (holds, got) = (false, "no value to read")
      }
      guard holds else {
        judge(false, line, "\(address) \(Expectation.describe(expected))", got)
        return
      }
    }
    judge(!replies.isEmpty, line, "\(address) \(Expectation.describe(expected))", "nothing")
  }
}
