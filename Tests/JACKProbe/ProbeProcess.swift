import Foundation

/// A JACK client in a process of its own (the tool `jackprobe`), which can vanish from one moment to the next. It plays a
/// constant on all outputs.
public final class ProbeProcess {
  private let process: Process
  private let input: Pipe

  /// Starts one and waits until its ports are there.
  public init(
    _ name: String, server: String, outputs: [String] = [], inputs: [String] = [], level: Float = 0
  ) throws {
    process = Process()
    process.executableURL = builtProgram("jackprobe")
    process.arguments = [server, name, outputs.joined(separator: ","), inputs.joined(separator: ","), "\(level)"]
    input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard line.hasPrefix("ready") else { throw ProbeError("jackprobe is not ready: “\(line)”") }
  }

  deinit { quit() }

  /// Ends it without any warning to anybody (SIGKILL).
  public func vanish() {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Ends it in good order.
  public func quit() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

/// A program that the package builds, beside the one that runs the tests.
public func builtProgram(_ name: String) -> URL {
  URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appendingPathComponent(name)
}
