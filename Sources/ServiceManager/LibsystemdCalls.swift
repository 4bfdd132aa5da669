import CSystemd

/// The calls to libsystemd, each through one small function.
enum Libsystemd {
  /// Tells the service manager something, lines of `NAME=value`; nothing happens where there is none. `sd_notify`
  ///
  /// - Returns: Whether a service manager was told.
  @discardableResult
  static func notify(_ state: String) -> Bool { sd_notify(0, state) > 0 }

  /// Within how many microseconds the service manager wants to hear from this process again and again; nil if it does
  /// not. `sd_watchdog_enabled`
  static var watchdogMicroseconds: UInt64? {
    var microseconds: UInt64 = 0
    return sd_watchdog_enabled(0, &microseconds) > 0 ? microseconds : nil
  }
}
