import AddressSpace
import Foundation
import JACKProbe
import OSCTransport
import Testing

/// What the program says and how it ends, where it needs no server.
@Suite struct CommandLineUse {
  private func run(_ arguments: String..., preset: String? = nil) throws -> Outcome {
    try Outcome(EiderProcess(arguments, preset: preset))
  }

  @Test func `without a JACK server it says how to get one`() throws {
    let outcome = try run("run", "--jack-server", "eider-there-is-none", "--port", "0")
    #expect(outcome.code == 3)
    #expect(outcome.complaints.hasPrefix("eider: no JACK server “eider-there-is-none” is running: "))
    #expect(outcome.complaints.contains("--start-server auto"))
    #expect(outcome.complaints.split(separator: "\n").count == 1)
  }

  @Test func `a bad preset is not run, and all its mistakes are told with their places`() throws {
    let outcome = try run(
      "run", "--jack-server", "eider-there-is-none",
      preset: """
        {
          eider: 1,
          sesions: [],
          sessions: [{ name: "music", category: "playback", volume: 2 }],
        }
        """)
    #expect(outcome.code == 2)
    let lines = outcome.complaints.split(separator: "\n")
    #expect(lines.contains { $0.contains(".json5:3:3: error:") && $0.contains("sessions") })
    #expect(lines.contains { $0.contains(".json5:4:") && $0.contains("sessions[0].volume") })
  }

  @Test func `a preset that is not there is named`() throws {
    let outcome = try run("run", "--preset", "/nowhere/kiosk.json5")
    #expect(outcome.code == 2)
    #expect(outcome.complaints.contains("/nowhere/kiosk.json5"))
  }

  @Test func `help says how to talk to the daemon, and names no address that there is not`() throws {
    let outcome = try run("help", "osc")
    #expect(outcome.code == 0)
    for word in ["9770", "/subscribe", "/renew", "/sync", "/error ADDRESS CODE MESSAGE", "eider reference"] {
      #expect(outcome.answers.contains(word))
    }
    #expect(try run("help").answers.contains("help osc"))
    let sent = ["/error", "/subscribed", "/synced", "/eider/alive"]
    let words = outcome.answers.split(whereSeparator: { $0.isWhitespace || ":;,".contains($0) }).map(String.init)
    for address in words
    where address.hasPrefix("/") && !address.hasPrefix("//") && address.count > 1 && !sent.contains(address) {
      let pattern = AddressPattern(address.replacing("/music/", with: "/NAME/").replacing("/speaker/", with: "/NAME/"))
      #expect(AddressTable.endpoints.contains { pattern.matches($0.address) }, "\(address)")
    }
  }

  @Test func `wrong use is told with the right use`() throws {
    for (arguments, problem) in [
      (["run", "--pressets", "x"], "there is no option --pressets"),
      (["run", "--port", "99999"], "--port takes a whole number 0…65535, got 99999"),
      (["run", "--start-server", "maybe"], "--start-server takes auto or never, got maybe"),
      (["run", "--preset"], "--preset needs a value"),
      (["get"], "which address? It begins with /"),
      (["send", "volume", "1"], "which address? It begins with /"),
    ] {
      let outcome = try Outcome(EiderProcess(arguments))
      #expect(outcome.code == 2)
      #expect(outcome.complaints.contains(problem), "\(outcome.complaints)")
      #expect(outcome.complaints.contains("usage: eider \(arguments[0])"))
      #expect(outcome.answers.isEmpty)
    }
    let unknown = try run("rnu")
    #expect(unknown.code == 2)
    #expect(unknown.complaints.contains("there is no command rnu"))
    #expect(try run().code == 2)
  }

  @Test func `help tells of every command, and of each how it is used`() throws {
    let overview = try run("help")
    #expect(overview.code == 0)
    for command in ["run", "simulate", "check", "send", "get", "reference", "help"] {
      #expect(overview.answers.contains("\n  \(command) "))
      let help = try run("help", command)
      #expect(help.code == 0)
      #expect(help.answers.hasPrefix("usage: eider \(command)"))
      #expect(try run(command, "--help").answers == help.answers)
    }
    #expect(try run("--help").answers == overview.answers)
    #expect(try run("help", "rnu").code == 2)
  }

  @Test func `it tells its version`() throws {
    let outcome = try run("--version")
    #expect(outcome.code == 0)
    #expect(outcome.answers.wholeMatch(of: /eider \d+\.\d+\.\d+\n/) != nil)
  }

  @Test func `the reference has the whole address space`() throws {
    let outcome = try run("reference")
    #expect(outcome.code == 0)
    for address in ["/host/volume", "/session/NAME/duck/depth", "/route/NAME/limit", "/eider/status", "/sync"] {
      #expect(outcome.answers.contains("`\(address)`"), "\(address)")
    }
  }

  @Test func `check tells good presets from bad ones and from what is no file`() throws {
    let presets = try FileManager.default.contentsOfDirectory(
      at: PackageFiles.url("presets"), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "json5" }
    #expect(presets.count >= 6)
    let good = try Outcome(EiderProcess(["check"] + presets.map(\.path)))
    #expect(good.code == 0)
    #expect(good.answers.split(separator: "\n").allSatisfy { $0.hasSuffix(": no mistakes") })
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("eider-\(UUID().uuidString).json5")
    try "{ eider: 1, fades: { pause: -1 } }".write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let bad = try run("check", file.path)
    #expect(bad.code == 1)
    #expect(bad.answers.contains("\(file.path):1:29: error:"))
    #expect(try run("check", "/nowhere.json5").code == 2)
  }

  @Test func `a script on a preset says which of its routes are there, for without JACK nobody else does`() throws {
    let scripts = "Tests/ReadyMadeTests/Scripts"
    for (script, preset) in [("kiosk-headset", "kiosk"), ("hotel-headset", "hotel")] {
      let outcome = try run(
        "simulate", PackageFiles.url("\(scripts)/\(script).osc").path, "--preset",
        PackageFiles.url("presets/\(preset).json5").path)
      #expect(outcome.code == 0, "\(outcome.answers)\(outcome.complaints)")
    }
  }

  @Test func `send and get say that nobody is there`() throws {
    // A port that was free a moment ago.
    let port = try OSCServer(addresses: ["127.0.0.1"], port: 0).port
    for arguments in [
      ["get", "--port", "\(port)", "/host/volume"], ["send", "--port", "\(port)", "/host/volume", "1"],
    ] {
      let outcome = try Outcome(EiderProcess(arguments))
      #expect(outcome.code == 3)
      #expect(outcome.complaints.contains("no eider listens on 127.0.0.1 port \(port)"))
      #expect(outcome.complaints.contains("eider run"))
    }
  }
}

extension Live {
  /// What the program says and how it ends, where it needs a server.
  @Suite struct CommandLineWithServer {
    @Test(.enabled(if: ServerKind.current == .pipeWire, "with jackd it starts a server"))
    func `where PipeWire does not run it says how to start it, and starts no jackd`() async throws {
      try await withoutOtherServers {
        let outcome = try Outcome(
          EiderProcess(["run", "--jack-server", ProbeName.own, "--start-server", "auto", "--port", "0"]))
        #expect(outcome.code == 3)
        #expect(outcome.complaints.contains("systemctl --user start pipewire wireplumber"))
      }
    }

    @Test func `send and get speak to the daemon, and a second daemon is told what is in its way`() async throws {
      try await withProbeServer { server in
        let daemon = try EiderProcess(
          ["run", "--jack-server", server.name, "--port", "0"], preset: preset([("music", 2, "")]))
        let port = "\(try daemon.readyPort())"
        func run(_ arguments: String...) throws -> Outcome {
          try Outcome(EiderProcess([arguments[0], "--port", port] + arguments.dropFirst()))
        }

        let set = try run("send", "/session/music/volume", "0.5")
        #expect(set.code == 0 && set.answers.isEmpty && set.complaints.isEmpty)
        #expect(try run("get", "/session/music/volume").answers == "0.5\n")
        #expect(try run("get", "/session/music/options").answers == "none\n")
        #expect(try run("send", "/session/open", "guide", "ambient", "A guide").code == 0)
        #expect(
          try run("get", "/session/*/title").answers == "/session/music/title music\n/session/guide/title A guide\n")
        #expect(try run("send", "/eider/ping", "7").answers == "/eider/pong 7\n")

        let refused = try run("send", "/session/music/category", "banana")
        #expect(refused.code == 1)
        #expect(refused.complaints.hasPrefix("/session/music/category: incompatibleCategory: "))
        let unknown = try run("get", "/session/nobody/volume")
        #expect(unknown.code == 1)
        #expect(unknown.complaints.contains("noSuchSession"))

        let samePort = try Outcome(
          EiderProcess(["run", "--jack-server", server.name, "--jack-name", "second", "--port", port]))
        #expect(samePort.code == 2)
        #expect(samePort.complaints.contains("port \(port)"))
        #expect(samePort.complaints.contains("--port"))
        // Another one beside it is called otherwise, and says so.
        let sameName = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"])
        _ = try sameName.readyPort()
        #expect(sameName.complaints.contains("JACK client eider-2"))
        #expect(sameName.complaints.contains("--jack-name"))
        sameName.terminate()
        #expect(try sameName.exitCode() == 0)

        // Nothing of that has disturbed the first.
        #expect(try run("get", "/session/music/volume").answers == "0.5\n")
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
      }
    }

    private static let hasSoundCard = FileManager.default.fileExists(atPath: "/dev/snd/controlC0")

    @Test(
      .disabled(if: hasSoundCard, "it would take the machine's sound card"),
      .disabled(if: ServerKind.current == .pipeWire, "PipeWire is started by systemd, and by no program"))
    func `where no server runs it starts one if it may, and ends that one again`() async throws {
      try await withoutOtherServers {
        let daemon = try EiderProcess([
          "run", "--jack-server", ProbeName.own, "--start-server", "auto", "--port", "0",
        ])
        let remote = try Remote(port: try daemon.readyPort())
        #expect(daemon.complaints.contains("no JACK server is running: starting jackd on the dummy driver"))
        let probe = try ProbeClient("probe", server: ProbeName.own)
        #expect(eventually { probe.connections(of: "eider:speaker_out_1") == ["system:playback_1"] })
        #expect(try remote.get("/host/route") == ["speaker"])
        probe.close()
        daemon.terminate()
        #expect(try daemon.exitCode() == 0)
        #expect(throws: ProbeError.self) { try ProbeClient("probe", server: ProbeName.own) }
      }
    }
  }
}

/// How the program ended, and what it said.
struct Outcome {
  let code: Int32
  let answers: String
  let complaints: String

  /// Waits for the end.
  init(_ process: EiderProcess) throws {
    code = try process.exitCode()
    answers = process.answers
    complaints = process.complaints
  }
}
