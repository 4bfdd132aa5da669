import AddressSpace
import Foundation
import JACKProbe
import OSCTransport
import Testing

extension Live {
  /// Another implementation's programs: `oscsend` and `oscdump` of liblo-tools.
  @Suite struct LibloPrograms {
    private func send(_ port: UInt16, _ words: String...) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["oscsend", "osc.udp://127.0.0.1:\(port)"] + words
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }

    @Test func `oscsend sets values, and oscdump reads them`() async throws {
      try await withProbeServer { server in
        let daemon = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"])
        let port = try daemon.readyPort()
        let remote = try Remote(port: port)
        try send(port, "/session/open", "sss", "music", "playback", "Späte Streichquartette")
        try send(port, "/session/music/volume", "f", "0.5")
        try send(port, "/session/music/priority", "i", "7")
        try send(port, "/session/music/mute", "T")
        try send(port, "/session/music/playing", "i", "1")
        try send(port, "/session/music/category", "ss", "playback", "mixWithOthers")
        try remote.eventually("/session/music/options", "mixWithOthers")
        #expect(try remote.get("/session/music/title") == ["Späte Streichquartette"])
        #expect(try remote.get("/session/music/volume") == [.float(0.5)])
        #expect(try remote.get("/session/music/priority") == [.int(7)])
        #expect(try remote.get("/session/music/mute") == [true])
        #expect(try remote.get("/session/music/playing") == [true])

        let dump = try OSCDump()
        let url = "osc.udp://127.0.0.1:\(dump.port)/"
        // It says nothing when it is ready: asked again until it has heard.
        let hasHeard = try eventually {
          try send(port, "/subscribe", "sis", "/session/music/*", "20", url)
          return dump.text.contains("/session/music/volume f 0.500000")
        }
        #expect(hasHeard, "\(dump.text)")
        #expect(dump.text.contains("/session/music/silence s \"muted\""))
        #expect(dump.text.contains("/session/music/mute T #T"))
        try send(port, "/session/music/volume", "d", "0.25")
        #expect(eventually { dump.text.contains("/session/music/volume f 0.250000") }, "\(dump.text)")
        try send(port, "/host/interruption", "ss", "begin", "alarm")
        #expect(
          eventually { dump.text.contains("/session/music/interruption ss \"begin\" \"host:alarm\"") },
          "\(dump.text)")
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }
  }
}

/// `oscdump` on a free port.
private final class OSCDump {
  let port: UInt16
  private let process = Process()
  private let output = Pipe()
  private var dumped = Data()

  init() throws {
    // A port that was free a moment ago.
    port = try OSCServer(addresses: ["127.0.0.1"], port: 0).port
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["oscdump", "-L", "\(port)"]
    process.standardOutput = output
    try process.run()
  }

  deinit {
    // It only notes gentler signals, and waits for a message to act on them.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// What it has printed so far.
  var text: String {
    var request = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while poll(&request, 1, 20) > 0 {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      dumped += data
    }
    return String(decoding: dumped, as: UTF8.self)
  }
}
