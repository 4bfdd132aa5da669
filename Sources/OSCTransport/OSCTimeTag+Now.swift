import Glibc

extension OSCTimeTag {
  /// The present time by the system's clock. Wraps `clock_gettime` (`CLOCK_REALTIME`).
  public static func now() -> OSCTimeTag {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    // A clock before 1968 or after 2104 names no time in OSC.
    return OSCTimeTag(secondsSince1970: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)) ?? .immediate
  }
}
