import Foundation

/// The program that is the JACK server of the tests.
public enum ServerKind: Sendable {
  /// `jackd` with its dummy driver.
  case jackd
  /// PipeWire with a null sink and a null source, headless: `pipewire` and `wireplumber`. The tests must run with
  /// PipeWire's own libjack (`pw-jack`), on a session bus, with a runtime directory of their own.
  case pipeWire

  /// The one that `EIDER_TEST_SERVER` names: `jackd`, which it is also without that variable, or `pipewire`.
  public static let current: ServerKind =
    ProcessInfo.processInfo.environment["EIDER_TEST_SERVER"] == "pipewire" ? .pipeWire : .jackd

  /// How a server is started.
  struct Program {
    var command: [String]
    /// What runs beside it, for the shell; empty for nothing.
    var companion = ""
    var environment: [String: String]
  }

  func program(_ options: ProbeServer.Options, folder: URL) throws -> Program {
    switch self {
    case .jackd: jackd(options)
    case .pipeWire: try pipeWire(options, folder: folder)
    }
  }

  private func jackd(_ options: ProbeServer.Options) -> Program {
    // Where libjack has forgotten to wake a program, a server that waits for all stands still for ten times as long as it
    // may wait for one: less than tests wait for anything.
    var command = options.namespace.map { ["ip", "netns", "exec", $0] } ?? []
    command += ["jackd", "-n", options.name, mayRunRealtime() ? "-R" : "-r", "-t", "1000"] + options.arguments
    if options.isSynchronous { command.append("-S") }
    if let portMax = options.portMax { command += ["-p", "\(portMax)"] }
    let clock = ["dummy", "-r", "\(options.rate)", "-p", "\(options.period)", "-P", "\(options.playbackPorts)"]
    command += ["-d"] + (options.driver ?? clock)
    return Program(command: command, environment: ["JACK_NO_AUDIO_RESERVATION": "1"])
  }

  private func pipeWire(_ options: ProbeServer.Options, folder: URL) throws -> Program {
    func node(_ mediaClass: String, ports: Int) -> String {
      let positions = Array(repeating: "UNK", count: ports).joined(separator: " ")
      return """
        { factory = adapter args = {
          factory.name = support.null-audio-sink node.name = system media.class = \(mediaClass)
          object.linger = true audio.position = [ \(positions) ]
        } }
        """
    }
    // Periods from 16 frames on, also those that are no power of two.
    let configuration = """
      context.properties = {
        default.clock.rate = \(options.rate)
        default.clock.allowed-rates = [ \(options.rate) ]
        default.clock.quantum = \(options.period)
        default.clock.min-quantum = 16
        default.clock.max-quantum = 8192
        clock.power-of-two-quantum = false
        vm.overrides = { default.clock.min-quantum = 16 }
      }
      context.objects = [
        \(node("Audio/Sink", ports: options.playbackPorts))
        \(node("Audio/Source/Virtual", ports: 2))
      ]
      """
    let place = folder.appendingPathComponent("pipewire/pipewire.conf.d")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(configuration.utf8).write(to: place.appendingPathComponent("probe.conf"))
    let socket = "\"$XDG_RUNTIME_DIR/\(options.name)\""
    // A server that was killed has left its socket: the session manager would find it, and nobody there.
    if let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] {
      try? FileManager.default.removeItem(atPath: "\(runtime)/\(options.name)")
    }
    return Program(
      command: ["pipewire"],
      companion: "until [ -S \(socket) ]; do sleep 0.02; done; PIPEWIRE_REMOTE=\(options.name) exec wireplumber",
      environment: [
        "PIPEWIRE_CORE": options.name, "XDG_CONFIG_HOME": folder.path, "XDG_STATE_HOME": folder.path,
      ])
  }
}

/// Whether a thread may have realtime priority here.
private func mayRunRealtime() -> Bool {
  let answer = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
  answer.initialize(to: false)
  defer { answer.deallocate() }
  var thread = pthread_t()
  let started = pthread_create(
    &thread, nil,
    { argument in
      var parameters = sched_param()
      parameters.sched_priority = 5
      let refused = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
      argument?.assumingMemoryBound(to: Bool.self).pointee = refused == 0
      return nil
    }, answer)
  guard started == 0 else { return false }
  pthread_join(thread, nil)
  return answer.pointee
}
