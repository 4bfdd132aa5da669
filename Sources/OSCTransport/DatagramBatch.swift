import CGlibc
import Glibc

// Unsafe because recvmmsg takes an array of C structures that point into each other: they are allocated once, so that
// their addresses stay, and freed with the batch. Sizes and counts that the kernel reports are held to those of the buffers.

/// Room for the datagrams that one system call takes in.
///
/// Control thread only.
final class DatagramBatch {
  /// Datagrams in one call.
  static let capacity = 32
  /// Bytes: more than a datagram can have, so that none is cut.
  private static let slotSize = OSCLimits.packetSize

  private let storage: UnsafeMutablePointer<UInt8>
  private let pieces: UnsafeMutablePointer<iovec>
  private let names: UnsafeMutablePointer<sockaddr_storage>
  private let headers: UnsafeMutablePointer<eider_datagram>

  init() {
    storage = .allocate(capacity: Self.capacity * Self.slotSize)
    pieces = .allocate(capacity: Self.capacity)
    names = .allocate(capacity: Self.capacity)
    headers = .allocate(capacity: Self.capacity)
    names.initialize(repeating: sockaddr_storage(), count: Self.capacity)
    for index in 0..<Self.capacity {
      (pieces + index).initialize(to: iovec(iov_base: storage + index * Self.slotSize, iov_len: Self.slotSize))
      var header = msghdr()
      header.msg_name = UnsafeMutableRawPointer(names + index)
      header.msg_iov = pieces + index
      header.msg_iovlen = 1
      (headers + index).initialize(to: eider_datagram(header: header, length: 0))
    }
  }

  deinit {
    headers.deallocate()
    names.deallocate()
    pieces.deallocate()
    storage.deallocate()
  }

  /// Takes in datagrams that wait, up to a limit and to the batch's capacity. Wraps `recvmmsg`.
  ///
  /// - Returns: how many; 0 if none waits.
  func receive(from descriptor: borrowing Descriptor, limit: Int) -> Int {
    let count = max(0, min(limit, Self.capacity))
    for index in 0..<count {
      headers[index].header.msg_namelen = socklen_t(MemoryLayout<sockaddr_storage>.size)
    }
    return max(0, Int(eider_recvmmsg(descriptor.number, headers, UInt32(count), Int32(MSG_DONTWAIT), nil)))
  }

  /// Where one of the datagrams taken in came from.
  func source(of index: Int) -> (host: HostAddress, port: UInt16)? {
    precondition(index < Self.capacity)
    return AddressCalls.socketAddress(UnsafeRawPointer(names + index).assumingMemoryBound(to: sockaddr.self))
  }

  /// Calls `body` with the bytes of one of the datagrams taken in.
  func withBytes<Result, Failure: Error>(
    of index: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(index < Self.capacity)
    let count = min(Int(headers[index].length), Self.slotSize)
    return try body(UnsafeBufferPointer(start: storage + index * Self.slotSize, count: count).span)
  }
}
