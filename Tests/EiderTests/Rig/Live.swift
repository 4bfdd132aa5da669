import JACKProbe
import Testing

/// Every test here has a private server, and libjack speaks to one at a time.
@Suite(.serialized) enum Live {
  /// Frames per cycle that sound must not depend on: very short and long ones. Most other tests are at 256.
  static let periods = ServerKind.current == .jackd ? [16, 1024] : [256, 1024]

  /// Those of the periods at which the server keeps its cycles on a machine that has something else to do. PipeWire does
  /// not wait for clients that are late, so that it loses short ones.
  static func periods(_ periods: Int...) -> [Int] {
    ServerKind.current == .jackd ? periods : periods.filter { $0 >= 256 }
  }
}
