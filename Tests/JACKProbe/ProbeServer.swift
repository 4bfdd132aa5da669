import CJack
import Foundation

/// A private JACK server for tests (`ServerKind.current`), under a name that no other process has. It ends with the test
/// process, however that ends: a shell between them waits for the end of its input.
///
/// libjack can speak to one server at a time in a process, so tests get theirs by `withProbeServer`, one after the other.
public final class ProbeServer {
  /// The name for `jack_client_open`, `JACK_DEFAULT_SERVER` and `--jack-server`.
  public let name: String
  /// The process of the server.
  public let id: Int32
  /// Frames per second.
  public let rate: Int
  private let shell: Process
  private let input: Pipe
  private let folder: URL

  /// How a server is started.
  public struct Options: Sendable {
    /// Frames per second.
    public var rate = 48000
    /// Frames per cycle.
    public var period = 256
    /// Most ports that there can be; nil as the server has it. PipeWire knows no limit.
    public var portMax: Int?
    /// How many ports the hardware has to play on.
    public var playbackPorts = 2
    /// Whether each cycle waits for all clients: nothing is lost on a busy machine, time only gets longer. Such a
    /// server takes many seconds to notice that a client has vanished. PipeWire never waits.
    public var isSynchronous = true
    /// The server's name: one of this process's own.
    public var name: String
    /// What else the command has, before the driver: `jackd` only.
    public var arguments: [String] = []
    /// What the server gets its cycles from, with its options, instead of a clock of its own: `jackd` only.
    public var driver: [String]?
    /// The network namespace that it runs in; nil for that of the test.
    public var namespace: String?

    public init(
      rate: Int = 48000, period: Int = 256, portMax: Int? = nil, playbackPorts: Int = 2, isSynchronous: Bool = true,
      name: String = ProbeName.own
    ) {
      self.rate = rate
      self.period = period
      self.portMax = portMax
      self.playbackPorts = playbackPorts
      self.isSynchronous = isSynchronous
      self.name = name
    }
  }

  /// Starts a server and waits until clients can be opened; tries several times, for a busy machine.
  public static func start(_ options: Options = Options()) throws -> ProbeServer {
    silenceLibjack()
    var last: any Error = ProbeError("no server was tried")
    for attempt in 0..<5 {
      if attempt > 0 { Thread.sleep(forTimeInterval: Double(attempt)) }
      removeMetadataOfTheDead()
      do {
        let server = try ProbeServer(options)
        do {
          try server.waitUntilReady()
          return server
        } catch {
          server.stop()
          throw error
        }
      } catch {
        last = error
      }
    }
    throw last
  }

  /// A program that was killed while it changed metadata has left its locks behind, and the next server would wait for
  /// them for ever.
  private static func removeMetadataOfTheDead() {
    let files = FileManager.default
    let programs = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap {
      try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)
    }
    guard !programs.contains("jackd\n") else { return }
    try? files.removeItem(atPath: "/dev/shm/jack_db-\(getuid())")
  }

  private init(_ options: Options) throws {
    name = options.name
    rate = options.rate
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let program = try ServerKind.current.program(options, folder: folder)
    // The companion belongs to the server and ends with it.
    let script = """
      log=$1; companion=$2; shift 2
      "$@" >"$log" 2>&1 </dev/null &
      child=$!
      echo $child
      helper=
      if [ -n "$companion" ]; then
        sh -c "$companion" >"$log.companion" 2>&1 </dev/null &
        helper=$!
      fi
      read -r nothing
      kill -TERM $child $helper 2>/dev/null
      step=0
      while kill -0 $child 2>/dev/null && [ $step -lt 500 ]; do
        sleep 0.02
        step=$((step + 1))
      done
      kill -KILL $child $helper 2>/dev/null
      wait $child $helper
      """
    shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments =
      ["-c", script, "sh", folder.appendingPathComponent("log").path, program.companion] + program.command
    shell.environment = ProcessInfo.processInfo.environment.merging(program.environment) { $1 }
    input = Pipe()
    let output = Pipe()
    shell.standardInput = input
    shell.standardOutput = output
    try shell.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let child = Int32(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw ProbeError("no process number of the server, but “\(line)”")
    }
    id = child
  }

  deinit { stop() }

  /// The file of what the server prints.
  public var log: URL { folder.appendingPathComponent("log") }

  /// What the server has printed.
  public var output: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

  /// Whether the process lives.
  public var isRunning: Bool {
    // “123 (jackd) S …”; Z is one that has ended and is only not collected yet.
    guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return false }
    return !text.contains(") Z ")
  }

  /// Ends the server, kindly at first. Clients should be closed before.
  public func stop() {
    try? input.fileHandleForWriting.close()
    shell.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Ends the server without any warning to anybody (SIGKILL).
  public func kill() {
    if isRunning { _ = Glibc.kill(id, SIGKILL) }
    stop()
  }

  private func waitUntilReady() throws {
    let deadline = Date(timeIntervalSinceNow: 20)
    while Date() < deadline && isRunning {
      var status = JackStatus(rawValue: 0)
      let options = JackOptions(rawValue: JackNoStartServer.rawValue | JackServerName.rawValue)
      if let client = eider_jack_client_open("probe-start", options, &status, name) {
        let hardware = jack_port_by_name(client, "system:playback_1")
        jack_client_close(client)
        if hardware != nil { return }
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
    throw ProbeError("the server is not ready: \(output)")
  }
}

/// Starts a server, does something with it and ends it, when no other test of this process has one.
public func withProbeServer<Result>(
  _ options: ProbeServer.Options = ProbeServer.Options(), isolation: isolated (any Actor)? = #isolation,
  _ body: (ProbeServer) async throws -> Result
) async throws -> Result {
  try await withoutOtherServers {
    let server = try ProbeServer.start(options)
    defer { server.stop() }
    return try await body(server)
  }
}

/// Does something with libjack when no other test of this process does.
public func withoutOtherServers<Result>(
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async throws -> Result {
  await ProbeGate.shared.enter()
  defer { ProbeGate.shared.leave() }
  return try await body()
}

/// What went wrong in a test's own equipment.
public struct ProbeError: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}

/// Keeps libjack from printing what a test provokes.
func silenceLibjack() {
  jack_set_error_function { _ in }
  jack_set_info_function { _ in }
}
