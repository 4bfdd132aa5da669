import AddressSpace
import Foundation
import JACKProbe
import Testing

extension Live {
  /// A program in the foreground of a terminal, which a person closes.
  @Suite struct InATerminal {
    @Test func `the daemon reads its preset again on a signal, and ends in good order when the terminal is closed`()
      async throws
    {
      try await withProbeServer(ProbeServer.Options(isSynchronous: false)) { server in
        let terminal = try PseudoTerminal()
        let daemon = try terminal.run(
          ["run", "--jack-server", server.name, "--port", "0"], preset: preset([("music", 2, "")]))
        let remote = try Remote(port: try daemon.readyPort())
        let program = try #require(daemon.children.first)
        defer { kill(program, SIGKILL) }
        // The same signal, and the terminal is there.
        try preset([("music", 2, ""), ("bell", 1, "")]).write(to: daemon.presetFile, atomically: true, encoding: .utf8)
        kill(program, SIGHUP)
        try remote.eventually("/session/list", "music", "bell")
        #expect(kill(program, 0) == 0)

        try terminal.hangUp()
        #expect(try daemon.exitCode() == 0)
        #expect(daemon.complaints.hasSuffix("eider: ended\n"))
      }
    }

    @Test func `who watches stops when the terminal is closed`() async throws {
      try await withProbeServer(ProbeServer.Options(isSynchronous: false)) { server in
        let daemon = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"])
        let terminal = try PseudoTerminal()
        let watch = try terminal.run(["watch", "--port", "\(try daemon.readyPort())"])
        #expect(eventually { terminal.shows("eider on ") })
        let program = try #require(watch.children.first)
        defer { kill(program, SIGKILL) }
        try terminal.hangUp()
        #expect(try watch.exitCode() == 0)
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }
  }
}
