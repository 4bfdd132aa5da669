import AddressSpace

/// Judges what a script expects, wherever the script is run.
public struct ScriptJudge: Sendable {
  /// An expectation that does not hold.
  public struct Failure: Sendable, CustomStringConvertible {
    public let script: String
    public let line: Int
    public let expected: String
    public let got: String

    public var description: String { "\(script):\(line): expected \(expected), got \(got)" }
  }

  private let script: String
  /// How many expectations held.
  public private(set) var passed = 0
  public private(set) var failures: [Failure] = []
  /// Sending lines that were refused though nobody expected it, as `FILE:LINE: …`.
  public private(set) var refusals: [String] = []
  /// What was told since the last sending line. Who runs the script keeps it.
  public var notices: [Message] = []

  public init(_ script: Script) { self.script = script.name }

  /// A line was sent, and this is what it was answered.
  /// - Parameter matches: how many addresses it meant when it was sent; every one is expected to be refused.
  public mutating func send(_ sending: Script.Sending, replies: [Reply], matches: Int) {
    let refusals = replies.compactMap { reply in
      if case .refused(let address, let refusal) = reply { (address, refusal) } else { nil }
    }
    if let code = sending.expectedError {
      let holds =
        !refusals.isEmpty && refusals.count >= matches && refusals.allSatisfy { $0.1.code.rawValue == code }
      judge(
        holds, sending.line, "\(sending.text) to be refused with \(code)",
        refusals.isEmpty ? "no error" : refusals.map(\.1.code.rawValue).joined(separator: " "))
    } else {
      self.refusals += refusals.map { address, refusal in
        "\(script):\(sending.line): refused: \(address) \(refusal.code.rawValue): \(refusal.message)"
      }
    }
  }

  /// `?`: this is what the address reads.
  public mutating func read(_ address: String, _ expected: [Script.Word], _ line: Int, replies: [Reply]) {
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

  /// `<`: a notice with exactly these arguments.
  public mutating func notice(_ address: String, _ expected: [Script.Word], _ line: Int) {
    let heard = notices.filter { $0.address == address }
    judge(
      heard.contains { Expectation.hold(expected, $0.arguments) }, line,
      "notice \(address) \(Expectation.describe(expected))",
      heard.isEmpty ? "none" : heard.map { Expectation.describe($0.arguments) }.joined(separator: "; "))
  }

  /// `<!`: no notice with this address.
  public mutating func noNotice(_ address: String, _ line: Int) {
    let heard = notices.filter { $0.address == address }
    judge(
      heard.isEmpty, line, "no notice \(address)",
      heard.map { Expectation.describe($0.arguments) }.joined(separator: "; "))
  }

  private mutating func judge(
    _ holds: Bool, _ line: Int, _ expected: @autoclosure () -> String, _ got: @autoclosure () -> String
  ) {
    if holds {
      passed += 1
    } else {
      failures.append(Failure(script: script, line: line, expected: expected(), got: got()))
    }
  }
}
