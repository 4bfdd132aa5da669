import Foundation
import JACKProbe
import Testing

@testable import JACKTransport

@Suite struct `Programs come and go` {
  @Test func `a program is connected whenever it appears, and its death is noticed`() async throws {
    try await withProbeServer(.init(isSynchronous: false)) { server in
      let host = try Host(server)
      defer { host.client.close() }
      let ports = try JACKNames.sessionInputs("music", channels: 2).map {
        try host.client.registerPort($0, .input).name
      }
      host.keeper.set(.session("music"), ownPorts: ports, selection: .patterns([try PortPattern("player:.*")]))
      for _ in 0..<2 {
        let player = try ProbeProcess("player", server: server.name, outputs: ["l", "r"])
        #expect(host.follow { $0.client.connections(of: "eider:music_in_2") == ["player:r"] })
        #expect(host.client.connections(of: "eider:music_in_1") == ["player:l"])
        #expect(host.follow { $0.keeper.feed(of: "music").clients == ["player"] })
        player.vanish()
        #expect(host.follow { $0.keeper.feed(of: "music") == .init(clients: [], hasLostClient: true) })
      }
    }
  }

  @Test func `what somebody disconnected stays so, until the program restarts`() async throws {
    try await withProbeServer(.init(isSynchronous: false)) { server in
      let host = try Host(server)
      defer { host.client.close() }
      let port = try host.openMusic()
      let person = try ProbeClient("person", on: server)
      defer { person.close() }
      var player = try ProbeClient("player", on: server, outputs: ["out"])
      #expect(host.follow { $0.keeper.feed(of: "music").clients == ["player"] })
      try person.disconnect("player:out", port)
      #expect(host.follow { $0.keeper.feed(of: "music").clients == [] })
      try player.addPort("news", isInput: true)
      #expect(host.hears(.portRegistered("player:news")))
      #expect(host.client.connections(of: port) == [])
      player.close()
      #expect(host.hears(.clientUnregistered("player")))
      player = try ProbeClient("player", on: server, outputs: ["out"])
      #expect(host.follow { $0.keeper.feed(of: "music").clients == ["player"] })
      player.close()
    }
  }

  @Test func `what somebody disconnects at once stays so, however late the news are read`() async throws {
    try await withProbeServer(.init(isSynchronous: false)) { server in
      let host = try Host(server)
      defer { host.client.close() }
      let port = try host.openMusic()
      let person = try ProbeClient("person", on: server)
      defer { person.close() }
      let player = try ProbeClient("player", on: server, outputs: ["out"])
      defer { player.close() }
      // Nobody reads the news until the wire is gone again and more has happened.
      #expect(eventually { host.client.port(named: "player:out") != nil })
      #expect(host.follow { $0.client.connections(of: port) == ["player:out"] })
      try person.disconnect("player:out", port)
      try player.addPort("news", isInput: true)
      #expect(host.hears(.portRegistered("player:news")))
      #expect(host.heard.filter { $0 == .connected(PortConnection("player:out", port)) }.count == 1)
      #expect(host.heard.contains(.disconnected(PortConnection("player:out", port))))
      #expect(host.client.connections(of: "player:out") == [])
    }
  }

  @Test func `a pretty name that could not be read at first is found when it can be`() async throws {
    try await withProbeServer(.init(isSynchronous: false)) { server in
      let host = try Host(server)
      defer { host.client.close() }
      let port = try host.client.registerPort("music_in_1", .input).name
      host.keeper.set(.session("music"), ownPorts: [port], selection: .patterns([try PortPattern("Violin")]))
      // The metadata stand still.
      let lock = DispatchSemaphore(value: 0)
      #expect(host.client.metadata.perform { lock.wait() } == nil)
      let player = try ProbeClient("player", on: server, outputs: ["out"])
      defer { player.close() }
      try player.setProperty("player:out", key: "http://jackaudio.org/metadata/pretty-name", value: "Violin")
      #expect(host.hears(.portRegistered("player:out")))
      #expect(host.follow { $0.heard.contains { if case .metadataChanged = $0 { true } else { false } } })
      #expect(host.client.isMetadataStuck && host.client.connections(of: port) == [])
      lock.signal()
      host.client.metadata.finish()
      host.client.rereadNames(in: &host.keeper)
      #expect(host.client.carryOut(&host.keeper) == [])
      #expect(host.follow { $0.client.connections(of: port) == ["player:out"] })
    }
  }

  @Test func `a session that is opened later is connected to programs that run`() async throws {
    try await withProbeServer { server in
      let host = try Host(server)
      defer { host.client.close() }
      let player = try ProbeClient("player", on: server, outputs: ["out"])
      defer { player.close() }
      #expect(host.hears(.portRegistered("player:out")))
      let port = try host.openMusic()
      #expect(host.client.carryOut(&host.keeper) == [])
      #expect(host.client.connections(of: port) == ["player:out"])
    }
  }

  @Test func `a route follows its ports`() async throws {
    try await withProbeServer(.init(isSynchronous: false)) { server in
      let host = try Host(server)
      defer { host.client.close() }
      let ports = try JACKNames.routeOutputs("phones", channels: 2).map {
        try host.client.registerPort($0, .output).name
      }
      host.keeper.set(
        .output("phones"), ownPorts: ports, selection: .patterns([try PortPattern("headset:playback_.*")]))
      #expect(!host.keeper.isAvailable(.output("phones")))
      let headset = try ProbeProcess("headset", server: server.name, inputs: ["playback_1", "playback_2"])
      #expect(host.follow { $0.keeper.isAvailable(.output("phones")) })
      #expect(host.follow { $0.client.connections(of: "eider:phones_out_2") == ["headset:playback_2"] })
      headset.vanish()
      #expect(host.follow { !$0.keeper.isAvailable(.output("phones")) })
    }
  }
}
