import Daemon
import Foundation
import Presets

/// `eider run`: the daemon.
enum RunCommand: Command {
  static let name = "run"
  static let summary = "the daemon: mixes the sessions of a preset on a JACK server, driven by OSC"
  static let help = """
    usage: eider run [--preset FILE] [--jack-name NAME] [--jack-server NAME] [--start-server auto|never]
                     [--listen ADDRESS…] [--port N] [--state FILE|none] [--log-level LEVEL]

      --preset FILE        routes, sessions and scenes (default: one route on the physical playback ports); when the
                           file changes, and on SIGHUP, it is read again and what differs is taken over
      --jack-name NAME     the name of the JACK client (default: eider)
      --jack-server NAME   the JACK server (default: the default server)
      --start-server HOW   auto: start jackd where no server runs, and end it again; never (default: never)
      --listen ADDRESS…    where OSC is taken from (default: as the preset says, else 127.0.0.1)
      --port N             the OSC port, 0 for a free one (default: as the preset says, else 9770)
      --state FILE|none    where is kept what people have set, for the next start (default: eider/NAME.json in
                           $XDG_STATE_HOME, or ~/.local/state); none: nowhere
      --log-level LEVEL    error warning info debug (default: info)
    """

  static func run(_ words: inout CommandWords) throws -> ExitCode {
    guard let configuration = try configuration(&words) else { return .wrongUse }
    do {
      try Daemon(configuration).run()
      return .done
    } catch {
      Console.complain("eider: \(error)")
      return switch error {
      case .jack, .server: .noServer
      case .osc: .wrongUse
      }
    }
  }

  /// `nil` where the preset cannot be used; that has been said.
  private static func configuration(_ words: inout CommandWords) throws -> DaemonConfiguration? {
    var configuration = DaemonConfiguration(preset: Preset())
    while let word = words.next() {
      switch word {
      case "--preset":
        let file = try words.value(of: word)
        guard let preset = PresetFile.read(file) else { return nil }
        configuration.preset = preset
        configuration.presetFile = file
      case "--state":
        let place = try words.value(of: word)
        configuration.state = place == "none" ? .none : .file(place)
      case "--jack-name": configuration.jackName = try words.value(of: word)
      case "--jack-server": configuration.jackServer = try words.value(of: word)
      case "--start-server":
        let how = try words.value(of: word)
        guard how == "auto" || how == "never" else {
          throw UsageError("--start-server takes auto or never, got \(how)")
        }
        configuration.startsServer = how == "auto"
      case "--listen": configuration.listen = try words.values(of: word)
      case "--port": configuration.port = try words.number(of: word, in: 0...UInt16.max)
      case "--log-level":
        let level = try words.value(of: word)
        guard let known = LogLevel(rawValue: level) else {
          throw UsageError("--log-level takes error warning info debug, got \(level)")
        }
        configuration.logLevel = known
      default: throw UsageError("there is no option \(word)")
      }
    }
    return configuration
  }
}

/// Reads preset files and says what is wrong with them.
enum PresetFile {
  /// The preset, or `nil` after its mistakes have been printed.
  static func read(_ path: String) -> Preset? {
    do {
      return try Preset(contentsOf: path)
    } catch {
      Console.complain("\(error)")
      return nil
    }
  }
}
