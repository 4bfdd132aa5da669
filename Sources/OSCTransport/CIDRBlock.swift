/// Why a text is no block of addresses.
public struct CIDRError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what would be right.
  public let description: String
}

/// A block of neighbouring host addresses: `192.168.1.0/24`, `fe80::/10`, or one address alone (RFC 4632, RFC 4291 §2.3).
public struct CIDRBlock: Hashable, Sendable {
  /// The first address of the block.
  public let base: HostAddress
  /// How many leading bits the addresses have in common: 0…32 for IPv4, 0…128 for IPv6.
  public let prefixLength: Int

  /// Reads `ADDRESS/LENGTH` or `ADDRESS`.
  public init(_ text: String) throws(CIDRError) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = HostAddress(String(parts[0])), address.scope == 0 else {
      throw CIDRError(
        description:
          "\(text.debugDescription) is no block of addresses: one like 192.168.1.0/24, 10.0.0.5 or fe80::/10 "
          + "was expected")
    }
    let bitCount = HostAddress.bitCount(of: address.family)
    var length = bitCount
    if parts.count == 2 {
      guard let number = Int(parts[1]), (0...bitCount).contains(number), parts[1].first?.isNumber == true else {
        throw CIDRError(
          description: "\(text.debugDescription): the length \(String(parts[1]).debugDescription) is not within "
            + "0…\(bitCount)")
      }
      length = number
    }
    let base = address.masked(to: length)
    guard base == address else {
      throw CIDRError(
        description:
          "\(text.debugDescription) has bits set behind its first \(length): the block is \(base)/\(length), "
          + "the host alone \(address)")
    }
    self.base = base
    self.prefixLength = length
  }

  /// Whether an address lies in the block.
  public func contains(_ address: HostAddress) -> Bool {
    guard address.family == base.family else { return false }
    let masked = address.masked(to: prefixLength)
    return masked.high == base.high && masked.low == base.low
  }
}

extension CIDRBlock: CustomStringConvertible {
  public var description: String { "\(base)/\(prefixLength)" }
}

extension HostAddress {
  /// The address with all but the leading bits cleared.
  fileprivate func masked(to length: Int) -> HostAddress {
    // Swift's `<<` on fixed-width integers gives 0 from 64 on.
    let highMask = UInt64.max << UInt64(64 - min(length, 64))
    let lowMask = UInt64.max << UInt64(64 - max(length - 64, 0))
    return family == .ipv4
      ? HostAddress(ipv4: UInt32((high & highMask) >> 32)) : HostAddress(ipv6: high & highMask, low & lowMask, scope: 0)
  }
}

/// Who is heard, and who may only read.
public struct OSCAccess: Hashable, Sendable {
  /// Hosts that are heard. Empty: everyone who can reach the server. Otherwise exactly these; loopback has to be named too.
  public var allow: [CIDRBlock]
  /// Hosts that may read and subscribe, but set nothing.
  public var readOnly: [CIDRBlock]

  public init(allow: [CIDRBlock] = [], readOnly: [CIDRBlock] = []) {
    self.allow = allow
    self.readOnly = readOnly
  }

  /// Whether a host is heard at all.
  public func admits(_ host: HostAddress) -> Bool {
    allow.isEmpty || allow.contains { $0.contains(host) }
  }

  /// Whether a host may only read.
  public func isReadOnly(_ host: HostAddress) -> Bool {
    readOnly.contains { $0.contains(host) }
  }
}
