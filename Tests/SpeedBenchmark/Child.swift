import Foundation
import JACKProbe

/// A program as a child process, which is ended by its number.
final class Child {
  private let process = Process()
  private let input = Pipe()
  private let log: URL

  /// Starts a program.
  ///
  /// - Parameter directory: Where it may leave what it says.
  init(_ program: String, _ arguments: [String], environment: [String: String] = [:], in directory: URL) throws {
    log = directory.appendingPathComponent("\(UUID().uuidString).log")
    try Data().write(to: log)
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    let output = try FileHandle(forWritingTo: log)
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  deinit { end() }

  var id: Int32 { process.processIdentifier }
  var isRunning: Bool { process.isRunning }
  var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

  /// Waits until it has said something.
  func waitFor(_ text: String) throws {
    guard eventually(within: 60, { output.contains(text) || !isRunning }), output.contains(text) else {
      throw ProbeError("no “\(text)” from \(process.executableURL?.lastPathComponent ?? "a program"): \(output)")
    }
  }

  /// Ends it: kindly, and after a while by force.
  func end() {
    guard process.isRunning else { return }
    try? input.fileHandleForWriting.close()
    process.terminate()
    if !eventually(within: 5, { !isRunning }) { kill(id, SIGKILL) }
    process.waitUntilExit()
  }
}

/// Runs a program to its end.
func run(_ program: String, _ arguments: [String]) throws {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  process.standardOutput = FileHandle.nullDevice
  try process.run()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw ProbeError("\(program) \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
  }
}
