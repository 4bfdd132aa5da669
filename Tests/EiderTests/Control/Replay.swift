import AddressSpace
import Foundation
import JACKProbe
import OSCTransport
import Scripts

/// Replays a script against a running daemon, as fast as it answers: what is sent goes out over UDP, what is expected
/// is compared with what comes back, notices are those that a subscriber gets.
struct Replay {
  private let script: Script
  private var remote: Remote
  private let listener: Remote
  /// What was told since the last sending line.
  private var notices: [Message] = []
  private let port: UInt16
  /// How many errors were answered to the host that sends now, and its number: one gets at most 20 a second.
  private var errors = 0
  private var host: UInt8 = 1
  private(set) var passed = 0
  private(set) var failures: [String] = []

  /// The host of a script without preset.
  static let preset = """
    {
      eider: 1,
      routes: [
        { name: "speaker", kind: "speaker", ports: [], available: "manual" },
        { name: "headphones", kind: "headphones", ports: [], available: "manual" },
        { name: "bluetooth", kind: "bluetooth", ports: [], available: "manual" },
        { name: "line", kind: "line", ports: [], available: "manual" },
      ],
      inputs: [{ name: "mic", ports: [], available: "manual" }],
      start: { set: { "/route/line/available": false } },
    }
    """

  private static let noticeAddresses = [
    "/session/*/interruption", "/session/*/paused", "/session/*/remote", "/session/opened", "/session/closed",
    "/host/route", "/scene/recalled",
  ]

  /// Runs a script on a daemon of its own.
  static func run(_ script: Script, port: UInt16) throws -> Replay {
    var replay = try Replay(script: script, port: port, listener: try Remote(port: port))
    for pattern in noticeAddresses { try replay.listener.send(Message("/subscribe", .string(pattern), 20)) }
    _ = try replay.listener.exchange([])
    for step in script.steps { try replay.perform(step) }
    return replay
  }

  private init(script: Script, port: UInt16, listener: Remote) throws {
    self.script = script
    self.port = port
    self.listener = listener
    remote = try Remote(port: port)
  }

  private mutating func perform(_ step: Script.Step) throws {
    switch step.action {
    case .send(let sendings): try send(sendings)
    case .read(let address, let expected): try read(address, expected, step.line)
    case .notice(let address, let expected):
      let told = notices
      judge(
        told.contains { $0.address == address && Expectation.hold(expected, $0.arguments) }, step.line,
        "expected notice \(address) \(expected.map(\.text)), got \(told)")
    case .noNotice(let address):
      let told = notices
      judge(!told.contains { $0.address == address }, step.line, "expected no notice \(address), got \(told)")
    }
  }

  private mutating func judge(_ holds: Bool, _ line: Int, _ complaint: @autoclosure () -> String) {
    if holds { passed += 1 } else { failures.append("\(script.name):\(line): \(complaint())") }
  }

  private mutating func send(_ sendings: [Script.Sending]) throws {
    try changeHost()
    let messages = sendings.map { OSCPacket.message($0.message) }
    let answers = try remote.exchange(messages.count == 1 ? messages : [.bundle(.immediate, messages)])
    errors += answers.count { $0.address == "/error" }
    // Whatever was told of it has been sent before this is answered.
    notices = try listener.exchange([.message(Message("/renew"))]).filter(Self.isNotice)
    for sending in sendings {
      guard let code = sending.expectedError else { continue }
      // Of a pattern every match is refused under its own address.
      let codes = answers.compactMap { answer -> String? in
        guard answer.address == "/error", answer.arguments.count == 3, case .string(let address) = answer.arguments[0],
          case .string(let code) = answer.arguments[1], Self.matches(sending.message.address, address)
        else { return nil }
        return code
      }
      judge(
        !codes.isEmpty && codes.allSatisfy { $0 == code }, sending.line,
        "expected \(sending.text) to be refused with \(code), got \(answers)")
    }
  }

  /// Goes on from another address of this machine before errors are withheld from the one that has got many.
  private mutating func changeHost() throws {
    guard errors > 10 else { return }
    errors = 0
    host += 1
    remote = try Remote(port: port, from: host)
  }

  private static func matches(_ pattern: String, _ address: String) -> Bool {
    pattern == address || AddressPattern(pattern).matches(address)
  }

  /// A changed value comes under the same address as some notices; it has other arguments.
  private static func isNotice(_ message: Message) -> Bool {
    if message.address == "/host/route" { return message.arguments.count == 2 }
    if message.address.hasSuffix("/remote") { return message.arguments.count == 1 && message.arguments != ["none"] }
    return !["/subscribed", "/eider/alive"].contains(message.address)
  }

  private mutating func read(_ address: String, _ expected: [Script.Word], _ line: Int) throws {
    let answers = try remote.exchange([.message(Message(address))])
    judge(
      !answers.isEmpty
        && answers.allSatisfy { $0.address != "/error" && Expectation.hold(expected, $0.arguments) }, line,
      "expected \(address) \(expected.map(\.text)), got \(answers)")
  }
}
