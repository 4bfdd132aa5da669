import AddressSpace
import Glibc
import Testing

@testable import OSCTransport

/// A server driven by the test's own thread, which notes all that it hears.
final class TestServer {
  let server: OSCServer
  private(set) var heard: [(message: Message, client: ClientAddress, isReadOnly: Bool)] = []
  private(set) var hungUp: [ClientAddress] = []
  /// What is done with each message beyond noting it.
  var answer: (OSCServer, Message, ClientAddress) -> Void = { _, _, _ in }

  init(
    _ addresses: [String] = ["127.0.0.1"], access: OSCAccess = OSCAccess(),
    queueLimit: Int = OSCServer.defaultQueueLimit
  ) throws {
    server = try OSCServer(addresses: addresses, port: 0, access: access, queueLimit: queueLimit)
  }

  var messages: [Message] { heard.map(\.message) }

  /// Polls and receives once; false if nothing was ready within the time.
  @discardableResult
  func step(milliseconds: Int32 = 0) -> Bool {
    var request = pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) > 0 else { return false }
    server.receive { event in
      switch event {
      case .packet(let packet, let client, let isReadOnly):
        packet.forEachMessage { message, _ in
          heard.append((message, client, isReadOnly))
          answer(server, message, client)
        }
      case .hungUp(let client):
        hungUp.append(client)
      }
    }
    return true
  }

  /// Goes on until something is so; false if it is not after ten seconds.
  func run(until isDone: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while !isDone() {
      guard ContinuousClock.now < deadline else { return false }
      step(milliseconds: 50)
    }
    return true
  }
}

/// A bare client socket.
final class TestSocket {
  let descriptor: Descriptor

  init(_ host: HostAddress = .loopbackIPv4, port: UInt16, _ way: OSCProtocol, receiveBuffer: Int32? = nil) throws {
    descriptor = try SocketCalls.open(host.family, way)
    if let receiveBuffer { SocketCalls.setOption(descriptor, level: SOL_SOCKET, SO_RCVBUF, to: receiveBuffer) }
    if try SocketCalls.connect(descriptor, to: host, port: port) { return }
    #expect(try SocketCalls.wait(for: descriptor, writing: true, milliseconds: 5000))
    #expect(SocketCalls.pendingError(descriptor) == 0)
  }

  var port: UInt16 { get throws { try SocketCalls.boundPort(descriptor) } }

  func send(_ bytes: [UInt8]) {
    #expect(SocketCalls.send(bytes.span, on: descriptor) == (bytes.isEmpty ? .ended : .bytes(bytes.count)))
  }

  func send(_ message: Message) {
    send(OSCPacket.message(message).encoded())
  }

  /// What comes within a time; nil if nothing does; no bytes if the other side has hung up.
  func receive(milliseconds: Int32 = 5000) throws -> [UInt8]? {
    guard try SocketCalls.wait(for: descriptor, writing: false, milliseconds: milliseconds) else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65536)
    switch SocketCalls.receive(into: &buffer, from: descriptor) {
    case .bytes(let count): return Array(buffer.prefix(count))
    case .ended, .failed: return []
    case .wouldBlock: return nil
    }
  }

  /// Hangs up; the descriptor stays.
  func hangUp() {
    SocketCalls.shutDown(descriptor)
  }

  /// Says that nothing more will be sent.
  func stopSending() {
    #expect(shutdown(descriptor.number, Int32(SHUT_WR)) == 0)
  }
}
