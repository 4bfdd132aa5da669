import Foundation
import JACKProbe
import Synchronization
import Testing

@testable import JACKTransport

@Suite struct `A server of Eider's own` {
  private var configuration: ServerProcess.Configuration {
    .init(name: ProbeName.own, driver: .dummy, isRealtime: false)
  }

  @Test func `is ready when it is started, reports what it says, and ends`() async throws {
    try await withoutOtherServers {
      let reporter = Reporter()
      let server = try ServerProcess.start(configuration) { reporter.add($0) }
      #expect(server.isRunning)
      let client = try JACKClient.open(.init(server: configuration.name), mixer: nil)
      #expect(client.period == 256)
      #expect(client.close())
      server.end()
      #expect(!server.isRunning)
      #expect(kill(server.id, 0) != 0)
      #expect(reporter.lines.contains { $0.contains("jackdmp") })
      #expect(throws: JACKError.noServer(configuration.name)) {
        try JACKClient.open(.init(server: configuration.name), mixer: nil)
      }
    }
  }

  @Test func `is killed when it does not end`() async throws {
    try await withoutOtherServers {
      let server = try ServerProcess.start(configuration) { _ in }
      defer { kill(server.id, SIGKILL) }
      kill(server.id, SIGSTOP)
      server.end(timeout: .milliseconds(200))
      #expect(!server.isRunning)
    }
  }

  @Test func `that cannot start says what the server said`() async throws {
    try await withoutOtherServers {
      let card = SoundCard(id: "Nowhere", title: "No card", device: 0, records: false, isUSB: false)
      let error = #expect(throws: ServerProcessError.self) {
        try ServerProcess.start(.init(name: ProbeName.own, driver: .card(card), isRealtime: false)) { _ in }
      }
      guard case .ended(.card(card), let lines) = error else {
        Issue.record("not ended: \(String(describing: error))")
        return
      }
      #expect(!lines.isEmpty)
    }
  }

  @Test func `does not wait for a session bus that is not there`() {
    #expect(ServerProcess.environment(["A=1"]) == ["A=1", "JACK_NO_AUDIO_RESERVATION=1"])
    #expect(ServerProcess.environment(["DBUS_SESSION_BUS_ADDRESS=x"]) == ["DBUS_SESSION_BUS_ADDRESS=x"])
  }

  private final class Reporter: Sendable {
    private let kept = Mutex<[String]>([])
    var lines: [String] { kept.withLock { $0 } }
    func add(_ line: String) { kept.withLock { $0.append(line) } }
  }
}
