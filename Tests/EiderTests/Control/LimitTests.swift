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

    /// The stack of a thread is locked as a whole, used or not: the system's 8 MiB each would be most of all memory, and
    /// a thread more, which libjack has now and then, would look like a leak.
    @Test func `a thread costs the daemon less than two MiB`() async throws {
      try await withProbeServer(ProbeServer.Options(isSynchronous: false)) { server in
        let daemon = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"])
        _ = try daemon.readyPort()
        let maps = FileHandle(forReadingAtPath: "/proc/\(daemon.id)/maps")?.readDataToEndOfFile() ?? Data()
        let lines = String(decoding: maps, as: UTF8.self).split(separator: "\n")
        // A stack has a page before it that nobody may touch, so that it cannot grow into anything else.
        let stacks = zip(lines, lines.dropFirst()).filter { guardPage, stack in
          size(guardPage) == 4096 && guardPage.contains(" ---p ") && stack.contains(" rw-p ")
        }
        #expect(stacks.count >= 2)
        #expect(stacks.allSatisfy { size($0.1) < 2 << 20 }, "\(stacks.map { size($0.1) })")
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }

    /// The bytes that a line of a process's `maps` speaks of.
    private func size(_ line: Substring) -> Int {
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
      return ends.count == 2 ? ends[1] - ends[0] : 0
    }
  }
}
