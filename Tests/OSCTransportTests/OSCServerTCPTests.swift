import AddressSpace
import Glibc
import Testing

@testable import OSCTransport

@Suite(.serialized)
struct OSCServerTCPTests {
  private func frame(_ message: Message, _ framing: StreamFraming) -> [UInt8] {
    var bytes: [UInt8] = []
    framing.append(OSCPacket.message(message).encoded().span, to: &bytes)
    return bytes
  }

  private func echo(_ addresses: [String] = ["127.0.0.1"]) throws -> TestServer {
    let test = try TestServer(addresses)
    test.answer = { server, message, client in server.send(message, to: client) }
    return test
  }

  @Test(arguments: [StreamFraming.slip, .lengthPrefixed], [HostAddress.loopbackIPv4, .loopbackIPv6])
  func `a client is answered on its connection, in its own framing`(framing: StreamFraming, host: HostAddress) throws {
    let test = try echo([host.description])
    let socket = try TestSocket(host, port: test.server.port, .tcp)
    let first = frame(Message("/a", .int(0xC0), .int(-1)), framing)
    let second = frame(Message("/b", .string("two")), framing)
    socket.send(first + second)
    #expect(test.run { test.heard.count == 2 })
    #expect(try socket.receive() == first + second)
    #expect(test.heard.first?.client == ClientAddress(host: host, port: try socket.port, protocol: .tcp))
  }

  @Test(arguments: [StreamFraming.slip, .lengthPrefixed])
  func `packets are heard wherever the stream is cut`(framing: StreamFraming) throws {
    let test = try TestServer()
    let stream = frame(Message("/a", .int(0xC0DB)), framing) + frame(Message("/b"), framing)
    for cut in 1..<stream.count {
      let socket = try TestSocket(port: test.server.port, .tcp)
      socket.send(Array(stream[..<cut]))
      // Loopback delivers at once: when nothing is ready any more, the first piece has been taken in.
      #expect(test.run { test.server.connectionCount == 1 })
      while test.step(milliseconds: 1) {}
      socket.send(Array(stream[cut...]))
      socket.hangUp()
      #expect(test.run { test.server.connectionCount == 0 })
    }
    #expect(test.heard.count == 2 * (stream.count - 1))
    #expect(test.hungUp.count == stream.count - 1)
    #expect(test.server.counters.malformed == 0)
  }

  @Test func `a client that hangs up is told of once, after all that it said`() throws {
    let test = try echo()
    var socket: TestSocket? = try TestSocket(port: test.server.port, .tcp)
    let port = try socket?.port
    socket?.send(frame(Message("/last"), .slip))
    socket = nil
    #expect(test.run { !test.hungUp.isEmpty })
    #expect(test.messages == [Message("/last")])
    #expect(test.hungUp.map(\.port) == [port])
    #expect(test.server.send(Message("/late"), to: test.hungUp[0]) == .unreachable)
    #expect(test.server.counters.droppedClients == 0)
  }

  @Test func `who stops sending but still listens gets its answers`() throws {
    let test = try echo()
    let socket = try TestSocket(port: test.server.port, .tcp)
    socket.send(frame(Message("/ask"), .slip))
    socket.stopSending()
    #expect(test.run { !test.hungUp.isEmpty })
    #expect(try socket.receive() == frame(Message("/ask"), .slip))
  }

  @Test func `a client that does not read is dropped and counted, and holds up nobody`() throws {
    let test = try TestServer(queueLimit: 200_000)
    let slow = try TestSocket(port: test.server.port, .tcp, receiveBuffer: 4096)
    let quick = try TestSocket(port: test.server.port, .tcp)
    slow.send(frame(Message("/slow"), .lengthPrefixed))
    #expect(test.run { test.heard.count == 1 })
    quick.send(frame(Message("/quick"), .lengthPrefixed))
    #expect(test.run { test.heard.count == 2 })
    let (slowClient, quickClient) = (test.heard[0].client, test.heard[1].client)
    let notice = Message("/notice", .string(String(repeating: "x", count: 1000)))
    var outcome = OSCSendOutcome.sent
    var noticeCount = 0
    // The kernel's own buffers hold some megabytes at most.
    while outcome == .sent, noticeCount < 50_000 {
      outcome = test.server.send(notice, to: slowClient)
      #expect(test.server.send(notice, to: quickClient) == .sent)
      noticeCount += 1
      test.step()
      while try quick.receive(milliseconds: 0) != nil {}
    }
    #expect(outcome == .noRoom)
    #expect(test.run { test.hungUp == [slowClient] })
    #expect(test.server.counters.droppedClients == 1)
    #expect(test.server.counters.unsent == 1)
    quick.send(frame(Message("/still/here"), .lengthPrefixed))
    #expect(test.run { test.heard.count == 3 })
  }

  @Test func `an answer larger than the kernel's buffers arrives whole`() throws {
    let test = try TestServer()
    let count = 6000
    test.answer = { server, _, client in
      for index in 0..<Int32(count) {
        server.send(Message("/n", .int(index), .string(String(repeating: "y", count: 500))), to: client)
      }
    }
    let socket = try TestSocket(port: test.server.port, .tcp, receiveBuffer: 4096)
    socket.send(frame(Message("/subscribe"), .lengthPrefixed))
    #expect(test.run { test.heard.count == 1 })
    var deframer = StreamDeframer(framing: .lengthPrefixed, packetLimit: 1000)
    var indices: [Int32] = []
    #expect(
      test.run {
        while let bytes = try? socket.receive(milliseconds: 0), !bytes.isEmpty {
          deframer.consume(bytes.span) { packet, _ in
            guard let packet, let message = (try? OSCPacket(decoding: packet))?.message else { return }
            if case .int(let index)? = message.arguments.first { indices.append(index) }
          }
        }
        return indices.count == count
      })
    #expect(indices == Array(0..<Int32(count)))
    #expect(test.server.counters.droppedClients == 0)
  }

  @Test func `what is sent outside of receiving makes the descriptor ready and goes out`() throws {
    let test = try TestServer()
    let socket = try TestSocket(port: test.server.port, .tcp)
    socket.send(frame(Message("/hello"), .slip))
    #expect(test.run { test.heard.count == 1 })
    test.server.send(Message("/notice"), to: test.heard[0].client)
    #expect(test.step(milliseconds: 1000))
    #expect(try socket.receive() == frame(Message("/notice"), .slip))
    // And nothing keeps it ready afterwards.
    #expect(!test.step())
    test.server.send(Message("/again"), to: test.heard[0].client)
    test.server.flushConnections()
    #expect(try socket.receive() == frame(Message("/again"), .slip))
    #expect(!test.step())
  }

  @Test func `a bad frame is counted; a stream that is none is dropped`() throws {
    let test = try TestServer()
    let good = try TestSocket(port: test.server.port, .tcp)
    good.send([SLIP.end, 1, 2, 3, SLIP.end] + frame(Message("/good"), .slip))
    #expect(test.run { test.heard.count == 1 })
    #expect(test.server.counters.malformed == 1)
    for bytes in [Array("GET / HTTP/1.1\r\n\r\n".utf8), [0, 1, 0, 1, 2, 3, 4, 5]] {
      let bad = try TestSocket(port: test.server.port, .tcp)
      let hungUp = test.hungUp.count
      bad.send(bytes)
      #expect(test.run { test.hungUp.count == hungUp + 1 })
      #expect(try bad.receive() == [])
    }
    #expect(test.server.counters.malformed == 3)
    #expect(test.server.counters.droppedClients == 2)
    #expect(test.server.connectionCount == 1)
  }

  @Test(arguments: [StreamFraming.slip, .lengthPrefixed])
  func `a 65th client is told that there are too many, none is thrown out`(framing: StreamFraming) throws {
    let test = try TestServer()
    var sockets = try full(test)
    let further = try TestSocket(port: test.server.port, .tcp)
    further.send(frame(Message("/me/too", 1), framing))
    #expect(test.run { test.server.counters.refused == 1 && test.server.connectionCount == sockets.count })
    var deframer = StreamDeframer(framing: framing, packetLimit: 1000)
    var answers: [OSCPacket] = []
    #expect(
      test.run {
        guard let bytes = try? further.receive(milliseconds: 20) else { return false }
        if bytes.isEmpty { return true }
        deframer.consume(bytes.span) { packet, _ in
          if let packet, let answer = try? OSCPacket(decoding: packet) { answers.append(answer) }
        }
        return false
      })
    guard case .message(let answer)? = answers.first, answers.count == 1 else {
      Issue.record("it was answered \(answers)")
      return
    }
    #expect(answer.address == "/error")
    #expect(answer.arguments.prefix(2) == ["/me/too", "tooMany"])
    #expect(test.messages.isEmpty)
    for socket in sockets { socket.send(frame(Message("/here"), framing)) }
    #expect(test.run { test.heard.count == sockets.count })
    // Where one leaves, the next one is in.
    sockets.removeLast()
    #expect(test.run { test.server.connectionCount == sockets.count })
    let next = try TestSocket(port: test.server.port, .tcp)
    next.send(frame(Message("/in"), framing))
    #expect(test.run { test.messages.last == Message("/in") })
  }

  @Test func `clients beyond the limit that say nothing do not pile up, and are let in when there is room`() throws {
    let test = try TestServer()
    var sockets = try full(test)
    let waiting = try (0..<40).map { _ in try TestSocket(port: test.server.port, .tcp) }
    #expect(test.run { test.server.counters.refused == waiting.count })
    // The oldest had to make room for the others.
    #expect(try waiting[0].receive() == [])
    sockets.removeFirst(3)
    #expect(test.run { test.server.connectionCount == sockets.count })
    waiting[39].send(frame(Message("/after/all"), .slip))
    #expect(test.run { test.messages == [Message("/after/all")] })
    #expect(test.server.connectionCount == sockets.count + 1)
  }

  /// Connects as many clients as there may be.
  private func full(_ test: TestServer) throws -> [TestSocket] {
    let sockets = try (0..<OSCServer.connectionLimit).map { _ in
      defer { test.step(milliseconds: 1000) }
      return try TestSocket(port: test.server.port, .tcp)
    }
    #expect(test.run { test.server.connectionCount == OSCServer.connectionLimit })
    return sockets
  }

  @Test func `with no descriptors left further connections are refused, and nothing spins`() async {
    // In a process of its own: the others need their descriptors.
    await #expect(processExitsWith: .success) {
      let test = try TestServer()
      let sockets = try (0..<10).map { _ in try TestSocket(port: test.server.port, .tcp) }
      let next = try SocketCalls.open(.ipv4, .udp).number
      var limit = rlimit(rlim_cur: rlim_t(next) + 2, rlim_max: rlim_t(next) + 2)
      let result = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      #expect(result == 0)
      #expect(test.run { test.server.counters.refused + test.server.connectionCount == sockets.count })
      #expect(test.server.counters.refused > 0)
      while test.step() {}
      sockets[0].send([SLIP.end] + Bytes.message("/still/here", "") + [SLIP.end])
      #expect(test.run { test.messages == [Message("/still/here")] })
    }
  }

  @Test func `who is not allowed is disconnected unheard`() throws {
    let test = try TestServer(access: OSCAccess(allow: [try CIDRBlock("192.0.2.0/24")]))
    let socket = try TestSocket(port: test.server.port, .tcp)
    #expect(test.run { test.server.counters.refused == 1 })
    #expect(try socket.receive() == [])
    #expect(test.server.connectionCount == 0)
  }

  @Test func `the port is free again as soon as the server is gone, connections or not`() throws {
    var test: TestServer? = try echo()
    let port = try #require(test?.server.port)
    let socket = try TestSocket(port: port, .tcp)
    socket.send(frame(Message("/a"), .slip))
    #expect(test?.run { test?.heard.count == 1 } == true)
    test = nil
    _ = try OSCServer(addresses: ["127.0.0.1"], port: port)
  }
}
