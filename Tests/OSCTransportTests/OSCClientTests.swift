import AddressSpace
import Foundation
import Synchronization
import Testing

@testable import OSCTransport

/// A server in a thread of its own, as a blocking client needs it.
final class BackgroundServer: Sendable {
  private let isStopping = Atomic(false)
  private let stopped = DispatchSemaphore(value: 0)
  let port: UInt16

  /// - Parameter isAnswering: whether `/sync` and `/get` are answered.
  init(_ addresses: [String] = ["127.0.0.1"], isAnswering: Bool = true) throws {
    let test = try TestServer(addresses)
    port = test.server.port
    if isAnswering {
      test.answer = { server, message, client in
        switch message.address {
        case "/sync": server.send(Message("/synced", message.arguments), to: client)
        case "/get":
          server.send(.bundle(.immediate, [.message(Message("/one", .int(1))), .message(Message("/two"))]), to: client)
        case "/half": server.send(Message("/half", .bool(true)), to: client)
        case "/big": server.send(Message("/big", .string(String(repeating: "b", count: 200_000))), to: client)
        default: server.send(Message("/error", .string(message.address), "badAddress", "no such address"), to: client)
        }
      }
    }
    let driven = Driven(test)
    Thread.detachNewThread { [self] in
      while !isStopping.load(ordering: .relaxed) { driven.test.step(milliseconds: 20) }
      stopped.signal()
    }
  }

  /// The server goes over to its thread and is touched by nobody else.
  private struct Driven: @unchecked Sendable {
    let test: TestServer
    init(_ test: TestServer) { self.test = test }
  }

  func stop() {
    isStopping.store(true, ordering: .relaxed)
    stopped.wait()
  }
}

@Suite(.serialized)
struct OSCClientTests {
  @Test(arguments: [OSCProtocol.udp, .tcp])
  func `answers are gathered until the server says that all is in force`(way: OSCProtocol) throws {
    let server = try BackgroundServer()
    defer { server.stop() }
    let client = try OSCClient(host: "127.0.0.1", port: server.port, protocol: way)
    let exchange = try client.exchange([Message("/get"), Message("/nonsense", .int(1))], timeout: .seconds(5))
    #expect(exchange.isComplete)
    #expect(
      exchange.answers == [
        Message("/one", .int(1)), Message("/two"), Message("/error", "/nonsense", "badAddress", "no such address"),
      ])
    #expect(try client.exchange([], timeout: .seconds(5)).answers == [])
  }

  @Test(arguments: [OSCProtocol.udp, .tcp])
  func `a port that nobody listens on is told from a server that is silent`(way: OSCProtocol) throws {
    let free = try OSCServer(addresses: ["127.0.0.1"], port: 0).port
    let error = #expect(throws: OSCClientError.self) {
      try OSCClient(host: "127.0.0.1", port: free, protocol: way).exchange([Message("/get")], timeout: .seconds(5))
    }
    #expect(error == .noServer(host: "127.0.0.1", port: free, way))
    #expect(error?.meansNoServer == true)
    #expect(error?.description.contains("eider run") == true)

    let server = try BackgroundServer(isAnswering: false)
    defer { server.stop() }
    let silence = #expect(throws: OSCClientError.self) {
      try OSCClient(host: "127.0.0.1", port: server.port, protocol: way)
        .exchange([Message("/get")], timeout: .milliseconds(200))
    }
    #expect(silence == .noAnswer(host: "127.0.0.1", port: server.port, way, seconds: 0.2))
    #expect(silence?.meansNoServer == true)
  }

  @Test(arguments: [OSCProtocol.udp, .tcp])
  func `a name with several addresses leads to the one that listens`(way: OSCProtocol) throws {
    let server = try BackgroundServer(["127.0.0.1"])
    defer { server.stop() }
    // Whatever order the system gives its addresses in.
    let client = try OSCClient(host: "localhost", port: server.port, protocol: way)
    #expect(try client.exchange([Message("/half")], timeout: .seconds(5)).answers == [Message("/half", .bool(true))])
    let six = try BackgroundServer(["::1"])
    defer { six.stop() }
    let clientOfSix = try OSCClient(host: "::1", port: six.port, protocol: way)
    #expect(try clientOfSix.exchange([], timeout: .seconds(5)).isComplete)
  }

  @Test func `what comes later is received one by one`() throws {
    let server = try BackgroundServer()
    defer { server.stop() }
    let client = try OSCClient(host: "127.0.0.1", port: server.port, protocol: .tcp)
    try client.send(Message("/half"), timeout: .seconds(5))
    try client.send(Message("/big"), timeout: .seconds(5))
    #expect(try client.receive(timeout: .seconds(5))?.message == Message("/half", .bool(true)))
    #expect(try client.receive(timeout: .seconds(5))?.message?.address == "/big")
    #expect(try client.receive(timeout: .milliseconds(10)) == nil)
  }

  @Test func `a server that ends is noticed`() throws {
    let server = try BackgroundServer()
    let client = try OSCClient(host: "127.0.0.1", port: server.port, protocol: .tcp)
    #expect(try client.exchange([], timeout: .seconds(5)).isComplete)
    server.stop()
    #expect(throws: OSCClientError.hungUp) { try client.receive(timeout: .seconds(5)) }
  }

  @Test func `a name that leads nowhere is named`() {
    let error = #expect(throws: OSCClientError.self) { try OSCClient(host: "no such host", port: 1) }
    #expect(error?.description.contains("no such host") == true)
  }

  @Test func `what cannot be sent is said`() throws {
    let server = try BackgroundServer()
    defer { server.stop() }
    let client = try OSCClient(host: "127.0.0.1", port: server.port)
    #expect(throws: OSCClientError.tooLong) {
      try client.send(Message("/a", .string(String(repeating: "x", count: 70_000))), timeout: .seconds(1))
    }
    #expect(throws: OSCClientError.unsendable(.zeroInText("x\0"))) {
      try client.send(Message("/a", .string("x\0")), timeout: .seconds(1))
    }
  }
}
