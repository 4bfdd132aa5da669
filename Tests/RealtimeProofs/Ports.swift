import MixCore

/// The ports of the scene, by number: inputs before `firstOutput`.
enum Ports {
  static let strips = 80
  static let outputRoutes = 3
  static let inputRoutes = 2
  static let channelsOfRoute = [2, 1, 4]

  static let firstOutput = strips * 2 + inputRoutes * 2
  private static let firstSend = firstOutput + outputRoutes * 4
  static let count = firstSend + strips * 2

  static func strip(_ strip: Int) -> PortPair { pair(strip * 2) }
  static func send(_ strip: Int) -> PortPair { pair(firstSend + strip * 2) }
  static func input(_ input: Int) -> [UnsafePort] {
    (0..<2).map { UnsafePort(handle(strips * 2 + input * 2 + $0)) }
  }
  static func output(_ route: Int) -> [UnsafePort] {
    (0..<channelsOfRoute[route]).map { UnsafePort(handle(firstOutput + route * 4 + $0)) }
  }

  private static func pair(_ first: Int) -> PortPair { PortPair(handle(first), handle(first + 1)) }

  /// Ports are numbered from 1: no handle is a null pointer.
  private static func handle(_ index: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: index + 1)!
  }
}
