import Foundation
import JACKProbe

/// Two machines with a cable between them: two network namespaces, each with a JACK server. That of the hall gets its cycles
/// from that of the desk, by NetJack2. Needs root.
///
/// A process speaks to one server at a time, so clients in the test's own process belong to the hall; those of the desk are
/// processes of their own.
final class TwoMachines {
  let desk: ProbeServer
  let hall: ProbeServer
  private let deskSpace: String
  private let hallSpace: String

  /// Whether this process may make network namespaces.
  static let isPossible = geteuid() == 0 && (try? run("ip", "netns", "list")) != nil

  init() throws {
    deskSpace = "\(ProbeName.own)-desk"
    hallSpace = "\(ProbeName.own)-hall"
    // What a test that was killed has left.
    for space in [deskSpace, hallSpace] { try? Self.run("ip", "netns", "delete", space) }
    do {
      for space in [deskSpace, hallSpace] {
        try Self.run("ip", "netns", "add", space)
        try Self.run("ip", "-n", space, "link", "set", "lo", "up")
      }
      try Self.run(
        "ip", "link", "add", "cable", "netns", deskSpace, "type", "veth", "peer", "cable", "netns", hallSpace)
      try Self.run("ip", "-n", deskSpace, "address", "add", "10.77.0.1/24", "dev", "cable")
      try Self.run("ip", "-n", hallSpace, "address", "add", "10.77.0.2/24", "dev", "cable")
      try Self.connect(deskSpace)
      try Self.connect(hallSpace)
      var options = ProbeServer.Options(isSynchronous: false)
      options.namespace = deskSpace
      options.arguments = ["-I", "netmanager"]
      desk = try ProbeServer.start(options)
      options = ProbeServer.Options(isSynchronous: false, name: "\(ProbeName.own)-hall")
      options.namespace = hallSpace
      options.driver = ["net", "-n", "hall"]
      do {
        hall = try ProbeServer.start(options)
      } catch {
        desk.stop()
        throw error
      }
    } catch {
      Self.remove(deskSpace, hallSpace)
      throw error
    }
  }

  /// Ends both servers and takes the machines away. Clients should be closed before.
  func close() {
    hall.stop()
    desk.stop()
    Self.remove(deskSpace, hallSpace)
  }

  /// Whether the desk's server has the ports of the hall, as another program sees it. Takes a moment.
  var deskSeesHall: Bool {
    Thread.sleep(forTimeInterval: 0.2)
    // A server that does not answer keeps what it has.
    let script = "list=$(timeout 5 jack_lsp -s \(desk.name)) || exit 0; echo \"$list\" | grep -q '^hall:'"
    return (try? Self.run("sh", "-c", script)) != nil
  }

  /// Pulls the cable out of the hall's machine.
  func cut() throws { try Self.run("ip", "-n", hallSpace, "link", "set", "cable", "down") }

  /// Plugs the cable in again.
  func mend() throws { try Self.connect(hallSpace) }

  /// The machines find each other by multicast, which needs a route.
  private static func connect(_ space: String) throws {
    try run("ip", "-n", space, "link", "set", "cable", "up")
    try run("ip", "-n", space, "route", "replace", "224.0.0.0/4", "dev", "cable")
  }

  private static func remove(_ spaces: String...) {
    for space in spaces { try? run("ip", "netns", "delete", space) }
  }

  private static func run(_ command: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = FileHandle.nullDevice
    let complaints = Pipe()
    process.standardError = complaints
    try process.run()
    let said = complaints.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ProbeError("\(command.joined(separator: " ")): \(String(decoding: said, as: UTF8.self))")
    }
  }
}
