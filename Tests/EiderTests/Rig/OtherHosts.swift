import EiderProbe
import Foundation
import JACKProbe

/// Two hosts, each on a wire of its own to a third one, where the daemon is. All are network namespaces that end with the
/// test; they share nothing but the files of this machine.
final class OtherHosts {
  /// A host, by what it is to the daemon.
  enum Host: String, CaseIterable {
    /// Where the daemon is.
    case home
    case friend, stranger
  }

  /// The daemon's addresses on both wires.
  static let homeAddresses = [Host.friend: "10.203.1.1", .stranger: "10.203.2.1"]
  /// The addresses of the others.
  static let addresses = [Host.friend: "10.203.1.2", .stranger: "10.203.2.2"]
  /// The daemon's IPv6 address on the friend's wire.
  static let homeIPv6 = "fd00:e1de::1"

  /// Why there can be no other hosts here; nil if there can.
  static let impossibility: String? = {
    guard geteuid() == 0 else { return "only root can make network namespaces" }
    do {
      let name = "eider-trial-\(getpid())"
      try ip("netns", "add", name)
      try ip("netns", "del", name)
      return nil
    } catch {
      return "\(error)"
    }
  }()

  private let mark = "eider-\(getpid())-\(UInt16.random(in: 0 ... .max))"

  init() throws {
    for host in Host.allCases {
      try Self.ip("netns", "add", name(of: host))
      try Self.ip("-n", name(of: host), "link", "set", "lo", "up")
    }
    for (host, number) in [(Host.friend, 1), (.stranger, 2)] {
      let (here, there) = ("wire\(number)", "wire0")
      try Self.ip(
        "-n", name(of: .home), "link", "add", here, "type", "veth", "peer", "name", there, "netns", name(of: host))
      try Self.ip("-n", name(of: .home), "address", "add", "10.203.\(number).1/24", "dev", here)
      try Self.ip("-n", name(of: host), "address", "add", "10.203.\(number).2/24", "dev", there)
      if host == .friend {
        try Self.ip("-n", name(of: .home), "address", "add", "\(Self.homeIPv6)/64", "dev", here, "nodad")
        try Self.ip("-n", name(of: host), "address", "add", "fd00:e1de::2/64", "dev", there, "nodad")
      }
      try Self.ip("-n", name(of: .home), "link", "set", here, "up")
      try Self.ip("-n", name(of: host), "link", "set", there, "up")
    }
  }

  deinit { for host in Host.allCases { try? Self.ip("netns", "del", name(of: host)) } }

  private func name(of host: Host) -> String { "\(mark)-\(host.rawValue)" }

  /// What a command has to be begun with to run on a host.
  func wrapper(for host: Host) -> [String] { ["/usr/bin/env", "ip", "netns", "exec", name(of: host)] }

  /// Runs the program `eider` on a host until it ends.
  func eider(on host: Host, _ arguments: String...) throws -> Outcome {
    try Outcome(EiderProcess(arguments, under: wrapper(for: host)))
  }

  /// Connects by TCP from a host, sends a few bytes and reads until the other side hangs up.
  ///
  /// - Returns: what came; nil if there was no connection.
  func connect(from host: Host, to address: String, port: UInt16, sending bytes: String) throws -> Data? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let script = "exec 3<>/dev/tcp/\(address)/\(port) || exit 9; printf '\(bytes)' >&3; timeout 20 cat <&3"
    process.arguments = Array(wrapper(for: host).dropFirst()) + ["bash", "-c", script]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 9 ? nil : data
  }

  private static func ip(_ arguments: String...) throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["ip"] + arguments
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ProbeError("ip \(arguments.joined(separator: " ")): \(text.trimmingCharacters(in: .newlines))")
    }
  }
}
