import Glibc

/// A socket bound to one of the server's addresses.
final class BoundSocket {
  let descriptor: Descriptor
  let host: HostAddress

  private init(descriptor: consuming Descriptor, host: HostAddress) {
    self.descriptor = descriptor
    self.host = host
  }

  /// Bytes of datagrams that the kernel keeps until they are read.
  private static let receiveBufferSize: Int32 = 8 << 20
  /// How many ports are tried when the kernel chooses one and another program has it for TCP.
  private static let attempts = 16

  /// What addresses as texts mean, each once.
  static func hosts(_ addresses: [String]) throws(OSCServerError) -> [HostAddress] {
    var hosts: [HostAddress] = []
    for text in addresses {
      guard let host = text.lowercased() == "localhost" ? .loopbackIPv4 : HostAddress(text) else {
        throw .badAddress(text)
      }
      if !hosts.contains(host) { hosts.append(host) }
    }
    guard !hosts.isEmpty else { throw .noAddress }
    return hosts
  }

  /// Sockets on one port, which is nil where there are none: one of each kind for each address.
  typealias Opened = (datagram: [BoundSocket], stream: [BoundSocket], port: UInt16?)

  /// Opens a UDP socket and a TCP listener on each address, all on one port.
  static func open(_ hosts: [HostAddress], port: UInt16) throws(OSCServerError) -> Opened {
    guard !hosts.isEmpty else { return ([], [], nil) }
    return try open(hosts, port: port, attempts: port == 0 ? attempts : 1)
  }

  private static func open(_ hosts: [HostAddress], port wanted: UInt16, attempts: Int) throws(OSCServerError) -> Opened
  {
    var port = wanted
    var datagram: [BoundSocket] = []
    var stream: [BoundSocket] = []
    do {
      for host in hosts {
        datagram.append(try open(host, &port, .udp))
        stream.append(try open(host, &port, .tcp))
      }
    } catch .portTaken where attempts > 1 {
      return try open(hosts, port: wanted, attempts: attempts - 1)
    }
    return (datagram, stream, port)
  }

  /// Opens one socket. A port of 0 becomes the one that the kernel chose.
  private static func open(
    _ host: HostAddress, _ port: inout UInt16, _ way: OSCProtocol
  ) throws(OSCServerError) -> BoundSocket {
    do throws(SystemError) {
      let descriptor = try SocketCalls.open(host.family, way)
      if host.family == .ipv6 {
        // :: is IPv6 alone, so that it and 0.0.0.0 can be listened on side by side.
        SocketCalls.setOption(descriptor, level: Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: 1)
      }
      if way == .tcp {
        // Connections of an eider that ended just now do not keep the port.
        SocketCalls.setOption(descriptor, level: SOL_SOCKET, SO_REUSEADDR, to: 1)
      } else {
        SocketCalls.enlargeReceiveBuffer(descriptor, to: receiveBufferSize)
      }
      try SocketCalls.bind(descriptor, to: host, port: port)
      if way == .tcp { try SocketCalls.listen(descriptor, backlog: 64) }
      if port == 0 { port = try SocketCalls.boundPort(descriptor) }
      return BoundSocket(descriptor: descriptor, host: host)
    } catch {
      switch error.code {
      case EADDRINUSE: throw .portTaken(address: host.description, port: port, way)
      case EACCES: throw .portForbidden(address: host.description, port: port)
      case EADDRNOTAVAIL: throw .addressNotHere(host.description)
      default: throw .system(error, address: host.description, port: port)
      }
    }
  }
}
