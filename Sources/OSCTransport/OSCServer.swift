import AddressSpace

/// Something that a server has to tell.
public enum OSCServerEvent: Sendable {
  /// A packet came in. Whoever is `isReadOnly` may read and subscribe, but set nothing.
  case packet(OSCPacket, from: ClientAddress, isReadOnly: Bool)
  /// A TCP client hung up or was dropped: its address means nobody from now on.
  case hungUp(ClientAddress)
}

/// How sending ended.
public enum OSCSendOutcome: Hashable, Sendable {
  /// The kernel or the client's queue has it.
  case sent
  /// It is longer than a datagram can be (65,507 bytes).
  case tooLong
  /// No room for it in the kernel, or the client was dropped because its queue is full.
  case noRoom
  /// Nobody is there, or no address that the server listens on leads there.
  case unreachable
}

/// Listens for OSC on UDP and TCP, on several addresses and one port.
///
/// Everything is non-blocking. One thread owns the server: it polls `descriptor` for reading, beside whatever else it
/// waits for, and calls `receive` when that is ready. Answers go back by the socket that the packet came in by.
/// Control thread only.
public final class OSCServer {
  /// TCP connections at a time. A further one is answered `tooMany` as soon as it asks for something, and hung up.
  public static let connectionLimit = 64
  /// Connections that may wait to be told so; the one that waits for longest makes room for the next.
  static let surplusLimit = 16
  /// Bytes that may wait for a TCP client before it is dropped as too slow: enough for a whole first answer to
  /// `/subscribe` with a thousand sessions.
  public static let defaultQueueLimit = 4 << 20

  /// The port of all sockets; where 0 was asked for, the one that the kernel chose.
  public let port: UInt16
  /// Who is heard. Takes effect from the next packet and connection on.
  public var access: OSCAccess
  let queueLimit: Int

  let datagramSockets: [BoundSocket]
  let listeners: [BoundSocket]
  let readiness: ReadinessSet
  let batch = DatagramBatch()
  var streamBuffer = [UInt8](repeating: 0, count: 16384)
  var decoder = OSCDecoder()
  var encoder = OSCEncoder()

  /// By the token that each has in the readiness set.
  var connections: [UInt64: StreamConnection] = [:]
  var tokens: [ClientAddress: UInt64] = [:]
  var nextConnectionToken = Token.firstConnection
  /// The connections beyond the limit, the oldest first.
  var surplus: [UInt64] = []
  /// While `receive` runs, which sends what waits at its end.
  var isReceiving = false
  /// A descriptor to give up when there are no more, so that a connection can be accepted and refused.
  var reserve: Descriptor?
  var counted = OSCCounters()

  /// Opens the sockets.
  ///
  /// - Parameters:
  ///   - addresses: addresses in numbers, or `localhost` (127.0.0.1); 0.0.0.0 is every IPv4 address of the machine and
  ///     :: every IPv6 address.
  ///   - port: 0 lets the kernel choose one.
  ///   - queueLimit: bytes that may wait for one TCP client.
  public init(
    addresses: [String], port: UInt16, access: OSCAccess = OSCAccess(), queueLimit: Int = OSCServer.defaultQueueLimit
  ) throws(OSCServerError) {
    self.access = access
    self.queueLimit = queueLimit
    let sockets = try BoundSocket.open(addresses: addresses, port: port)
    datagramSockets = sockets.datagram
    listeners = sockets.stream
    self.port = sockets.port
    do {
      readiness = try ReadinessSet()
      for (index, socket) in datagramSockets.enumerated() {
        try readiness.add(socket.descriptor, token: Token.firstDatagramSocket + UInt64(index))
      }
      for (index, socket) in listeners.enumerated() {
        try readiness.add(socket.descriptor, token: Token.firstListener + UInt64(index))
      }
    } catch {
      throw .system(error, address: addresses.joined(separator: ", "), port: port)
    }
    reserve = SocketCalls.reserve()
  }

  /// What the control thread polls for reading.
  public var descriptor: Int32 { readiness.number }

  /// What has been counted so far.
  public var counters: OSCCounters {
    var counters = counted
    for socket in datagramSockets { counters.kernelDrops += Int(SocketCalls.kernelDrops(socket.descriptor)) }
    return counters
  }

  /// TCP connections now, without those for whom there is no room.
  public var connectionCount: Int { connections.count - surplus.count }

  /// Numbers by which the readiness set names sockets.
  enum Token {
    static let firstDatagramSocket: UInt64 = 0
    static let firstListener: UInt64 = 1 << 32
    static let firstConnection: UInt64 = 2 << 32
  }
}
