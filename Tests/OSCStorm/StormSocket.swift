import CSendBatch
import Glibc
import JACKProbe

// The only file that calls socket functions here. Unsafe because they take pointers into buffers and arrays of C
// structures that point into each other; every length that they are given is that of the buffer.

/// A connected socket of a client on this machine that sends what nobody in his right mind would.
public final class StormSocket {
  /// The way by which packets travel.
  public enum Way: String, CaseIterable, Sendable {
    case udp, tcp
  }

  let descriptor: Int32
  /// The port of this end.
  public let port: UInt16

  /// Connects to a port on 127.0.0.1.
  public init(to port: UInt16, _ way: Way = .udp) throws {
    let type = way == .udp ? SOCK_DGRAM : SOCK_STREAM
    descriptor = socket(AF_INET, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw ProbeError("no socket: errno \(errno)") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let number = descriptor
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { (generic) -> Int32 in
        let connected = connect(number, generic, size)
        return connected == 0 ? getsockname(number, generic, &size) : connected
      }
    }
    self.port = UInt16(bigEndian: address.sin_port)
    guard result == 0 else {
      close(descriptor)
      throw ProbeError("no connection to port \(port): errno \(errno)")
    }
    var room: Int32 = 8 << 20
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
    var yes: Int32 = 1
    if way == .tcp {
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  deinit { close(descriptor) }

  /// Sends bytes whole; on UDP as one datagram, on TCP waiting for room.
  ///
  /// - Returns: false if the other side has hung up.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    repeat {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno != EINTR, errno != ENOBUFS { return false }
      sent += max(0, count)
    } while sent < bytes.count
    return true
  }

  /// The bytes that come next, one datagram or a piece of a stream; nil if none come in so many seconds, none at all if
  /// the other side has hung up.
  public func receive(within seconds: Double) -> [UInt8]? {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, Int32((max(0, seconds) * 1000).rounded(.up))) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Takes out what waits and forgets it.
  public func drain() {
    while let bytes = receive(within: 0), !bytes.isEmpty {}
  }
}

/// Datagrams that are sent over and over, many in one call.
public final class DatagramVolley {
  /// How many datagrams one call sends at most.
  static let capacity = 64

  private let storage: UnsafeMutablePointer<UInt8>
  private let pieces: UnsafeMutablePointer<iovec>
  private let headers: UnsafeMutablePointer<probe_datagram>
  private let count: Int
  private var next = 0

  /// Keeps the datagrams, of which there is at least one.
  public init(_ datagrams: [[UInt8]]) {
    precondition(!datagrams.isEmpty)
    count = datagrams.count
    storage = .allocate(capacity: datagrams.reduce(0) { $0 + $1.count })
    pieces = .allocate(capacity: count)
    headers = .allocate(capacity: count)
    var offset = 0
    for (index, bytes) in datagrams.enumerated() {
      (storage + offset).initialize(from: bytes, count: bytes.count)
      (pieces + index).initialize(to: iovec(iov_base: storage + offset, iov_len: bytes.count))
      var header = msghdr()
      header.msg_iov = pieces + index
      header.msg_iovlen = 1
      (headers + index).initialize(to: probe_datagram(header: header, length: 0))
      offset += bytes.count
    }
  }

  deinit {
    headers.deallocate()
    pieces.deallocate()
    storage.deallocate()
  }

  /// Sends the next datagrams, beginning anew after the last. Wraps `sendmmsg`.
  public func send(_ wanted: Int, on socket: StormSocket) throws {
    var left = wanted
    while left > 0 {
      let size = min(left, Self.capacity, count - next)
      let sent = Int(probe_sendmmsg(socket.descriptor, headers + next, UInt32(size), 0))
      if sent < 0 {
        guard errno == EINTR || errno == ENOBUFS || errno == EAGAIN else {
          throw ProbeError("sendmmsg: errno \(errno)")
        }
        continue
      }
      left -= sent
      next = (next + sent) % count
    }
  }
}
