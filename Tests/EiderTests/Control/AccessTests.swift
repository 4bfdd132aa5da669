import AddressSpace
import Foundation
import JACKProbe
import OSCTransport
import Testing

extension Live {
  /// Who reaches the daemon from other hosts, which are network namespaces that the tests make.
  @Suite(.enabled(if: OtherHosts.impossibility == nil, "NOT TESTED from other hosts: needs root and iproute2"))
  struct Access {
    /// Runs a daemon on a host of its own.
    private func run(
      _ osc: String, isolation: isolated (any Actor)? = #isolation,
      _ body: (OtherHosts, EiderProcess, _ port: String) throws -> Void
    ) async throws {
      try await withProbeServer { server in
        let hosts = try OtherHosts()
        let daemon = try EiderProcess(
          ["run", "--jack-server", server.name, "--port", "0"],
          preset: "{ eider: 1, sessions: [{ name: \"music\" }], osc: { \(osc) } }", under: hosts.wrapper(for: .home))
        defer {
          daemon.terminate()
          _ = try? daemon.exitCode()
        }
        try body(hosts, daemon, "\(try daemon.readyPort())")
      }
    }

    private let home = OtherHosts.homeAddresses[.friend] ?? ""
    private let homeOfStranger = OtherHosts.homeAddresses[.stranger] ?? ""

    @Test func `bound to loopback it cannot be reached from any other host, by UDP or TCP`() async throws {
      try await run("") { hosts, _, port in
        let own = try hosts.eider(on: .home, "get", "--port", port, "/session/music/volume")
        #expect(own.code == 0)
        for address in [home, "127.0.0.1", OtherHosts.homeIPv6] {
          let outcome = try hosts.eider(on: .friend, "get", "--host", address, "--port", port, "/eider/version")
          #expect(outcome.code == 3, "\(outcome)")
          let number = try #require(UInt16(port))
          #expect(try hosts.connect(from: .friend, to: address, port: number, sending: "\\xc0") == nil)
        }
        // Not even the daemon has heard anything of it: its own two questions, and this one.
        let received = try hosts.eider(on: .home, "get", "--port", port, "/eider/oscReceived")
        #expect(received.answers == "3\n")
        let dropped = try hosts.eider(on: .home, "get", "--port", port, "/eider/oscDropped")
        #expect(dropped.answers == "0\n")
      }
    }

    @Test func `asked to listen everywhere it is reached over IPv4 and IPv6, and does what it is told`() async throws {
      try await run("listen: [\"0.0.0.0\", \"::\"]") { hosts, _, port in
        for address in [home, OtherHosts.homeIPv6] {
          let set = try hosts.eider(
            on: .friend, "send", "--host", address, "--port", port, "/session/music/title", address)
          #expect(set.code == 0, "\(set)")
          let get = try hosts.eider(on: .friend, "get", "--host", address, "--port", port, "/session/music/title")
          #expect(get.answers == address + "\n")
        }
      }
    }

    @Test func `who is not allowed gets nothing, and is counted`() async throws {
      try await run("listen: [\"0.0.0.0\"], allow: [\"127.0.0.1\", \"10.203.1.0/24\"]") { hosts, daemon, port in
        let friend = try hosts.eider(
          on: .friend, "send", "--host", home, "--port", port, "/session/music/volume", "0.5")
        #expect(friend.code == 0, "\(friend)")
        let before = try dropped(hosts, port)
        let stranger = try hosts.eider(
          on: .stranger, "send", "--host", homeOfStranger, "--port", port, "/session/music/volume", "0.9")
        #expect(stranger.code == 3, "\(stranger)")
        #expect(stranger.complaints.contains("no answer"), "\(stranger)")
        // Its message and the question that comes with it.
        #expect(try dropped(hosts, port) == before + 2)
        let number = try #require(UInt16(port))
        let heard = try hosts.connect(
          from: .stranger, to: homeOfStranger, port: number, sending: "\\xc0/eider/ping\\x00\\xc0")
        #expect(heard == Data())
        #expect(try dropped(hosts, port) == before + 3)
        let volume = try hosts.eider(on: .home, "get", "--port", port, "/session/music/volume")
        #expect(volume.answers == "0.5\n")
        #expect(daemon.isRunning)
      }
    }

    private func dropped(_ hosts: OtherHosts, _ port: String) throws -> Int {
      let outcome = try hosts.eider(on: .home, "get", "--port", port, "/eider/oscDropped")
      return try #require(Int(outcome.answers.trimmingCharacters(in: .newlines)), "\(outcome)")
    }

    @Test func `who may only read reads, and is refused what sets`() async throws {
      try await run("listen: [\"0.0.0.0\"], readOnly: [\"10.203.2.2\"]") { hosts, _, port in
        let address = ["--host", homeOfStranger, "--port", port]
        func stranger(_ words: String...) throws -> Outcome {
          try Outcome(EiderProcess([words[0]] + address + words.dropFirst(), under: hosts.wrapper(for: .stranger)))
        }
        #expect(try stranger("get", "/session/*/volume").answers == "/session/music/volume 1\n")
        #expect(try stranger("send", "/subscribe", "/session/music/volume").answers.contains("/subscribed"))
        for words in [
          ["/session/music/volume", "0.2"], ["/session/*/mute", "true"], ["/host/panic"], ["/eider/quit"],
        ] {
          let refused = try Outcome(
            EiderProcess(["send"] + address + words, under: hosts.wrapper(for: .stranger)))
          #expect(refused.code == 1, "\(words): \(refused)")
          #expect(refused.complaints.contains("forbidden"), "\(refused)")
        }
        #expect(try stranger("get", "/session/music/volume").answers == "1\n")
        #expect(try stranger("get", "/session/music/mute").answers == "false\n")
        let friend = try hosts.eider(on: .friend, "send", "--host", home, "--port", port, "/session/music/mute", "true")
        #expect(friend.code == 0)
      }
    }

    @Test func `it is ended from its own host only`() async throws {
      try await run("listen: [\"0.0.0.0\"]") { hosts, daemon, port in
        let refused = try hosts.eider(on: .friend, "send", "--host", home, "--port", port, "/eider/quit")
        #expect(refused.code == 1)
        #expect(refused.complaints.contains("/eider/quit: forbidden: only a client on this machine"), "\(refused)")
        #expect(daemon.isRunning)
        let own = try hosts.eider(on: .home, "send", "--port", port, "/eider/quit")
        #expect(own.code == 0, "\(own)")
        #expect(try daemon.exitCode() == 0)
      }
    }

    @Test func `nobody is told anything at the wish of another one, if he is not allowed himself`() async throws {
      try await run("listen: [\"0.0.0.0\"], allow: [\"127.0.0.1\", \"10.203.1.0/24\"]") { hosts, _, port in
        let refused = try hosts.eider(
          on: .friend, "send", "--host", home, "--port", port, "/subscribe", "*", "50", "osc.udp://10.203.2.2:9000/")
        #expect(refused.code == 1, "\(refused)")
        #expect(refused.complaints.contains("forbidden"), "\(refused)")
      }
    }
  }
}
