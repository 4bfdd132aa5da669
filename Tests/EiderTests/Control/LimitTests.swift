import Foundation
import JACKProbe
import Testing

extension Live {
  /// What the system denies the daemon.
  @Suite struct Limits {
    /// Runs a program without what it needs in real time, also where root runs the tests.
    private static var limited: [String] {
      let privileges = "-sys_nice,-ipc_lock"
      let isRoot = geteuid() == 0
      return (isRoot ? ["/usr/bin/setpriv", "--bounding-set", privileges, "--inh-caps", privileges] : [])
        + ["/usr/bin/prlimit", "--rtprio=0", "--memlock=65536"]
    }

    @Test func `who may not run in real time is told so at the start, and what mends it`() async throws {
      try await withProbeServer(ProbeServer.Options(isSynchronous: false)) { server in
        let remedy = geteuid() == 0 ? "“docker run --cap-add=SYS_NICE --cap-add=IPC_LOCK …”" : "log out and in again"
        let daemon = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"], under: Self.limited)
        _ = try daemon.readyPort()
        let warnings = daemon.complaints.split(separator: "\n").filter { $0.hasPrefix("eider: warning: ") }
        #expect(warnings.contains { $0.contains("no permission for realtime priority") && $0.hasSuffix(remedy) })
        #expect(warnings.contains { $0.contains("only 64 KiB of memory may be locked") && $0.hasSuffix(remedy) })
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }
  }
}
