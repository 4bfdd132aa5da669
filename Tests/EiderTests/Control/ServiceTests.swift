import AddressSpace
import Foundation
import JACKProbe
import Testing

extension Live {
  /// The daemon under a service manager, which starts it anew when it hears nothing of it for too long.
  @Suite struct Service {
    /// What the service manager demands to hear from it every so many seconds.
    private static let watchdog = 1.5

    private func start(on server: ProbeServer, _ manager: NotifySocket) throws -> (EiderProcess, Remote) {
      let daemon = try EiderProcess(
        ["run", "--jack-server", server.name, "--port", "0"],
        preset: preset([("music", 2, "")], "title: \"Kiosk\","),
        environment: manager.environment(watchdog: Self.watchdog))
      return (daemon, try Remote(port: try daemon.readyPort()))
    }

    @Test func `it says when it is ready, how it does, and when it ends`() async throws {
      try await withoutOtherServers {
        let options = ProbeServer.Options(isSynchronous: false)
        let manager = try NotifySocket()
        let server = try ProbeServer.start(options)
        let (daemon, remote) = try start(on: server, manager)
        try manager.await("READY=1")
        try manager.await("STATUS=Kiosk: 48000 Hz, 256 frames, OSC on port ")
        for _ in 1...3 { try manager.await("WATCHDOG=1") }

        // Without a server it is well: it waits.
        server.kill()
        try manager.await("STATUS=the JACK server is gone")
        for _ in 1...5 { try manager.await("WATCHDOG=1") }
        let second = try ProbeServer.start(options)
        try manager.await("STATUS=Kiosk: 48000 Hz")
        try manager.await("WATCHDOG=1")
        try remote.eventually("/eider/jack", "running")

        daemon.terminate()
        try manager.await("STOPPING=1")
        #expect(try daemon.exitCode() == 0)
        second.stop()
      }
    }

    @Test func `it says when it reads the preset again, and when that is in force or refused`() async throws {
      try await withProbeServer(ProbeServer.Options(isSynchronous: false)) { server in
        let manager = try NotifySocket()
        let (daemon, remote) = try start(on: server, manager)
        try manager.await("READY=1")
        // Not closed in between: then nobody would know of the change but for the signal.
        let file = try FileHandle(forUpdating: daemon.presetFile)
        func reload(_ text: String) throws {
          try file.truncate(atOffset: 0)
          try file.write(contentsOf: Data(text.utf8))
          let begin = DispatchTime.now().uptimeNanoseconds / 1000
          daemon.hangUp()
          try manager.await("RELOADING=1")
          let time = try manager.await("MONOTONIC_USEC=").split(separator: "=").last.flatMap { UInt64($0) }
          #expect((begin...DispatchTime.now().uptimeNanoseconds / 1000).contains(try #require(time)))
          try manager.await("READY=1")
        }
        // It takes a while to read.
        let margin = String(repeating: "\n", count: 200_000)
        try reload(preset([("music", 2, ""), ("bell", 1, "")], "title: \"Hall\",") + margin)
        #expect(try remote.get("/session/list") == ["music", "bell"])
        #expect(try !manager.await("STATUS=Hall: ").contains("mistakes"))
        try reload("{ eider: 1, sesions: [] }")
        #expect(try remote.get("/session/list") == ["music", "bell"])
        let status = try manager.await("STATUS=Hall: ")
        #expect(status.hasSuffix("; the preset file has mistakes, the one before is in force"))
        try file.close()
        daemon.terminate()
        try manager.await("STOPPING=1")
        #expect(try daemon.exitCode() == 0)
      }
    }

    @Test func `it is not heard of while its audio thread hangs`() async throws {
      try await withProbeServer(ProbeServer.Options(isSynchronous: false)) { server in
        let manager = try NotifySocket()
        let (daemon, remote) = try start(on: server, manager)
        try manager.await("WATCHDOG=1")
        let thread = try StoppedThread(audioOf: daemon.id)
        try manager.await("STATUS=the audio thread hangs")
        #expect(!manager.take(within: 3 * Self.watchdog).contains("WATCHDOG=1"))
        // All else goes on.
        try remote.send(Message("/eider/ping", 7))
        #expect(eventually { (try? remote.takeNews(within: 0.1)) == [Message("/eider/pong", 7)] })
        thread.release()
        try manager.await("WATCHDOG=1")
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }

    @Test func `a server that runs no cycles is waited for`() async throws {
      try await withProbeServer(ProbeServer.Options(isSynchronous: false)) { server in
        let manager = try NotifySocket()
        let (daemon, remote) = try start(on: server, manager)
        try manager.await("WATCHDOG=1")
        kill(server.id, SIGSTOP)
        defer { kill(server.id, SIGCONT) }
        try manager.await("STATUS=the JACK server runs no cycles")
        for _ in 1...5 { try manager.await("WATCHDOG=1") }
        try remote.send(Message("/eider/jack"))
        #expect(eventually { (try? remote.takeNews(within: 0.1)) == [Message("/eider/jack", "lost")] })
        kill(server.id, SIGCONT)
        try manager.await("STATUS=Kiosk: ")
        try remote.eventually("/eider/jack", "running")
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }
  }
}
