import AddressSpace
import Foundation
import Testing

@testable import OSCTransport

/// The same bytes through another implementation's programs: `oscsend` and `oscdump` of liblo-tools.
@Suite(.serialized)
struct LibloToolsTests {
  private func start(_ arguments: [String], output: Pipe? = nil) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    return process
  }

  @Test(arguments: ["udp", "tcp"]) func `oscsend is understood`(way: String) throws {
    let test = try TestServer()
    let process = try start([
      "oscsend", "osc.\(way)://127.0.0.1:\(test.server.port)", "/session/music/volume", "ifhdsSTFNI", "-3", "0.25",
      "123456789012", "1.5", "one two", "sym",
    ])
    defer { process.waitUntilExit() }
    #expect(test.run { test.heard.count == 1 })
    #expect(
      test.messages == [
        Message(
          "/session/music/volume", .int(-3), .float(0.25), .long(123_456_789_012), .double(1.5), .string("one two"),
          .string("sym"), .bool(true), .bool(false), .other(tag: "N"), .other(tag: "I"))
      ])
    #expect(test.server.counters.malformed == 0)
  }

  @Test func `oscdump understands what is sent`() throws {
    let test = try TestServer()
    // A port that was free a moment ago.
    let port = try OSCServer(addresses: ["127.0.0.1"], port: 0).port
    let output = Pipe()
    let process = try start(["oscdump", "-L", "\(port)"], output: output)
    defer {
      // It only notes gentler signals, and waits for a message to act on them.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    let client = try ClientAddress(url: "osc.udp://127.0.0.1:\(port)/")
    let message = Message(
      "/a/b", .int(7), .float(0.5), .string("text"), .bool(true), .bool(false), .double(2), .long(9))
    // It says nothing when it is ready: sent again until it answers.
    let deadline = ContinuousClock.now + .seconds(10)
    var dumped = Data()
    let reader = output.fileHandleForReading.fileDescriptor
    var request = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    while dumped.filter({ $0 == UInt8(ascii: "\n") }).count < 3, ContinuousClock.now < deadline {
      test.server.send(.bundle(.immediate, [.message(message), .message(Message("/c"))]), to: client)
      if poll(&request, 1, 50) > 0 { dumped += output.fileHandleForReading.availableData }
    }
    let lines = String(decoding: dumped, as: UTF8.self).split(separator: "\n")
    #expect(lines.contains { $0.hasSuffix("/a/b ifsTFdh 7 0.500000 \"text\" #T #F 2.000000 9") }, "\(lines)")
    #expect(lines.contains { $0.contains("/c") }, "\(lines)")
  }
}
