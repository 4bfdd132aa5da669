import Glibc

/// The calls to the system, each through one small function.
enum System {
  /// Microseconds of the clock that systemd reckons by, which never goes back. `clock_gettime`
  static var monotonicMicroseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }
}
