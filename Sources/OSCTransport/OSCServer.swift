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
  public private(set) var port: UInt16
  /// Who is heard. Takes effect from the next packet and connection on.
  public var access: OSCAccess
  let queueLimit: Int

  /// By a number that no other socket gets: a client may still be known by the number of one that is closed.
  private(set) var datagramSockets: [Int: BoundSocket] = [:]
  private(set) var listeners: [Int: BoundSocket] = [:]
  private var nextSocket = 0
  let readiness: ReadinessSet
  let batch = DatagramBatch()
  var streamBuffer = [UInt8](repeating: 0, count: 16384)
  var decoder = OSCDecoder()
  var pressReader = PressReader()
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
    self.port = port
    do {
      readiness = try ReadinessSet()
    } catch {
      throw .system(error, address: addresses.joined(separator: ", "), port: port)
    }
    reserve = SocketCalls.reserve()
    try listen(on: addresses, port: port)
  }

  /// Listens on other addresses or another port from now on. Sockets that are wanted still stay as they are, and so do TCP
  /// connections, wherever they came in. If one cannot be opened all is as before.
  ///
  /// - Parameter port: 0 keeps the port that there is, or lets the kernel choose one where there is none.
  public func listen(on addresses: [String], port wanted: UInt16) throws(OSCServerError) {
    let hosts = try BoundSocket.hosts(addresses)
    let isKept = !datagramSockets.isEmpty && (wanted == 0 || wanted == port)
    let leaving = datagramSockets.filter { !isKept || !hosts.contains($0.value.host) }.map(\.key)
    let staying = datagramSockets.values.map(\.host).filter { isKept && hosts.contains($0) }
    let new = hosts.filter { !staying.contains($0) }
    do {
      let sockets = try open(new, port: isKept ? port : wanted)
      close(leaving)
      add(sockets)
    } catch .portTaken where isKept && !leaving.isEmpty {
      // An address of the machine and all of its addresses cannot have the same port at a time.
      let former = leaving.compactMap { datagramSockets[$0]?.host }
      close(leaving)
      do {
        add(try open(new, port: port))
      } catch {
        add(try open(former, port: port))
        throw error
      }
    }
  }

  private func open(_ hosts: [HostAddress], port: UInt16) throws(OSCServerError) -> BoundSocket.Opened {
    let sockets = try BoundSocket.open(hosts, port: port)
    do throws(SystemError) {
      // What fails half-way is closed with them, and so taken out again.
      for (index, socket) in sockets.datagram.enumerated() {
        try readiness.add(socket.descriptor, token: Token.firstDatagramSocket + UInt64(nextSocket + index))
      }
      for (index, socket) in sockets.stream.enumerated() {
        try readiness.add(socket.descriptor, token: Token.firstListener + UInt64(nextSocket + index))
      }
    } catch {
      throw .system(error, address: hosts.map(\.description).joined(separator: ", "), port: port)
    }
    return sockets
  }

  private func add(_ sockets: BoundSocket.Opened) {
    for (index, socket) in sockets.datagram.enumerated() { datagramSockets[nextSocket + index] = socket }
    for (index, socket) in sockets.stream.enumerated() { listeners[nextSocket + index] = socket }
    nextSocket += sockets.datagram.count
    if let port = sockets.port { self.port = port }
  }

  private func close(_ numbers: [Int]) {
    for number in numbers {
      if let socket = datagramSockets.removeValue(forKey: number) {
        counted.kernelDrops += Int(SocketCalls.kernelDrops(socket.descriptor))
      }
      listeners[number] = nil
    }
  }

  /// What the control thread polls for reading.
  public var descriptor: Int32 { readiness.number }

  /// What has been counted so far.
  public var counters: OSCCounters {
    var counters = counted
    for socket in datagramSockets.values { counters.kernelDrops += Int(SocketCalls.kernelDrops(socket.descriptor)) }
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
