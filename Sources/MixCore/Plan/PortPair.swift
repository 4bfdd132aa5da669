/// One or two ports, as opaque handles. The mixer never looks inside; a handle must stay valid until the publication
/// that took it away is acknowledged.
public struct PortPair: Hashable, Sendable {
  var first: UInt = 0
  var second: UInt = 0

  var isEmpty: Bool {
    @_noLocks @_noAllocation get { first == 0 && second == 0 }
  }

  /// No ports.
  public init() {}

  /// The ports of the first and the second channel.
  public init(_ first: UnsafeMutableRawPointer?, _ second: UnsafeMutableRawPointer? = nil) {
    self.first = UInt(bitPattern: first)
    self.second = UInt(bitPattern: second)
  }
}
