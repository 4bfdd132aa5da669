/// A set of output routes, by their index in preset order; a host has at most 64.
public struct RouteSet: Hashable, Sendable {
  /// Bit n stands for the n-th route.
  public private(set) var bits: UInt64 = 0

  /// The most output routes that a host can have.
  public static let capacity = 64

  public init() {}
  public init(_ indices: some Sequence<Int>) { for index in indices { insert(index) } }

  public var isEmpty: Bool { bits == 0 }
  public func contains(_ index: Int) -> Bool { bits & (1 << UInt64(index)) != 0 }
  public func intersection(_ other: RouteSet) -> RouteSet {
    var both = self
    both.bits &= other.bits
    return both
  }

  mutating func insert(_ index: Int) { bits |= 1 << UInt64(index) }
  mutating func remove(_ index: Int) { bits &= ~(1 << UInt64(index)) }
}
