import Presets

/// How the daemon is to run.
public struct DaemonConfiguration: Sendable {
  public var preset: Preset
  /// The file that the preset was read from: it is read again when it changes, and scenes are stored there.
  public var presetFile: String?
  /// Where is kept what is remembered beyond the end.
  public var state = StatePlace.standard
  public var jackName = "eider"
  /// `nil` for the default server.
  public var jackServer: String?
  /// Whether to start a JACK server if there is none.
  public var startsServer = false
  /// Addresses to listen on; `nil` for those of the preset.
  public var listen: [String]?
  /// The OSC port; `nil` for that of the preset. 0 lets the system choose.
  public var port: UInt16?
  public var logLevel = LogLevel.info

  public init(preset: Preset) { self.preset = preset }

  /// The addresses that are listened on.
  var listenAddresses: [String] { listen ?? preset.osc.listen.map(\.description) }

  /// The port that is asked for.
  var listenPort: UInt16 { port ?? UInt16(clamping: preset.osc.port) }
}

/// How much the daemon says on standard error.
public enum LogLevel: String, CaseIterable, Comparable, Sendable {
  /// What keeps it from its work.
  case error
  /// What may surprise people.
  case warning
  /// What it is doing.
  case info
  /// Every message and connection.
  case debug

  public static func < (first: LogLevel, second: LogLevel) -> Bool {
    (allCases.firstIndex(of: first) ?? 0) < (allCases.firstIndex(of: second) ?? 0)
  }
}
