import AddressSpace
import Glibc

extension OSCServer {
  /// Deals with the presses of a packet, whose bytes it is given too, or leaves them to others.
  public typealias PressHandler = (_ presses: Span<Press>, _ bytes: Span<UInt8>, _ origin: PressOrigin) -> Bool

  /// Takes in what waits: packets, connections, hang-ups; and sends on what waits for TCP clients.
  ///
  /// `press` and `handle` may call `send`. What they send to TCP clients goes out together at the end.
  ///
  /// - Parameters:
  ///   - limit: datagrams of each UDP socket. Of each TCP connection 16 KiB are taken at a time. What is left
  ///     keeps `descriptor` ready, so that a flood on one socket holds up neither the others nor the caller.
  ///   - press: is offered each packet of nothing but presses, with its bytes. Returns whether that was all; else `handle` is
  ///     given the packet too.
  ///   - handle: is given what `press` has not dealt with.
  /// - Returns: how many packets were read.
  @discardableResult
  public func receive(
    limit: Int = 256, press: PressHandler = { _, _, _ in false }, _ handle: (OSCServerEvent) -> Void
  ) -> Int {
    isReceiving = true
    let packetsBefore = counted.packets
    // What moves under a hand comes by datagrams: they are read without asking first which sockets are ready.
    for index in datagramSockets.keys { receiveDatagrams(ofSocket: index, limit: limit, press, handle) }
    for ready in readiness.ready() {
      switch ready.token {
      case Token.firstConnection...:
        guard let connection = connections[ready.token] else { continue }
        if ready.isWritable, !connection.isDoomed, !connection.flush() { drop(connection) }
        if ready.isReadable { read(connection, token: ready.token, press, handle) }
      case Token.firstListener...:
        guard let listener = listeners[Int(ready.token - Token.firstListener)] else { continue }
        acceptConnections(of: listener)
      default:
        continue
      }
    }
    isReceiving = false
    flushConnections()
    return counted.packets - packetsBefore
  }

  private func receiveDatagrams(
    ofSocket index: Int, limit: Int, _ press: PressHandler, _ handle: (OSCServerEvent) -> Void
  ) {
    var left = limit
    while left > 0 {
      let wanted = min(left, DatagramBatch.capacity)
      // Nobody can close it meanwhile but whoever handles its packets.
      guard let socket = datagramSockets[index] else { return }
      let count = batch.receive(from: socket.descriptor, limit: wanted)
      for datagram in 0..<count {
        guard let (host, port) = batch.source(of: datagram), access.admits(host) else {
          counted.refused += 1
          continue
        }
        let address = ClientAddress(host: host, port: port, protocol: .udp, socketIndex: index)
        batch.withBytes(of: datagram) { decode($0, from: address, press, handle) }
      }
      guard count == wanted else { return }
      left -= count
    }
  }

  private func decode(
    _ bytes: Span<UInt8>, from address: ClientAddress, _ press: PressHandler, _ handle: (OSCServerEvent) -> Void
  ) {
    if pressReader.read(bytes) {
      let presses = pressReader.presses
      let origin = PressOrigin(
        client: address, isReadOnly: access.isReadOnly(address.host), timeTag: pressReader.timeTag)
      if press(presses.span, bytes, origin) {
        counted.packets += 1
        counted.messages += presses.count
        return
      }
    }
    guard let packet = try? decoder.decode(bytes) else {
      counted.malformed += 1
      return
    }
    counted.packets += 1
    counted.messages += packet.messageCount
    handle(.packet(packet, from: address, isReadOnly: access.isReadOnly(address.host)))
  }

  private func acceptConnections(of listener: BoundSocket) {
    while true {
      do throws(SystemError) {
        guard let accepted = try SocketCalls.accept(listener.descriptor) else { return }
        admit(Descriptor(owning: accepted.descriptor), host: accepted.host, port: accepted.port)
      } catch {
        // A connection that was given up while it waited is no reason to stop.
        if error.code == ECONNABORTED { continue }
        guard error.code == EMFILE || error.code == ENFILE, refuseOneConnection(of: listener) else { return }
      }
    }
  }

  /// Closes a connection that there is no descriptor for: left waiting, it would keep the listener ready for ever.
  ///
  /// - Returns: whether one waited. The kernel says that there are no descriptors left even if none does.
  private func refuseOneConnection(of listener: BoundSocket) -> Bool {
    reserve = nil
    defer { reserve = SocketCalls.reserve() }
    guard let accepted = try? SocketCalls.accept(listener.descriptor) else { return false }
    _ = Descriptor(owning: accepted.descriptor)
    counted.refused += 1
    return true
  }

  private func admit(_ descriptor: consuming Descriptor, host: HostAddress, port: UInt16) {
    guard access.admits(host) else {
      counted.refused += 1
      return
    }
    let isSurplus = connectionCount >= Self.connectionLimit
    if isSurplus {
      counted.refused += 1
      if surplus.count >= Self.surplusLimit { connections[surplus.removeFirst()]?.doom() }
    }
    SocketCalls.setOption(descriptor, level: Int32(IPPROTO_TCP), TCP_NODELAY, to: 1)
    // A client whose cable is pulled is noticed within a minute, whether or not something waits for it.
    SocketCalls.setOption(descriptor, level: SOL_SOCKET, SO_KEEPALIVE, to: 1)
    SocketCalls.setOption(descriptor, level: Int32(IPPROTO_TCP), TCP_KEEPIDLE, to: 20)
    SocketCalls.setOption(descriptor, level: Int32(IPPROTO_TCP), TCP_KEEPINTVL, to: 10)
    SocketCalls.setOption(descriptor, level: Int32(IPPROTO_TCP), TCP_KEEPCNT, to: 3)
    SocketCalls.setOption(descriptor, level: Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, to: 30_000)
    let token = nextConnectionToken
    guard (try? readiness.add(descriptor, token: token)) != nil else {
      counted.refused += 1
      return
    }
    nextConnectionToken += 1
    let address = ClientAddress(host: host, port: port, protocol: .tcp)
    connections[token] = StreamConnection(descriptor: descriptor, address: address, isSurplus: isSurplus)
    tokens[address] = token
    if isSurplus { surplus.append(token) }
  }

  private func read(
    _ connection: StreamConnection, token: UInt64, _ press: PressHandler, _ handle: (OSCServerEvent) -> Void
  ) {
    guard !connection.isDoomed else { return close(connection, token: token, handle) }
    switch SocketCalls.receive(into: &streamBuffer, from: connection.descriptor) {
    case .bytes(let count):
      // The buffer is taken out, so that no one else can touch it while packets in it are handled.
      let bytes = streamBuffer
      consume(bytes.span.extracting(..<count), of: connection, press, handle)
      if connection.isDoomed { close(connection, token: token, handle) }
    case .wouldBlock:
      break
    case .ended, .failed:
      // Whoever asked, closed its sending side and listens on still gets what is ready for it.
      _ = connection.flush()
      close(connection, token: token, handle)
    }
  }

  private func consume(
    _ bytes: Span<UInt8>, of connection: StreamConnection, _ press: PressHandler,
    _ handle: (OSCServerEvent) -> Void
  ) {
    if connection.framing == nil {
      connection.framing = StreamFraming(firstByte: bytes[0])
      connection.deframer = connection.framing.map { StreamDeframer(framing: $0, packetLimit: OSCLimits.packetSize) }
    }
    // Taken out while packets are handled: handling them may send to the same connection.
    guard var deframer = connection.deframer.take() else {
      counted.malformed += 1
      return drop(connection)
    }
    deframer.consume(bytes) { packet, fault in
      if let packet, connection.isSurplus, !admitBelatedly(connection) {
        turnAway(connection, packet)
      } else if let packet {
        decode(packet, from: connection.address, press, handle)
      }
      if let fault {
        counted.malformed += 1
        if fault == .brokenStream { drop(connection) }
      }
    }
    connection.deframer = deframer
  }

  /// Takes a client in for whom there is room after all.
  private func admitBelatedly(_ connection: StreamConnection) -> Bool {
    guard connectionCount < Self.connectionLimit else { return false }
    connection.isSurplus = false
    surplus.removeAll { $0 == tokens[connection.address] }
    return true
  }

  /// Answers the first message of a client for whom there is no room, and hangs up.
  private func turnAway(_ connection: StreamConnection, _ packet: Span<UInt8>) {
    guard !connection.isDoomed, let framing = connection.framing else { return }
    var address: String?
    (try? decoder.decode(packet))?.forEachMessage { message, _ in address = address ?? message.address }
    if let address {
      encoder.encode(
        Message(
          "/error", .string(String(address.prefix(1000))), "tooMany",
          .string("\(Self.connectionLimit) clients are connected already; one of them has to hang up first")))
      let bytes = encoder.bytes
      connection.enqueue(bytes.span, framing: framing)
      _ = connection.flush()
    }
    connection.doom()
  }

  private func close(_ connection: StreamConnection, token: UInt64, _ handle: (OSCServerEvent) -> Void) {
    connections[token] = nil
    tokens[connection.address] = nil
    if connection.isSurplus { surplus.removeAll { $0 == token } }
    handle(.hungUp(connection.address))
  }
}
