import CGlibc
import Glibc

// The socket functions of the C library, one Swift function each. Unsafe because they take pointers into buffers; every
// length that they are given is that of the buffer.

/// A call of the operating system that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The C function.
  public let call: String
  /// Its `errno`.
  public let code: Int32

  public var description: String { "\(String(cString: strerror(code))) (\(call))" }
}

/// A descriptor that is closed when its owner goes. Wraps `close`.
struct Descriptor: ~Copyable {
  let number: Int32

  init(owning number: Int32) {
    self.number = number
  }

  deinit {
    _ = close(number)
  }
}

/// How a transfer on a non-blocking socket ended.
enum Transfer: Equatable {
  case bytes(Int)
  /// Nothing can be transferred now.
  case wouldBlock
  /// The other side hung up.
  case ended
  case failed(Int32)
}

enum SocketCalls {
  /// A non-blocking socket. Wraps `socket`.
  static func open(_ family: HostAddress.Family, _ way: OSCProtocol) throws(SystemError) -> Descriptor {
    let type = Int32((way == .udp ? SOCK_DGRAM : SOCK_STREAM).rawValue)
    let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    return Descriptor(
      owning: try checked("socket", socket(family == .ipv4 ? AF_INET : AF_INET6, type | flags, 0)))
  }

  /// Sets an option whose value is a number. Wraps `setsockopt`.
  @discardableResult
  static func setOption(_ descriptor: borrowing Descriptor, level: Int32, _ option: Int32, to value: Int32) -> Bool {
    var value = value
    return setsockopt(descriptor.number, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
  }

  /// Asks for a large receive buffer: beyond the system's limit where that is allowed. Wraps `setsockopt`.
  static func enlargeReceiveBuffer(_ descriptor: borrowing Descriptor, to size: Int32) {
    if !setOption(descriptor, level: SOL_SOCKET, SO_RCVBUFFORCE, to: size) {
      setOption(descriptor, level: SOL_SOCKET, SO_RCVBUF, to: size)
    }
  }

  /// Wraps `bind`.
  static func bind(_ descriptor: borrowing Descriptor, to host: HostAddress, port: UInt16) throws(SystemError) {
    let number = descriptor.number
    try checked("bind", AddressCalls.withSocketAddress(host: host, port: port) { Glibc.bind(number, $0, $1) })
  }

  /// Wraps `listen`.
  static func listen(_ descriptor: borrowing Descriptor, backlog: Int32) throws(SystemError) {
    try checked("listen", Glibc.listen(descriptor.number, backlog))
  }

  /// Connects, or on a stream begins to. Wraps `connect`.
  ///
  /// - Returns: whether it is connected already.
  static func connect(
    _ descriptor: borrowing Descriptor, to host: HostAddress, port: UInt16
  ) throws(SystemError) -> Bool {
    let number = descriptor.number
    let result = AddressCalls.withSocketAddress(host: host, port: port) { Glibc.connect(number, $0, $1) }
    if result == 0 { return true }
    guard errno == EINPROGRESS else { throw SystemError(call: "connect", code: errno) }
    return false
  }

  /// Accepts a connection as a non-blocking socket. Wraps `accept4`.
  ///
  /// - Returns: nil if none waits; throws if one waits that could not be accepted.
  static func accept(
    _ descriptor: borrowing Descriptor
  ) throws(SystemError) -> (descriptor: Int32, host: HostAddress, port: UInt16)? {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let number = descriptor.number
    let accepted = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        let result = eider_accept4(number, $0, &size, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
        return (result, result < 0 ? nil : AddressCalls.socketAddress($0))
      }
    }
    if accepted.0 >= 0, let address = accepted.1 { return (accepted.0, address.host, address.port) }
    if accepted.0 >= 0 || errno == EAGAIN || errno == EWOULDBLOCK { return nil }
    throw SystemError(call: "accept4", code: errno)
  }

  /// The port that a socket is bound to. Wraps `getsockname`.
  static func boundPort(_ descriptor: borrowing Descriptor) throws(SystemError) -> UInt16 {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let number = descriptor.number
    let (result, port) = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        (getsockname(number, $0, &size), AddressCalls.socketAddress($0)?.port ?? 0)
      }
    }
    try checked("getsockname", result)
    return port
  }

  /// The error that a socket came across, 0 for none. Wraps `getsockopt` (`SO_ERROR`).
  static func pendingError(_ descriptor: borrowing Descriptor) -> Int32 {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor.number, SOL_SOCKET, SO_ERROR, &value, &size) == 0 ? value : errno
  }

  /// How many datagrams the kernel has dropped because a socket's buffer was full. Wraps `getsockopt` (`SO_MEMINFO`).
  static func kernelDrops(_ descriptor: borrowing Descriptor) -> UInt32 {
    // SO_MEMINFO and SK_MEMINFO_DROPS of <linux/sock_diag.h>: nine numbers, the last that of drops.
    var values = [UInt32](repeating: 0, count: 9)
    var size = socklen_t(MemoryLayout<UInt32>.size * values.count)
    return getsockopt(descriptor.number, SOL_SOCKET, 55, &values, &size) == 0 ? values[8] : 0
  }

  /// Sends on a connected socket. Wraps `send`.
  static func send(_ bytes: Span<UInt8>, on descriptor: borrowing Descriptor) -> Transfer {
    let number = descriptor.number
    return transfer(bytes.withUnsafeBytes { Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) })
  }

  /// Sends a datagram. Wraps `sendto`.
  static func send(
    _ bytes: Span<UInt8>, on descriptor: borrowing Descriptor, to host: HostAddress, port: UInt16
  ) -> Transfer {
    let number = descriptor.number
    return transfer(
      AddressCalls.withSocketAddress(host: host, port: port) { address, size in
        bytes.withUnsafeBytes { sendto(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL), address, size) }
      })
  }

  /// Receives into a buffer, up to its size. Wraps `recv`.
  static func receive(into buffer: inout [UInt8], from descriptor: borrowing Descriptor) -> Transfer {
    let number = descriptor.number
    return transfer(buffer.withUnsafeMutableBytes { recv(number, $0.baseAddress, $0.count, 0) })
  }

  /// A descriptor that is good for nothing but to be given up. Wraps `open`.
  static func reserve() -> Descriptor? {
    let number = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    return number >= 0 ? Descriptor(owning: number) : nil
  }

  /// Wraps `shutdown` of both directions: what waits on the socket sees its end.
  static func shutDown(_ descriptor: borrowing Descriptor) {
    _ = shutdown(descriptor.number, Int32(SHUT_RDWR))
  }

  /// Waits until one descriptor can be read or written. Wraps `poll`.
  ///
  /// - Returns: whether it can, or has failed; false if the time ran out.
  static func wait(
    for descriptor: borrowing Descriptor, writing: Bool, milliseconds: Int32
  ) throws(SystemError) -> Bool {
    var request = pollfd(fd: descriptor.number, events: Int16(writing ? POLLOUT : POLLIN), revents: 0)
    let result = poll(&request, 1, milliseconds)
    if result < 0, errno == EINTR { return false }
    return try checked("poll", result) > 0
  }

  private static func transfer(_ count: Int) -> Transfer {
    if count > 0 { return .bytes(count) }
    if count == 0 { return .ended }
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .wouldBlock : .failed(errno)
  }

  @discardableResult
  private static func checked(_ call: String, _ result: Int32) throws(SystemError) -> Int32 {
    guard result >= 0 else { throw SystemError(call: call, code: errno) }
    return result
  }
}
