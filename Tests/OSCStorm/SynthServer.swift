import AddressSpace
import Foundation
import JACKProbe
import OSCTransport

/// `scsynth` of SuperCollider, which Eider is compared with: nodes that each sound at a level that OSC sets.
public final class SynthServer {
  private let process = Process()
  private let log: URL
  public let port: UInt16
  let client: OSCClient
  /// How many nodes there are, from `firstNode` on; the first is the one that is listened to.
  let nodeCount: Int
  static let firstNode = 1000
  /// The JACK port that the first node is heard on.
  static let output = "SuperCollider:out_1"

  /// Starts it on a JACK server, with so many nodes.
  public init(on server: ProbeServer, nodes: Int) throws {
    nodeCount = nodes
    port = UInt16.random(in: 20000..<30000)
    log = FileManager.default.temporaryDirectory.appendingPathComponent("scsynth-\(UUID().uuidString)")
    try Data().write(to: log)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["scsynth", "-u", "\(port)", "-i", "0", "-o", "2", "-D", "0", "-R", "0"]
    var environment = ProcessInfo.processInfo.environment
    environment["JACK_DEFAULT_SERVER"] = server.name
    environment["JACK_NO_START_SERVER"] = "1"
    environment["SC_JACK_DEFAULT_OUTPUTS"] = ""
    process.environment = environment
    let output = try FileHandle(forWritingTo: log)
    process.standardOutput = output
    process.standardError = output
    try process.run()
    client = try OSCClient(host: "127.0.0.1", port: port)
    guard eventually(within: 30, { Self.text(log).contains("ready") }) else {
      throw ProbeError("scsynth is not ready: \(Self.text(log))")
    }
    let socket = try StormSocket(to: port)
    socket.send(Self.definition)
    try ask(Message("/sync", 1))
    for number in 0..<nodes {
      // Only the first is heard on the first output.
      try client.send(
        Message(
          "/s_new", "level", .int(Int32(Self.firstNode + number)), 0, 0, "out", .int(number == 0 ? 0 : 1), "amp",
          .float(number == 0 ? 1 : 0.001)), timeout: .seconds(5))
    }
    try ask(Message("/sync", 2))
  }

  deinit { quit() }

  private static func text(_ file: URL) -> String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

  /// Ends it.
  public func quit() {
    guard process.isRunning else { return }
    try? client.send(Message("/quit"), timeout: .seconds(1))
    if !eventually(within: 5, { !process.isRunning }) { process.terminate() }
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: log)
  }

  /// The number of its process.
  var id: Int32 { process.processIdentifier }

  private func ask(_ message: Message) throws {
    try client.send(message, timeout: .seconds(5))
    while let packet = try client.receive(timeout: .seconds(10)) {
      if case .message(let answer) = packet, answer.address == "/synced" { return }
    }
    throw ProbeError("scsynth does not answer: \(Self.text(log))")
  }

  /// What sets the level of a node.
  static func setting(node: Int, to level: Float) -> Message {
    Message("/n_set", .int(Int32(firstNode + node)), "amp", .float(level))
  }

  /// `/d_recv` with the definition of a node: a constant times `amp` on the bus `out` (SuperCollider's "Synth Definition
  /// File Format", version 1).
  private static var definition: [UInt8] {
    var blob: [UInt8] = Array("SCgf".utf8)
    func number(_ value: Int, _ bytes: Int) {
      for shift in (0..<bytes).reversed() { blob.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
    }
    func float(_ value: Float) { number(Int(value.bitPattern), 4) }
    func name(_ text: String) {
      number(text.utf8.count, 1)
      blob += text.utf8
    }
    // Rates: 1 control, 2 audio.
    func unit(_ kind: String, rate: Int, special: Int = 0, inputs: [(Int, Int)], outputs: [Int]) {
      name(kind)
      number(rate, 1)
      number(inputs.count, 2)
      number(outputs.count, 2)
      number(special, 2)
      for (unit, output) in inputs {
        number(unit, 2)
        number(output, 2)
      }
      for rate in outputs { number(rate, 1) }
    }
    number(1, 4)
    number(1, 2)
    name("level")
    number(1, 2)
    float(1)
    number(2, 2)
    float(0)
    float(1)
    number(2, 2)
    name("out")
    number(0, 2)
    name("amp")
    number(1, 2)
    number(4, 2)
    unit("Control", rate: 1, inputs: [], outputs: [1, 1])
    unit("DC", rate: 2, inputs: [(-1, 0)], outputs: [2])
    unit("BinaryOpUGen", rate: 2, special: 2, inputs: [(1, 0), (0, 1)], outputs: [2])
    unit("Out", rate: 2, inputs: [(0, 0), (2, 0)], outputs: [])
    number(0, 2)
    var packet: [UInt8] = Array("/d_recv\0,b\0\0".utf8)
    for shift in [24, 16, 8, 0] { packet.append(UInt8(truncatingIfNeeded: blob.count >> shift)) }
    packet += blob
    while packet.count % 4 != 0 { packet.append(0) }
    return packet
  }
}
