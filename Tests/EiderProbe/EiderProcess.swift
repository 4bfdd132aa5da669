import Foundation
import JACKProbe

/// The built program `eider` as a child process. It ends with the test at the latest, and with the test's process however
/// that ends.
public final class EiderProcess {
  private let process = Process()
  private let directory: URL
  /// The file of the preset that it was given.
  public let presetFile: URL

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - preset: the text of a preset, which is given as `--preset` in a file of its own.
  ///   - program: where the program is, if not beside the one that runs.
  ///   - environment: what it finds in its environment besides what the test has there.
  ///   - wrapper: a command that runs the program, such as `ip netns exec NAME`.
  ///   - terminal: what it reads from and writes to instead of files.
  public init(
    _ arguments: [String], preset: String? = nil, environment: [String: String] = [:],
    program: URL = builtProgram("eider"), under wrapper: [String] = [], in terminal: FileHandle? = nil
  ) throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("eider-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    var arguments = arguments
    if let preset {
      presetFile = directory.appendingPathComponent("preset.json5")
      try preset.write(to: presetFile, atomically: false, encoding: .utf8)
      arguments += ["--preset", presetFile.path]
    } else {
      presetFile = directory
    }
    // What it remembers is its own, not that of whoever runs the tests.
    process.environment = ProcessInfo.processInfo.environment.merging(["XDG_STATE_HOME": directory.path]) { $1 }
      .merging(environment) { $1 }
    let command = wrapper + [program.path] + arguments
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardInput = terminal ?? FileHandle.nullDevice
    // Files, for a pipe would have to be emptied.
    process.standardOutput = try terminal ?? Self.make(directory.appendingPathComponent("output"))
    process.standardError = try Self.make(directory.appendingPathComponent("error"))
    try process.run()
    Guardian.shared?.watch(process.processIdentifier, directory)
  }

  private static func make(_ file: URL) throws -> FileHandle {
    try Data().write(to: file)
    return try FileHandle(forWritingTo: file)
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    Guardian.shared?.forget(process.processIdentifier)
    try? FileManager.default.removeItem(at: directory)
  }

  /// What it has said on standard error so far.
  public var complaints: String { text("error") }

  /// What it has said on standard output so far.
  public var answers: String { text("output") }

  private func text(_ file: String) -> String {
    (try? String(contentsOf: directory.appendingPathComponent(file), encoding: .utf8)) ?? ""
  }

  /// Whether it has not ended yet.
  public var isRunning: Bool { process.isRunning }

  /// The OSC port of a daemon: waits until it is ready.
  public func readyPort() throws -> UInt16 {
    var port: UInt16?
    let isReady = eventually(within: 60) {
      port = complaints.split(separator: "\n").first { $0.hasPrefix("eider: ready: ") }
        .flatMap { $0.split(separator: " ").last }.flatMap { UInt16($0) }
      return port != nil || !isRunning
    }
    guard isReady, let port else { throw ProbeError("the daemon is not ready: \(complaints)") }
    return port
  }

  /// The number of the process.
  public var id: Int32 { process.processIdentifier }

  /// The processes that it has started and that have not ended.
  public var children: [Int32] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
    return tasks.flatMap { task in
      (try? String(contentsOfFile: "/proc/\(id)/task/\(task)/children", encoding: .utf8))?
        .split(separator: " ").compactMap { Int32($0) } ?? []
    }
  }

  /// Asks it to end, as a service manager does (SIGTERM).
  public func terminate() { kill(process.processIdentifier, SIGTERM) }

  /// Asks it to read its preset again (SIGHUP).
  public func hangUp() { kill(process.processIdentifier, SIGHUP) }

  /// Ends it without any warning (SIGKILL).
  public func vanish() { kill(process.processIdentifier, SIGKILL) }

  /// Waits for its end; all that it says has been said then.
  /// - Returns: its exit code.
  public func exitCode() throws -> Int32 {
    guard eventually(within: 60, { !isRunning }) else {
      throw ProbeError("the program does not end: \(complaints)")
    }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
