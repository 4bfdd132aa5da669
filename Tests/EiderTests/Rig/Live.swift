import Foundation
import JACKProbe
import Testing

/// Every test here has a private server, and libjack speaks to one at a time.
@Suite(.serialized) enum Live {
  /// Frames per cycle that sound must not depend on: very short and long ones. Most other tests are at 256.
  static let periods = ServerKind.current == .jackd ? [16, 1024] : periods(256, 1024)

  /// Those of the periods at which the server keeps its cycles on a machine that has something else to do. PipeWire does
  /// not wait for clients that are late, so that it loses short ones.
  static func periods(_ periods: Int...) -> [Int] {
    if ServerKind.current == .jackd { return periods }
    return periods.filter { $0 >= 256 }.suffix(isBrief ? 1 : periods.count)
  }

  /// Whether one period of each test is enough.
  private static let isBrief = ProcessInfo.processInfo.environment["EIDER_TEST_BRIEF"] != nil
}
