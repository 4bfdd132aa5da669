import Foundation

/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// Its 4 or 16 bytes, in the order of the network.
  public let bytes: [UInt8]
  /// The address as it was written.
  public let description: String

  /// 127.0.0.1.
  public static let loopback = IPAddress(bytes: [127, 0, 0, 1], description: "127.0.0.1")

  private init(bytes: [UInt8], description: String) {
    self.bytes = bytes
    self.description = description
  }

  /// Reads an address as it is usually written, `192.168.1.5` or `fd00::5`; nil if it is none. (inet_pton)
  public init?(_ text: String) {
    var four = in_addr()
    var sixteen = in6_addr()
    // `inet_pton` fills exactly the structure of the family that it is asked for.
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = withUnsafeBytes(of: four) { [UInt8]($0) }
    } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
      bytes = withUnsafeBytes(of: sixteen) { [UInt8]($0) }
    } else {
      return nil
    }
    description = text
  }

  public static func == (left: IPAddress, right: IPAddress) -> Bool { left.bytes == right.bytes }

  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// The addresses that begin with the same bits: CIDR, as in `192.168.1.0/24`.
public struct IPBlock: Hashable, Sendable, CustomStringConvertible {
  public let address: IPAddress
  /// How many bits they share, 0…32 or 0…128.
  public let prefixLength: Int

  /// Reads `ADDRESS/BITS`, or an address alone; nil if it is neither.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(String(parts[0])) else { return nil }
    let width = address.bytes.count * 8
    self.address = address
    guard parts.count > 1 else {
      prefixLength = width
      return
    }
    guard parts[1].allSatisfy(\.isASCII), parts[1].first != "+", let length = Int(parts[1]),
      (0...width).contains(length)
    else { return nil }
    prefixLength = length
  }

  public var description: String { "\(address)/\(prefixLength)" }

  /// Whether an address is among them. Of another family none is.
  public func contains(_ other: IPAddress) -> Bool {
    guard other.bytes.count == address.bytes.count else { return false }
    return address.bytes.indices.allSatisfy { index in
      let bits = min(8, max(0, prefixLength - index * 8))
      let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
      return address.bytes[index] & mask == other.bytes[index] & mask
    }
  }
}
