import AddressSpace
import Glibc
import Testing

@testable import OSCTransport

@Suite(.serialized)
struct OSCServerMovingTests {
  /// A server that answers with what it hears.
  private func echo(_ addresses: [String]) throws -> TestServer {
    let test = try TestServer(addresses)
    test.answer = { server, message, client in server.send(message, to: client) }
    return test
  }

  private func answers(_ test: TestServer, _ socket: TestSocket, _ number: Int32) throws -> Bool {
    let message = Message("/ask", .int(number))
    let count = test.heard.count
    socket.send(message)
    guard test.run(until: { test.heard.count > count }) else { return false }
    return try socket.receive() == OSCPacket.message(message).encoded()
  }

  @Test func `addresses come and go, and whoever is where it stays notices nothing`() throws {
    let test = try echo(["127.0.0.2"])
    let port = test.server.port
    let staying = try TestSocket(try #require(HostAddress("127.0.0.2")), port: port, .udp)
    #expect(try answers(test, staying, 1))
    try test.server.listen(on: ["127.0.0.3", "127.0.0.2"], port: 0)
    #expect(test.server.port == port)
    let coming = try TestSocket(try #require(HostAddress("127.0.0.3")), port: port, .udp)
    #expect(try answers(test, coming, 2))
    #expect(try answers(test, staying, 3))
    try test.server.listen(on: ["127.0.0.2"], port: port)
    #expect(try answers(test, staying, 4))
    // Nobody is there any more: the kernel says so.
    coming.send(Message("/ask", 5))
    #expect(try coming.receive() == [])
    // One address gives way to all, which need the same port.
    try test.server.listen(on: ["0.0.0.0"], port: port)
    #expect(try answers(test, try TestSocket(port: port, .udp), 6))
    staying.send(Message("/ask", 7))
    #expect(test.run { test.messages.last == Message("/ask", 7) })
  }

  @Test func `another port is taken, and connections of the former one last`() throws {
    let test = try echo(["127.0.0.1"])
    let former = test.server.port
    let connection = try TestSocket(port: former, .tcp)
    connection.send([0xC0] + Array(OSCPacket.message(Message("/hello")).encoded()) + [0xC0])
    #expect(test.run { test.heard.count == 1 })
    #expect(try connection.receive()?.isEmpty == false)
    let other = try TestServer()
    let free = other.server.port
    // It is not free yet: all stays as it was.
    #expect(throws: OSCServerError.portTaken(address: "127.0.0.1", port: free, .udp)) {
      try test.server.listen(on: ["127.0.0.1"], port: free)
    }
    #expect(test.server.port == former)
    #expect(try answers(test, try TestSocket(port: former, .udp), 1))
    try other.server.listen(on: ["127.0.0.2"], port: 0)
    try test.server.listen(on: ["127.0.0.1"], port: free)
    #expect(test.server.port == free)
    #expect(try answers(test, try TestSocket(port: free, .udp), 2))
    connection.send([0xC0] + Array(OSCPacket.message(Message("/still")).encoded()) + [0xC0])
    #expect(test.run { test.messages.last?.address == "/still" })
    #expect(try connection.receive()?.isEmpty == false)
  }

  @Test func `an address that cannot be listened on leaves those that are`() throws {
    let test = try echo(["127.0.0.1"])
    let port = test.server.port
    let blocker = try TestServer(["127.0.0.9"])
    #expect(throws: OSCServerError.addressNotHere("192.0.2.1")) {
      try test.server.listen(on: ["192.0.2.1"], port: port)
    }
    #expect(throws: OSCServerError.badAddress("home")) { try test.server.listen(on: ["home"], port: port) }
    // All addresses: one of them has somebody else on this very port.
    try blocker.server.listen(on: ["127.0.0.9"], port: port)
    #expect(throws: OSCServerError.portTaken(address: "0.0.0.0", port: port, .udp)) {
      try test.server.listen(on: ["0.0.0.0"], port: port)
    }
    #expect(try answers(test, try TestSocket(port: port, .udp), 1))
  }
}
