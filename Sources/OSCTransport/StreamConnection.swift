/// A TCP connection to a client, with what waits to be sent to it.
///
/// Control thread only.
final class StreamConnection {
  let descriptor: Descriptor
  let address: ClientAddress
  /// Whether there are too many clients without it: it is kept until it has asked for something, to be told so.
  var isSurplus: Bool
  /// Known from the first byte that comes in.
  var framing: StreamFraming?
  var deframer: StreamDeframer?
  /// Whether it is given up: it is shut down, and closed as soon as the end is read from it.
  private(set) var isDoomed = false
  /// Whether the readiness set has been told that it waits to be written.
  var isAwaitingWriting = false

  /// Frames that wait; the first `sentCount` bytes of them are sent.
  private var outgoing: [UInt8] = []
  private var sentCount = 0

  /// Room that is kept when nothing waits any more.
  private static let keptCapacity = 65536

  init(descriptor: consuming Descriptor, address: ClientAddress, isSurplus: Bool) {
    self.descriptor = descriptor
    self.address = address
    self.isSurplus = isSurplus
  }

  /// Bytes that wait to be sent.
  var queuedCount: Int { outgoing.count - sentCount }

  /// Puts a packet at the end of the queue.
  func enqueue(_ packet: Span<UInt8>, framing: StreamFraming) {
    framing.append(packet, to: &outgoing)
  }

  /// Sends what the kernel takes of the queue.
  ///
  /// - Returns: false if the connection has failed.
  func flush() -> Bool {
    while queuedCount > 0 {
      switch SocketCalls.send(outgoing.span.extracting(sentCount...), on: descriptor) {
      case .bytes(let count):
        sentCount += count
      case .wouldBlock:
        if sentCount > outgoing.count / 2 {
          outgoing.removeFirst(sentCount)
          sentCount = 0
        }
        return true
      case .ended, .failed:
        return false
      }
    }
    outgoing.removeAll(keepingCapacity: outgoing.capacity <= Self.keptCapacity)
    sentCount = 0
    return true
  }

  /// Gives the connection up and forgets its queue.
  func doom() {
    isDoomed = true
    outgoing = []
    sentCount = 0
    SocketCalls.shutDown(descriptor)
  }
}
