import AddressSpace
import SessionPolicy

/// Runs a script on the policy alone: no JACK, no audio, virtual time.
public struct Simulation {
  private var state: ControlState
  private var judge: ScriptJudge
  private let trace: ((TraceRecord) -> Void)?

  /// Runs a script on a host of its own.
  /// - Parameter trace: is given a record after each event.
  /// - Returns: what came of its expectations.
  public static func run(
    _ script: Script, on host: ControlState, trace: ((TraceRecord) -> Void)? = nil
  ) -> ScriptJudge {
    var simulation = Simulation(script: script, state: host, trace: trace)
    for step in script.steps { simulation.perform(step) }
    return simulation.judge
  }

  private init(script: Script, state: ControlState, trace: ((TraceRecord) -> Void)?) {
    judge = ScriptJudge(script)
    self.state = state
    self.trace = trace
  }

  private mutating func perform(_ step: Script.Step) {
    performOwnEvents(until: step.time)
    switch step.action {
    case .send(let sendings):
      send(sendings, at: step.time)
      // A time that is set late may be over already.
      performOwnEvents(until: step.time)
    case .read(let address, let expected):
      var copy = state
      copy.moveGlides(to: step.time)
      judge.read(address, expected, step.line, replies: AddressTable.apply(Message(address), to: &copy))
    case .notice(let address, let expected): judge.notice(address, expected, step.line)
    case .noNotice(let address): judge.noNotice(address, step.line)
    }
  }

  private mutating func send(_ sendings: [Script.Sending], at time: Double) {
    var errors: [TraceRecord.RefusedAddress] = []
    state.beginEvent(at: time)
    for sending in sendings {
      let matches = AddressTable.matchCount(of: sending.message, in: state.policy)
      let replies = AddressTable.apply(sending.message, to: &state)
      judge.send(sending, replies: replies, matches: matches)
      errors += replies.compactMap { TraceRecord.RefusedAddress($0) }
    }
    let notices = state.endEvent()
    judge.notices = notices
    record(time, sendings.map(\.text).joined(separator: "; "), errors, notices)
  }

  /// Idle sessions are released, and scenes arrive.
  private mutating func performOwnEvents(until time: Double) {
    while let event = state.performOwnEvent(until: time) {
      judge.notices += event.notices
      let errors = event.replies.compactMap { TraceRecord.RefusedAddress($0.reply) }
      record(event.time, event.messages.map(\.description).joined(separator: "; "), errors, event.notices)
    }
  }

  private func record(_ time: Double, _ event: String, _ errors: [TraceRecord.RefusedAddress], _ notices: [Message]) {
    trace?(TraceRecord(time: time, event: event, errors: errors, notices: notices, state: state.policy))
  }
}

extension TraceRecord.RefusedAddress {
  /// `nil` for a message that was not refused.
  fileprivate init?(_ reply: Reply) {
    guard case .refused(let address, let refusal) = reply else { return nil }
    self.init(address: address, code: refusal.code.rawValue)
  }
}
