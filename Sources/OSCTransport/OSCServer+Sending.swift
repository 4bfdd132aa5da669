import AddressSpace
import Glibc

extension OSCServer {
  /// Sends a message to a client.
  @discardableResult
  public func send(
    _ message: Message, to client: ClientAddress, booleans: OSCBooleanFormat = .typed
  ) -> OSCSendOutcome {
    encoder.encode(message, booleans: booleans)
    let bytes = encoder.bytes
    return send(encoded: bytes.span, to: client)
  }

  /// Sends a packet to a client.
  @discardableResult
  public func send(
    _ packet: OSCPacket, to client: ClientAddress, booleans: OSCBooleanFormat = .typed
  ) -> OSCSendOutcome {
    encoder.encode(packet, booleans: booleans)
    let bytes = encoder.bytes
    return send(encoded: bytes.span, to: client)
  }

  /// Sends the bytes of a packet to a client: for one that goes to many, encoded once.
  ///
  /// Never waits. A datagram goes at once. What goes to a TCP client is put in its queue; a client whose queue would
  /// grow beyond its limit is dropped.
  @discardableResult
  public func send(encoded packet: Span<UInt8>, to client: ClientAddress) -> OSCSendOutcome {
    let outcome = client.protocol == .udp ? sendDatagram(packet, to: client) : enqueue(packet, for: client)
    if outcome != .sent { counted.unsent += 1 }
    return outcome
  }

  /// Whether an address that the server listens on leads to a client.
  public func canReach(_ client: ClientAddress) -> Bool {
    client.protocol == .udp ? datagramSocket(for: client) != nil : tokens[client] != nil
  }

  private func sendDatagram(_ packet: Span<UInt8>, to client: ClientAddress) -> OSCSendOutcome {
    guard let socket = datagramSocket(for: client) else { return .unreachable }
    switch SocketCalls.send(packet, on: socket.descriptor, to: client.host, port: client.port) {
    case .bytes, .ended: return .sent
    case .wouldBlock, .failed(ENOBUFS): return .noRoom
    case .failed(EMSGSIZE): return .tooLong
    case .failed: return .unreachable
    }
  }

  /// The socket that the client's packets came in by; for one who is known by a URL alone, the first that leads there.
  private func datagramSocket(for client: ClientAddress) -> BoundSocket? {
    if let index = client.socketIndex, let socket = datagramSockets[index] { return socket }
    return datagramSockets.sorted { $0.key < $1.key }.map(\.value).first {
      $0.host.family == client.host.family && ($0.host.isUnspecified || $0.host.isLoopback == client.isLoopback)
    }
  }

  /// Bytes from which on a queue is sent on at once, so that a large answer does not have to fit into it.
  private static let eagerFlushSize = 65536

  private func enqueue(_ packet: Span<UInt8>, for client: ClientAddress) -> OSCSendOutcome {
    guard let token = tokens[client], let connection = connections[token], !connection.isDoomed,
      let framing = connection.framing
    else { return .unreachable }
    connection.enqueue(packet, framing: framing)
    if connection.queuedCount > Self.eagerFlushSize, !connection.flush() {
      drop(connection)
      return .unreachable
    }
    guard connection.queuedCount <= queueLimit else {
      drop(connection)
      return .noRoom
    }
    if !isReceiving { awaitWriting(connection, token: token) }
    return .sent
  }

  /// Sends what waits for TCP clients, as far as the kernel takes it.
  ///
  /// `receive` ends with it. Whoever sends outside of `receive` may call it to have that sent before the next poll;
  /// else `descriptor` becomes ready for it at once.
  public func flushConnections() {
    for (token, connection) in connections where !connection.isDoomed {
      if connection.queuedCount > 0, !connection.flush() {
        drop(connection)
      } else {
        awaitWriting(connection, token: token)
      }
    }
  }

  /// Tells the readiness set whether a connection waits to be written.
  private func awaitWriting(_ connection: StreamConnection, token: UInt64) {
    let isWaiting = connection.queuedCount > 0
    guard isWaiting != connection.isAwaitingWriting else { return }
    guard (try? readiness.setWriting(isWaiting, connection.descriptor, token: token)) != nil else {
      return drop(connection)
    }
    connection.isAwaitingWriting = isWaiting
  }

  /// Gives up a TCP client. Its hang-up is told by the next `receive`.
  func drop(_ connection: StreamConnection) {
    guard !connection.isDoomed else { return }
    connection.doom()
    counted.droppedClients += 1
  }
}
