import CGlibc
import Glibc

// Unsafe because epoll fills an array of C structures; never more than it holds.

/// Many sockets behind one descriptor: it can be read as soon as one of them wants something.
///
/// Control thread only.
struct ReadinessSet: ~Copyable {
  /// A socket that is ready.
  struct Readiness {
    /// The number that the socket was added with.
    let token: UInt64
    let isReadable: Bool
    let isWritable: Bool
  }

  private let descriptor: Descriptor

  /// Wraps `epoll_create1`.
  init() throws(SystemError) {
    let number = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard number >= 0 else { throw SystemError(call: "epoll_create1", code: errno) }
    descriptor = Descriptor(owning: number)
  }

  /// What `poll` is to be given.
  var number: Int32 { descriptor.number }

  /// Adds a socket that is to be read; closing it takes it out. Wraps `epoll_ctl`.
  func add(_ socket: borrowing Descriptor, token: UInt64) throws(SystemError) {
    try control(EPOLL_CTL_ADD, socket, token, writing: false)
  }

  /// Says whether a socket waits to be written too. Wraps `epoll_ctl`.
  func setWriting(_ writing: Bool, _ socket: borrowing Descriptor, token: UInt64) throws(SystemError) {
    try control(EPOLL_CTL_MOD, socket, token, writing: writing)
  }

  private func control(
    _ operation: Int32, _ socket: borrowing Descriptor, _ token: UInt64, writing: Bool
  ) throws(SystemError) {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue | (writing ? EPOLLOUT.rawValue : 0)
    event.data.u64 = token
    guard epoll_ctl(descriptor.number, operation, socket.number, &event) == 0 else {
      throw SystemError(call: "epoll_ctl", code: errno)
    }
  }

  /// The sockets that are ready now. Wraps `epoll_wait` without waiting.
  func ready() -> [Readiness] {
    var events = [epoll_event](repeating: epoll_event(), count: 32)
    let count = epoll_wait(descriptor.number, &events, Int32(events.count), 0)
    return events.prefix(Int(max(count, 0))).map {
      // A socket that failed or hung up is reported as readable: reading it tells.
      Readiness(
        token: $0.data.u64, isReadable: $0.events & ~EPOLLOUT.rawValue != 0,
        isWritable: $0.events & EPOLLOUT.rawValue != 0)
    }
  }
}
