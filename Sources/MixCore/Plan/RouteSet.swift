/// A set of output routes, by index 0…63.
public struct RouteSet: Hashable, Sendable {
  /// Bit `i` is set when route `i` is a member.
  public var bits: UInt64

  /// The set whose members are the set bits.
  @_noLocks @_noAllocation
  public init(bits: UInt64) { self.bits = bits }

  /// The empty set.
  public init() { bits = 0 }

  /// The set of some route indices. Each must be 0…63.
  public init(_ routes: some Sequence<Int>) {
    self.init()
    for route in routes { insert(route) }
  }

  public var isEmpty: Bool { bits == 0 }

  public func contains(_ route: Int) -> Bool { (0..<64).contains(route) && bits & (1 << UInt64(route)) != 0 }

  /// Adds a route. Its index must be 0…63.
  public mutating func insert(_ route: Int) {
    precondition((0..<64).contains(route), "a route index is 0…63, not \(route)")
    bits |= 1 << UInt64(route)
  }

  public mutating func remove(_ route: Int) {
    guard (0..<64).contains(route) else { return }
    bits &= ~(1 << UInt64(route))
  }
}

extension RouteSet: ExpressibleByArrayLiteral {
  public init(arrayLiteral routes: Int...) { self.init(routes) }
}
