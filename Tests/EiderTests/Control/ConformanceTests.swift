import Foundation
import JACKProbe
import Scripts
import Testing

extension Live {
  @Suite struct Conformance {
    /// Those that wait for minutes are for virtual time.
    private static let long = ["24-idle-release.osc", "45-idle-release.osc"]

    @Test func `the conformance scripts hold over the wire as they do in virtual time`() async throws {
      let scripts = try PackageFiles.conformanceScripts().filter { !Self.long.contains($0.lastPathComponent) }
      #expect(scripts.count >= 10)
      // Short cycles, for each line waits until it is in force.
      try await withProbeServer(ProbeServer.Options(period: 64)) { server in
        for url in scripts {
          let script = try Script(name: url.lastPathComponent, text: String(contentsOf: url, encoding: .utf8))
          let own = url.deletingPathExtension().appendingPathExtension("json5")
          let preset = try? String(contentsOf: own, encoding: .utf8)
          let daemon = try EiderProcess(
            ["run", "--jack-server", server.name, "--port", "0"], preset: preset ?? Replay.preset)
          let replay = try Replay.run(script, port: try daemon.readyPort())
          #expect(replay.passed > 5, "\(script.name)")
          for failure in replay.failures { Issue.record("\(failure)") }
          daemon.terminate()
          #expect(try daemon.exitCode() == 0)
        }
      }
    }
  }
}
