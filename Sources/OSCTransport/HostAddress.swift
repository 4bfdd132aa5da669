/// The address of a host: IPv4, or IPv6 with the interface that a link-local address belongs to.
public struct HostAddress: Hashable, Sendable {
  public enum Family: Hashable, Sendable {
    case ipv4
    case ipv6
  }

  public let family: Family
  /// The address as a number of 128 bits, most significant first; an IPv4 address fills the upper 32.
  let high: UInt64
  let low: UInt64
  /// The index of the interface of a link-local IPv6 address, else 0.
  let scope: UInt32

  init(ipv4 bits: UInt32) {
    (family, high, low, scope) = (.ipv4, UInt64(bits) << 32, 0, 0)
  }

  init(ipv6 high: UInt64, _ low: UInt64, scope: UInt32) {
    // Only link-local addresses (fe80::/10) are told apart by their interface; the kernel reports an index for others too.
    (family, self.high, self.low) = (.ipv6, high, low)
    self.scope = high >> 54 == 0xFE80 >> 6 ? scope : 0
  }

  /// Reads an address in numbers: `127.0.0.1`, `::1`, `[::1]`, `fe80::1%eth0`. Nil for anything else, names included.
  public init?(_ text: String) {
    var text = Substring(text)
    if text.first == "[", text.last == "]" { text = text.dropFirst().dropLast() }
    guard let address = AddressCalls.parse(String(text)) else { return nil }
    self = address
  }

  public static let loopbackIPv4 = HostAddress(ipv4: 0x7F00_0001)
  public static let loopbackIPv6 = HostAddress(ipv6: 0, 1, scope: 0)

  /// Whether it can only be this machine: 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    family == .ipv4 ? high >> 56 == 127 : high == 0 && low == 1
  }

  /// 0.0.0.0 or ::, which stand for every address of the machine.
  public var isUnspecified: Bool { high == 0 && low == 0 }

  /// How many bits an address of this family has.
  static func bitCount(of family: Family) -> Int { family == .ipv4 ? 32 : 128 }
}

extension HostAddress: CustomStringConvertible {
  public var description: String { AddressCalls.text(of: self) }
}
