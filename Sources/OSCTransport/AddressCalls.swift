import Glibc

// Conversions between addresses and the C structures that hold them. Unsafe because the C functions take pointers to
// structures of several kinds behind one type; no pointer leaves the function that made it.

enum AddressCalls {
  /// Reads an address in numbers, of IPv4 or of IPv6 with an optional `%interface`. Wraps `inet_pton`.
  static func parse(_ text: String) -> HostAddress? {
    guard !text.utf8.contains(0) else { return nil }
    var ipv4 = in_addr()
    if inet_pton(AF_INET, text, &ipv4) == 1 { return HostAddress(ipv4: UInt32(bigEndian: ipv4.s_addr)) }
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var scope: UInt32 = 0
    if parts.count == 2 {
      guard let index = interfaceIndex(parts[1]) else { return nil }
      scope = index
    }
    var ipv6 = in6_addr()
    guard inet_pton(AF_INET6, parts[0], &ipv6) == 1 else { return nil }
    return hostAddress(ipv6, scope: scope)
  }

  /// The index of a network interface by its name or number. Wraps `if_nametoindex`.
  private static func interfaceIndex(_ name: String) -> UInt32? {
    if let number = UInt32(name), number > 0 { return number }
    let index = if_nametoindex(name)
    return index > 0 ? index : nil
  }

  /// The usual text of an address, that of a link-local one with its interface. Wraps `inet_ntop`, `if_indextoname`.
  static func text(of host: HostAddress) -> String {
    let address = withSocketAddress(host: host, port: 0) { pointer, _ in
      var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      switch host.family {
      case .ipv4:
        pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          var bits = $0.pointee.sin_addr
          _ = inet_ntop(AF_INET, &bits, &buffer, socklen_t(buffer.count))
        }
      case .ipv6:
        pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          var bits = $0.pointee.sin6_addr
          _ = inet_ntop(AF_INET6, &bits, &buffer, socklen_t(buffer.count))
        }
      }
      return string(buffer)
    }
    guard host.scope > 0 else { return address }
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    return if_indextoname(host.scope, &name) == nil ? "\(address)%\(host.scope)" : "\(address)%\(string(name))"
  }

  /// The name of this machine. Wraps `gethostname`.
  static func ownHostName() -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    return gethostname(&buffer, buffer.count - 1) == 0 ? string(buffer) : nil
  }

  /// All addresses of a name or of an address in numbers; may take seconds. Wraps `getaddrinfo`.
  static func resolve(_ name: String) throws(NameError) -> [HostAddress] {
    if let host = HostAddress(name) { return [host] }
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(name, nil, &hints, &list)
    guard result == 0 else { throw NameError(name: name, reason: String(cString: gai_strerror(result))) }
    defer { freeaddrinfo(list) }
    var hosts: [HostAddress] = []
    var next = list
    while let entry = next {
      if let (host, _) = entry.pointee.ai_addr.flatMap({ socketAddress($0) }), !hosts.contains(host) {
        hosts.append(host)
      }
      next = entry.pointee.ai_next
    }
    return hosts
  }

  /// Calls `body` with an address and port as the socket functions want it.
  static func withSocketAddress<Result>(
    host: HostAddress, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    switch host.family {
    case .ipv4:
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(truncatingIfNeeded: host.high >> 32).bigEndian
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
      }
    case .ipv6:
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_scope_id = host.scope
      withUnsafeMutableBytes(of: &address.sin6_addr) {
        $0.storeBytes(of: host.high.bigEndian, toByteOffset: 0, as: UInt64.self)
        $0.storeBytes(of: host.low.bigEndian, toByteOffset: 8, as: UInt64.self)
      }
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in6>.size)) }
      }
    }
  }

  /// What the kernel filled in: the memory has to be as large as its family says, as that of `sockaddr_storage` is.
  static func socketAddress(_ pointer: UnsafePointer<sockaddr>) -> (host: HostAddress, port: UInt16)? {
    switch Int32(pointer.pointee.sa_family) {
    case AF_INET:
      let address = UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in.self)
      return (HostAddress(ipv4: UInt32(bigEndian: address.sin_addr.s_addr)), UInt16(bigEndian: address.sin_port))
    case AF_INET6:
      let address = UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in6.self)
      return (hostAddress(address.sin6_addr, scope: address.sin6_scope_id), UInt16(bigEndian: address.sin6_port))
    default:
      return nil
    }
  }

  private static func hostAddress(_ address: in6_addr, scope: UInt32) -> HostAddress {
    withUnsafeBytes(of: address) {
      HostAddress(
        ipv6: UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)), scope: scope)
    }
  }

  private static func string(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A host name that leads to no address.
struct NameError: Error {
  let name: String
  let reason: String
}
