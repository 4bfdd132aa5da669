/// The way by which packets travel.
public enum OSCProtocol: String, Hashable, Sendable {
  case udp
  case tcp
}

/// Where a packet came from, and where answers go: host *and* port, and the way there.
///
/// Two surfaces on one machine differ in their port. A TCP client is its connection; when it hangs up, its address
/// means nobody.
public struct ClientAddress: Sendable {
  public let host: HostAddress
  public let port: UInt16
  public let `protocol`: OSCProtocol
  /// The server's UDP socket that its packets came in by, and answers go out by. It is no part of who the client is.
  let socketIndex: Int?

  public init(host: HostAddress, port: UInt16, protocol: OSCProtocol) {
    self.init(host: host, port: port, protocol: `protocol`, socketIndex: nil)
  }

  init(host: HostAddress, port: UInt16, protocol: OSCProtocol, socketIndex: Int?) {
    self.host = host
    self.port = port
    self.protocol = `protocol`
    self.socketIndex = socketIndex
  }

  /// Whether it is on this machine (127.0.0.0/8 or ::1).
  public var isLoopback: Bool { host.isLoopback }

  /// `osc.udp://127.0.0.1:9000/`
  public var url: String { "osc.\(`protocol`.rawValue)://\(self)/" }
}

extension ClientAddress: Hashable {
  public static func == (left: ClientAddress, right: ClientAddress) -> Bool {
    left.port == right.port && left.host == right.host && left.protocol == right.protocol
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(host)
    hasher.combine(port)
    hasher.combine(`protocol`)
  }
}

extension ClientAddress: CustomStringConvertible {
  /// `127.0.0.1:9000`, `[::1]:9000`
  public var description: String {
    host.family == .ipv4 ? "\(host):\(port)" : "[\(host)]:\(port)"
  }
}
