import Foundation
import JACKProbe
import MixCore
import Testing

@testable import JACKTransport

@Suite struct `Opening a client` {
  @Test func `without a server it says what to do`() async throws {
    try await withoutOtherServers {
      #expect(throws: JACKError.noServer("eider-nobody")) {
        try JACKClient.open(.init(server: "eider-nobody"), mixer: nil)
      }
      #expect(JACKError.noServer("x").description.contains("--start-server auto"))
    }
  }

  @Test func `a name that is taken is refused, or gets a number`() async throws {
    try await withProbeServer { server in
      let other = try ProbeClient("eider", on: server)
      defer { other.close() }
      #expect(throws: JACKError.nameTaken("eider")) {
        try JACKClient.open(.init(server: server.name), mixer: nil)
      }
      let client = try JACKClient.open(.init(server: server.name, numbersTakenName: true), mixer: nil)
      #expect(client.name == "eider-2")
      #expect(client.sampleRate == 48000)
      #expect(client.period == 256)
      #expect(client.close())
    }
  }

  @Test func `opened and closed again and again, it leaves nothing behind`() async throws {
    try await withProbeServer { server in
      func openAndClose() throws {
        let host = try Host(server, mixer: Mixer(capacity: MixCapacity(strips: 1), sampleRate: 48000))
        _ = try host.client.registerPort("in", .input)
        #expect(host.client.close())
      }
      func count(_ directory: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(directory)").count
      }
      try openAndClose()
      let (descriptors, threads) = (try count("fd"), try count("task"))
      for _ in 0..<10 { try openAndClose() }
      // Other tests run beside this one; ten times two would be seen.
      #expect(try count("fd") < descriptors + 10)
      #expect(try count("task") < threads + 10)
    }
  }

  @Test func `names are cut at the limit, after a whole character`() async throws {
    try await withProbeServer { server in
      let long = String(repeating: "é", count: 200)
      let first = try JACKClient.open(.init(name: long, server: server.name), mixer: nil)
      let second = try JACKClient.open(.init(name: long, server: server.name, numbersTakenName: true), mixer: nil)
      #expect(first.name == String(repeating: "é", count: 31))
      #expect(second.name == String(repeating: "é", count: 30) + "-2")
      for client in [first, second] { #expect(client.close()) }
      #expect(throws: JACKError.unusableName("a:b")) {
        try JACKClient.open(.init(name: "a:b", server: server.name), mixer: nil)
      }
    }
  }
}

@Suite struct `Ports of one's own` {
  @Test func `a port's name is cut, unique, and told`() async throws {
    try await withProbeServer { server in
      let client = try JACKClient.open(.init(server: server.name), mixer: nil)
      defer { client.close() }
      try client.activate()
      let long = String(repeating: "日", count: 200)
      let ports = try (0..<3).map { _ in try client.registerPort(long, .input) }
      #expect(Set(ports.map(\.name)).count == 3)
      #expect(ports[0].name == "eider:" + String(repeating: "日", count: 83))
      #expect(ports[1].name == "eider:" + String(repeating: "日", count: 82) + "-2")
      for port in ports {
        #expect(client.port(named: port.name)?.direction == .input)
        try client.unregister(port)
        #expect(client.port(named: port.name) == nil)
      }
      #expect(throws: JACKError.unusableName("")) { try client.registerPort("", .input) }
    }
  }

  @Test func `when ports run out that is an error, and those that are there stay`() async throws {
    try await withProbeServer(.init(portMax: 64)) { server in
      let client = try JACKClient.open(.init(server: server.name), mixer: nil)
      defer { client.close() }
      try client.activate()
      var ports: [OwnPort] = []
      var refusal: JACKError?
      while refusal == nil && ports.count < 100 {
        do throws(JACKError) {
          ports.append(try client.registerPort("port_\(ports.count + 1)", .output))
        } catch {
          refusal = error
        }
      }
      #expect(refusal == .portsExhausted(port: "port_\(ports.count + 1)"))
      #expect(ports.count > 16)
      #expect(client.ports().filter { $0.client == "eider" }.count == ports.count)
      let last = ports.removeLast()
      try client.unregister(last)
      #expect(try client.registerPort("again", .output).name == "eider:again")
    }
  }

  @Test func `people see titles, order and groups`() async throws {
    try await withProbeServer { server in
      let client = try JACKClient.open(.init(server: server.name), mixer: nil)
      defer { client.close() }
      try client.activate()
      let viewer = try ProbeClient("viewer", on: server)
      defer { viewer.close() }
      let port = try client.registerPort("music_in_1", .input)
      #expect(client.label(port, .init(prettyName: "Müsik – left", order: 3, group: "music")))
      func property(_ key: String) -> String? {
        viewer.property(port.name, key: "http://jackaudio.org/metadata/\(key)")
      }
      #expect(property("pretty-name") == "Müsik – left")
      #expect(property("order") == "3")
      #expect(property("port-group") == "music")
      #expect(client.port(named: port.name)?.prettyName == "Müsik – left")
      try client.unregister(port)
      let next = try client.registerPort("guide_in_1", .input)
      #expect(client.port(named: next.name)?.prettyName == nil)
    }
  }
}

@Suite struct `What the server tells` {
  @Test func `everything that happens in the graph, in order`() async throws {
    try await withProbeServer { server in
      let host = try Host(server)
      defer { host.client.close() }
      let player = try ProbeClient("player", on: server, outputs: ["out"])
      #expect(host.hears(.clientRegistered("player")))
      #expect(host.hears(.portRegistered("player:out")))
      let port = try host.client.registerPort("in", .input)
      #expect(host.hears(.portRegistered("eider:in")))

      let connection = PortConnection("player:out", "eider:in")
      try player.connect(connection.source, connection.destination)
      #expect(host.hears(.connected(connection)))
      #expect(host.client.connections(of: "eider:in") == ["player:out"])
      #expect(host.client.connections().contains(connection))
      try host.client.disconnect(connection)
      #expect(host.hears(.disconnected(connection)))
      #expect(host.hears(.graphReordered))

      try player.addPort("more", isInput: true)
      try player.renamePort("more", to: "less")
      #expect(host.hears(.portRenamed(from: "player:more", to: "player:less")))
      try player.removePort("less")
      #expect(host.hears(.portUnregistered("player:less")))

      try player.setPeriod(512)
      #expect(host.hears(.periodChanged(512)))
      #expect(host.client.period == 512)
      try player.setFreewheeling(true)
      #expect(host.hears(.freewheelingChanged(true)))
      try player.setFreewheeling(false)
      #expect(host.hears(.freewheelingChanged(false)))

      player.close()
      #expect(host.hears(.portUnregistered("player:out")))
      #expect(host.hears(.clientUnregistered("player")))
      try host.client.unregister(port)
      #expect(host.hears(.portUnregistered("eider:in")))
    }
  }

  @Test func `a cycle that came too late`() async throws {
    try await withProbeServer(.init(isSynchronous: false)) { server in
      let host = try Host(server)
      defer { host.client.close() }
      let laggard = try ProbeClient("laggard", on: server, outputs: ["out"])
      defer { laggard.close() }
      host.heard = []
      laggard.stall(milliseconds: 300)
      #expect(host.hears(.xrun))
    }
  }

  @Test func `ports are told with what they are`() async throws {
    try await withProbeServer { server in
      let host = try Host(server)
      defer { host.client.close() }
      let player = try ProbeClient("player", on: server, outputs: ["out (left): ü"])
      defer { player.close() }
      try player.setAlias("player:out (left): ü", "other name")
      let port = try #require(host.client.port(named: "player:out (left): ü"))
      #expect(port.aliases.contains("other name"))
      #expect(port.client == "player")
      #expect(port.direction == .output && port.isAudio && !port.isPhysical)
      let playback = try #require(host.client.port(named: "system:playback_1"))
      #expect(playback.isPhysical && playback.direction == .input)
      #expect(host.client.port(named: "player:nothing") == nil)
    }
  }

  @Test func `connecting what cannot be connected says why`() async throws {
    try await withProbeServer { server in
      let host = try Host(server)
      defer { host.client.close() }
      let first = PortConnection("system:capture_1", "system:nothing")
      #expect(throws: JACKError.noSuchPort("system:nothing")) { try host.client.connect(first) }
      let backwards = PortConnection("system:playback_1", "system:capture_1")
      #expect(throws: JACKError.notConnected(source: backwards.source, destination: backwards.destination)) {
        try host.client.connect(backwards)
      }
      let possible = PortConnection("system:capture_1", "system:playback_1")
      try host.client.connect(possible)
      try host.client.connect(possible)
      #expect(host.client.connections(of: "system:capture_1") == ["system:playback_1"])
    }
  }

  @Test func `the end of the server, after which a new one can be opened`() async throws {
    try await withoutOtherServers {
      let server = try ProbeServer.start()
      let host = try Host(server)
      let last = host.client.frame
      server.kill()
      #expect(host.follow { $0.client.isServerGone })
      #expect(throws: JACKError.serverGone) { try host.client.registerPort("in", .input) }
      #expect(host.client.ports() == [])
      #expect(host.client.close())

      let next = try ProbeServer.start(.init(rate: 44100))
      defer { next.stop() }
      let client = try JACKClient.open(.init(server: next.name, firstFrame: last), mixer: nil)
      try client.activate()
      #expect(client.sampleRate == 44100)
      #expect(eventually { client.cycleStart > last })
      #expect(client.frame >= last)
      #expect(client.close())
    }
  }

  @Test func `frames and Unix time go together`() async throws {
    try await withProbeServer { server in
      let host = try Host(server)
      defer { host.client.close() }
      #expect(eventually { host.client.cycleStart > 0 })
      let clock = host.client.clock
      #expect(clock.rate == 48000)
      let before = host.client.frame
      let now = Int64(Date().timeIntervalSince1970 * 1e9)
      let after = host.client.frame
      // JACK estimates the present frame between cycles, and a machine may be interrupted between these lines.
      #expect(clock.frame(at: now) + 4800 > before)
      #expect(clock.frame(at: now) < after + 4800)
    }
  }
}
