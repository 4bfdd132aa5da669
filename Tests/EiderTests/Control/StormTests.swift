import AddressSpace
import EiderProbe
import Foundation
import JACKProbe
import OSCStorm
import OSCTransport
import Testing

extension Live {
  /// What no client can do to the others, or to the sound. At full length: `scripts/flood`.
  @Suite struct Storms {
    private func withRig(
      isolation: isolated (any Actor)? = #isolation, _ body: (StormRig) throws -> Void
    ) async throws {
      try await withProbeServer { server in
        let rig = try StormRig(on: server)
        defer { rig.close() }
        try body(rig)
      }
    }

    @Test(arguments: [Flood(rate: 20_000, seconds: 1), Flood(rate: 200_000, seconds: 1, bundleSize: 20)])
    func `a flood of valid messages loses none that the kernel delivers, and nobody hears it`(flood: Flood) async throws
    {
      try await withRig { rig in
        let report = try rig.flood(flood)
        #expect(report.sent == flood.rate * Int(flood.seconds))
        #expect(report.received > 0)
        #expect(report.refused == 0)
        #expect(report.malformed == 0)
        #expect(report.faults == [])
      }
    }

    @Test func `random, truncated and mutated packets harm nothing, and what is right is heard afterwards`()
      async throws
    {
      try await withRig { rig in
        let report = try rig.bombard(packets: 20_000, seed: .random(in: 0 ... .max))
        #expect(report.malformed > 1000)
        #expect(report.refused > 1000)
        #expect(report.faults == [])
      }
    }

    @Test func `two surfaces go on through floods, wrong packets and scenes, and show the same at the end`()
      async throws
    {
      try await withRig { rig in
        let faults = try rig.session(minutes: 0, seed: .random(in: 0 ... .max)) { _ in }
        #expect(faults == [])
      }
    }

    @Test func `a client that reads none of its answers is dropped and counted, and the others are served`()
      async throws
    {
      try await withRig { rig in
        let other = try Remote(port: rig.port)
        guard case .int(let before)? = try other.get("/eider/oscDropped").first else { return }
        #expect(try askInVain(of: rig) { try other.set(Message("/session/fader0/pan", .float(Float($0 % 3) - 1))) })
        guard case .int(let after)? = try other.get("/eider/oscDropped").first else { return }
        #expect(after > before)
        #expect(try other.get("/session/fader0/state") == ["inactive"])
      }
    }

    @Test func `the room that clients' unread answers took is given back when they are dropped`() async throws {
      try await withRig { rig in
        #expect(try askInVain(of: rig))
        let first = try ProcessFigures(of: rig.daemon.id).ownMemory
        var growth: [Int] = []
        for _ in 0..<2 {
          #expect(try askInVain(of: rig))
          growth.append(try ProcessFigures(of: rig.daemon.id).ownMemory - first)
        }
        // Each had several megabytes.
        #expect(growth.allSatisfy { $0 < 1 << 20 }, "\(growth) bytes")
      }
    }

    /// A client of a rig that asks until it is dropped, and fetches no answer.
    ///
    /// - Returns: whether it has been dropped.
    private func askInVain(of rig: StormRig, meanwhile: (_ number: Int) throws -> Void = { _ in }) throws -> Bool {
      let greedy = try StormSocket(to: rig.port, .tcp)
      // Answers of 60 kB: more than the kernel and the daemon keep for anyone.
      let text = String(repeating: "x", count: 60_000)
      let question = OSCPacket.message(Message("/eider/ping", .string(text))).encoded()
      let frame = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: question.count >> $0) } + question
      for number in 0..<2000 {
        guard greedy.send(frame) else { return true }
        if number % 50 == 0 { try meanwhile(number) }
      }
      return false
    }

    @Test func `a 65th client is refused with tooMany, and none of the others is thrown out`() async throws {
      try await withRig { rig in
        let clients = try (0..<65).map { _ in try Remote(port: rig.port) }
        for client in clients.prefix(64) { try client.set(Message("/subscribe", "/session/fader0/volume", 10)) }
        let refused = try clients[64].exchange([.message(Message("/subscribe", "/session/fader0/volume", 10))])
        #expect(refused.first?.address == "/error")
        #expect(refused.first?.arguments.prefix(2) == ["/subscribe", "tooMany"])
        for client in clients.prefix(64) {
          try client.set(Message("/renew"))
          _ = try client.takeNews()
        }
        // It may set what it likes; it is only not told.
        try clients[64].set(Message("/session/fader0/volume", 0.25))
        for client in clients.prefix(64) {
          let isTold = try eventually(within: 30) {
            try client.takeNews(within: 0.01).contains(Message("/session/fader0/volume", .float(0.25)))
          }
          #expect(isTold)
        }
      }
    }
  }
}
