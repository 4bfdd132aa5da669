import Foundation
import JACKProbe
import Synchronization

/// The built program `eider` as a child process. It ends with the test at the latest.
final class EiderProcess {
  private let process = Process()
  private let lines = Lines()
  private let errorPipe = Pipe()
  private let outputPipe = Pipe()
  private let presetFile: URL?

  /// What is written on standard output or standard error, line by line, as it comes.
  private final class Lines: Sendable {
    private let state = Mutex<(text: String, hasEnded: Bool)>(("", false))
    var text: String { state.withLock { $0.text } }
    var hasEnded: Bool { state.withLock { $0.hasEnded } }
    func take(_ data: Data) {
      state.withLock { state in
        if data.isEmpty { state.hasEnded = true } else { state.text += String(decoding: data, as: UTF8.self) }
      }
    }
  }
  private let output = Lines()

  /// Starts the program.
  /// - Parameter preset: the text of a preset, which is given as `--preset` in a file of its own.
  init(_ arguments: [String], preset: String? = nil) throws {
    var arguments = arguments
    if let preset {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("eider-\(UUID().uuidString).json5")
      try preset.write(to: file, atomically: true, encoding: .utf8)
      arguments += ["--preset", file.path]
      presetFile = file
    } else {
      presetFile = nil
    }
    process.executableURL = builtProgram("eider")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = outputPipe
    process.standardError = errorPipe
    for (pipe, lines) in [(errorPipe, lines), (outputPipe, output)] {
      pipe.fileHandleForReading.readabilityHandler = { file in
        let data = file.availableData
        if data.isEmpty { file.readabilityHandler = nil }
        lines.take(data)
      }
    }
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    if let presetFile { try? FileManager.default.removeItem(at: presetFile) }
  }

  /// What it has said on standard error so far.
  var complaints: String { lines.text }

  /// What it has said on standard output so far.
  var answers: String { output.text }

  var isRunning: Bool { process.isRunning }

  /// The OSC port of a daemon: waits until it is ready.
  func readyPort() throws -> UInt16 {
    var port: UInt16?
    let isReady = eventually(within: 60) {
      port = complaints.split(separator: "\n").first { $0.hasPrefix("eider: ready: ") }
        .flatMap { $0.split(separator: " ").last }.flatMap { UInt16($0) }
      return port != nil || !isRunning
    }
    guard isReady, let port else { throw ProbeError("the daemon is not ready: \(complaints)") }
    return port
  }

  /// Asks it to end, as a service manager does (SIGTERM).
  func terminate() { kill(process.processIdentifier, SIGTERM) }

  /// Ends it without any warning (SIGKILL).
  func vanish() { kill(process.processIdentifier, SIGKILL) }

  /// Waits for its end and for all that it says.
  /// - Returns: its exit code.
  func exitCode() throws -> Int32 {
    guard eventually(within: 60, { !isRunning && lines.hasEnded && output.hasEnded }) else {
      throw ProbeError("the program does not end: \(complaints)")
    }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
