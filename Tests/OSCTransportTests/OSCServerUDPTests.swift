import AddressSpace
import Glibc
import Testing

@testable import OSCTransport

@Suite(.serialized)
struct OSCServerUDPTests {
  @Test(arguments: [("127.0.0.1", HostAddress.loopbackIPv4), ("::1", .loopbackIPv6)])
  func `an answer goes to the host and port that the message came from`(address: String, host: HostAddress) throws {
    let test = try TestServer([address])
    test.answer = { server, message, client in server.send(message, to: client) }
    let first = try TestSocket(host, port: test.server.port, .udp)
    let second = try TestSocket(host, port: test.server.port, .udp)
    first.send(Message("/first", .int(1)))
    second.send(Message("/second", .int(2)))
    #expect(test.run { test.heard.count == 2 })
    #expect(try first.receive() == OSCPacket.message(Message("/first", .int(1))).encoded())
    #expect(try second.receive() == OSCPacket.message(Message("/second", .int(2))).encoded())
    #expect(try first.receive(milliseconds: 0) == nil)
    #expect(Set(test.heard.map(\.client.port)) == [try first.port, try second.port])
    #expect(test.heard.allSatisfy { $0.client.host == host && $0.client.isLoopback && $0.client.protocol == .udp })
  }

  @Test func `one server listens on several addresses and answers from the one that was asked`() throws {
    let test = try TestServer(["127.0.0.2", "127.0.0.3", "::1"])
    test.answer = { server, message, client in server.send(message, to: client) }
    let hosts = [try #require(HostAddress("127.0.0.2")), try #require(HostAddress("127.0.0.3")), .loopbackIPv6]
    // A connected socket hears only from the address that it is connected to.
    let sockets = try hosts.map { try TestSocket($0, port: test.server.port, .udp) }
    for (index, socket) in sockets.enumerated() { socket.send(Message("/from", .int(Int32(index)))) }
    #expect(test.run { test.heard.count == 3 })
    for (index, socket) in sockets.enumerated() {
      #expect(try socket.receive() == OSCPacket.message(Message("/from", .int(Int32(index)))).encoded())
    }
  }

  @Test func `every datagram of a burst is heard, in order`() throws {
    let test = try TestServer()
    let socket = try TestSocket(port: test.server.port, .udp)
    for round in 0..<10 as Range<Int32> {
      for index in 0..<100 as Range<Int32> { socket.send(Message("/n", .int(round * 100 + index))) }
      #expect(test.run { test.heard.count == Int(round + 1) * 100 })
    }
    #expect(test.messages == (0..<1000).map { Message("/n", .int($0)) })
    #expect(test.server.counters.packets == 1000)
    #expect(test.server.counters.messages == 1000)
    #expect(test.server.counters.kernelDrops == 0)
  }

  @Test func `what one call leaves because of its limit the next one takes`() throws {
    let test = try TestServer()
    let socket = try TestSocket(port: test.server.port, .udp)
    for index in 0..<100 as Range<Int32> { socket.send(Message("/n", .int(index))) }
    var counts: [Int] = []
    for _ in 0..<3 {
      var count = 0
      test.server.receive(limit: 40) { _ in count += 1 }
      counts.append(count)
    }
    #expect(counts == [40, 40, 20])
  }

  @Test func `malformed datagrams are counted and dropped, and harm nothing`() throws {
    let test = try TestServer()
    let socket = try TestSocket(port: test.server.port, .udp)
    for bytes in [
      [], [0], Array("GET / HTTP/1.1\r\n\r\n".utf8), Bytes.message("/a", "q"), Bytes.bundle(1) + [0, 0, 0, 8],
    ] {
      socket.send(bytes)
    }
    socket.send(Message("/fine"))
    #expect(test.run { test.heard.count == 1 })
    #expect(test.server.counters.malformed == 5)
    #expect(test.server.counters.packets == 1)
    #expect(try socket.receive(milliseconds: 0) == nil)
  }

  @Test func `the messages of a bundle are counted each`() throws {
    let test = try TestServer()
    let socket = try TestSocket(port: test.server.port, .udp)
    socket.send(Bytes.bundle(1, Bytes.message("/a", ""), Bytes.bundle(1, Bytes.message("/b", ""))))
    #expect(test.run { test.heard.count == 2 })
    #expect(test.server.counters.packets == 1)
    #expect(test.server.counters.messages == 2)
  }

  @Test func `who is not allowed gets nothing and is counted, who may only read is marked`() throws {
    let access = OSCAccess(allow: [try CIDRBlock("127.0.0.2")], readOnly: [])
    let test = try TestServer(access: access)
    let refused = try TestSocket(port: test.server.port, .udp)
    let allowed = try SocketCalls.open(.ipv4, .udp)
    let other = try #require(HostAddress("127.0.0.2"))
    try SocketCalls.bind(allowed, to: other, port: 0)
    func sendAllowed() {
      let bytes = Bytes.message("/allowed", "")
      _ = SocketCalls.send(bytes.span, on: allowed, to: .loopbackIPv4, port: test.server.port)
    }
    refused.send(Message("/refused"))
    sendAllowed()
    #expect(test.run { test.heard.count == 1 })
    #expect(test.messages == [Message("/allowed")])
    #expect(test.heard.last?.isReadOnly == false)
    #expect(test.server.counters.refused == 1)
    test.server.access.readOnly = [try CIDRBlock("127.0.0.0/29")]
    sendAllowed()
    #expect(test.run { test.heard.count == 2 })
    #expect(test.heard.last?.isReadOnly == true)
  }

  @Test func `a client named by a URL is reached, one that no address leads to is not`() throws {
    let test = try TestServer()
    let listener = try TestServer()
    let client = try ClientAddress(url: "osc.udp://127.0.0.1:\(listener.server.port)/")
    #expect(test.server.canReach(client))
    #expect(test.server.send(Message("/notice", .bool(true)), to: client, booleans: .int) == .sent)
    #expect(listener.run { listener.heard.count == 1 })
    #expect(listener.messages == [Message("/notice", .int(1))])
    #expect(listener.heard.first?.client.port == test.server.port)
    for url in ["osc.udp://192.0.2.1:9/", "osc.udp://[::1]:9/"] {
      let far = try ClientAddress(url: url)
      #expect(!test.server.canReach(far))
      #expect(test.server.send(Message("/notice"), to: far) == .unreachable)
    }
    #expect(test.server.counters.unsent == 2)
  }

  @Test func `a packet longer than a datagram is told to be so`() throws {
    let test = try TestServer()
    let client = try ClientAddress(url: "osc.udp://127.0.0.1:9/")
    #expect(test.server.send(Message("/a", .string(String(repeating: "x", count: 70_000))), to: client) == .tooLong)
  }

  @Test func `a port that is taken is named, and how to go on`() throws {
    let test = try TestServer(["127.0.0.1"])
    let error = #expect(throws: OSCServerError.self) {
      try OSCServer(addresses: ["127.0.0.2", "127.0.0.1"], port: test.server.port)
    }
    #expect(error == .portTaken(address: "127.0.0.1", port: test.server.port, .udp))
    let sentence = try #require(error?.description)
    #expect(sentence.contains("UDP port \(test.server.port) on 127.0.0.1"))
    #expect(sentence.contains("--port"))
    // Nothing of the attempt is left behind.
    _ = try OSCServer(addresses: ["127.0.0.2"], port: test.server.port)
  }

  @Test func `addresses that cannot be listened on are refused with their name`() throws {
    #expect(throws: OSCServerError.noAddress) { try OSCServer(addresses: [], port: 0) }
    #expect(throws: OSCServerError.badAddress("studio")) { try OSCServer(addresses: ["studio"], port: 0) }
    #expect(throws: OSCServerError.addressNotHere("192.0.2.1")) { try OSCServer(addresses: ["192.0.2.1"], port: 0) }
    for error in [OSCServerError.noAddress, .badAddress("studio"), .addressNotHere("192.0.2.1")] {
      #expect(!error.description.isEmpty)
    }
  }

  @Test func `the whole of IPv4 and the whole of IPv6 can be listened on side by side`() throws {
    let test = try TestServer(["0.0.0.0", "::", "0.0.0.0"])
    test.answer = { server, message, client in server.send(message, to: client) }
    let four = try TestSocket(try #require(HostAddress("127.0.0.9")), port: test.server.port, .udp)
    let six = try TestSocket(.loopbackIPv6, port: test.server.port, .udp)
    four.send(Message("/four"))
    six.send(Message("/six"))
    #expect(test.run { test.heard.count == 2 })
    #expect(Set(test.heard.map(\.client.host.family)) == [.ipv4, .ipv6])
    #expect(try six.receive() == OSCPacket.message(Message("/six")).encoded())
  }
}
