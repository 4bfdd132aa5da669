/// What the service manager that started this process is told of it (systemd's `Type=notify`). Where there is none, it
/// is told nothing. Control thread only.
public struct ServiceManager {
  /// How often the audio thread is looked at where nobody demands more, in seconds.
  private static let patience = 2.0

  /// Seconds between two looks at the audio thread.
  public let interval: Double
  private let isWatching: Bool
  private var watchdog = AudioWatchdog()
  private var status = ""

  /// For the service manager that the environment names (`NOTIFY_SOCKET`, `WATCHDOG_USEC`).
  public init() {
    let wanted = Libsystemd.watchdogMicroseconds
    isWatching = wanted != nil
    // It is heard of three times within the time that is demanded: one may be late.
    interval = min(Self.patience, wanted.map { Double($0) / 3e6 } ?? Self.patience)
  }

  /// The process is ready for its work, at first or again after `tellReloading`.
  public mutating func tellReady(_ status: String) {
    self.status = status
    Libsystemd.notify("READY=1\nSTATUS=\(status)")
  }

  /// The process begins to take over what has changed in its files; `tellReady` says that it has. With the time, as
  /// systemd's `Type=notify-reload` wants it: it tells the answer to one signal from that to another.
  public mutating func tellReloading() {
    status = "reading the preset again"
    Libsystemd.notify("RELOADING=1\nMONOTONIC_USEC=\(System.monotonicMicroseconds)\nSTATUS=\(status)")
  }

  /// The process has begun to end.
  public mutating func tellStopping() { Libsystemd.notify("STOPPING=1\nSTATUS=fading out") }

  /// What `systemctl status` shows; a single line.
  public mutating func tell(_ status: String) {
    guard status != self.status else { return }
    self.status = status
    Libsystemd.notify("STATUS=\(status)")
  }

  /// Looks at the audio thread, once an `interval`. The service manager hears that all is well only while it is: if not
  /// for too long, it starts the process anew.
  ///
  /// - Parameter progress: Nil while there is no server and it is looked for.
  public mutating func watch(_ progress: AudioProgress?) -> AudioWatchdog.Verdict {
    let verdict = watchdog.judge(progress)
    if isWatching, verdict != .stuck { Libsystemd.notify("WATCHDOG=1") }
    return verdict
  }
}
