import Foundation
import JACKProbe
import Testing

/// `scripts/install`, into a place of the test's own.
@Suite struct Installing {
  private let root = FileManager.default.temporaryDirectory.appendingPathComponent("eider \(UUID().uuidString)")
  private var prefix: URL { root.appendingPathComponent("a place & 100%n") }

  /// Runs a program to its end.
  private func run(_ words: [String]) throws -> (code: Int32, said: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(["XDG_RUNTIME_DIR": root.path]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: said, as: UTF8.self))
  }

  private func install(_ options: String...) throws -> String {
    let script = PackageFiles.url("scripts/install").path
    let (code, said) = try run([script, "--prefix", prefix.path] + options)
    #expect(code == 0, "\(said)")
    return said
  }

  private func install() throws -> String { try install("--binary", builtProgram("eider").path) }

  /// All files and folders below the root.
  private var contents: Set<String> {
    Set(FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? [])
  }

  @Test func `what is installed runs, can be installed again, and is taken away to the last file`() throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    let first = try install()
    #expect(first.contains("installed  \(prefix.path)/bin/eider\n"))
    // systemd does not look there by itself.
    #expect(first.contains("systemctl --user enable --now /"))
    let program = prefix.appendingPathComponent("bin/eider").path
    let presets = prefix.appendingPathComponent("share/eider/presets")
    let kiosk = presets.appendingPathComponent("kiosk.json5")
    #expect(try run([program, "--version"]).code == 0)
    #expect(try run([program, "check", kiosk.path]).code == 0)
    let all = contents

    let again = try install()
    #expect(!again.contains("installed  "))
    #expect(again.contains("in place   \(program)\n"))
    #expect(contents == all)

    #expect(try install("--remove").contains("removed    \(program)\n"))
    #expect(contents == [])
    #expect(try install("--remove").contains("nothing is installed"))
  }

  @Test func `what others have there, and what a person has changed, is kept`() throws {
    let folder = prefix.appendingPathComponent("bin")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    try Data("other".utf8).write(to: folder.appendingPathComponent("other"))
    _ = try install()
    let kiosk = prefix.appendingPathComponent("share/eider/presets/kiosk.json5")
    try Data("{ eider: 1 } // mine".utf8).write(to: kiosk)
    #expect(try install("--remove").contains("kept       \(kiosk.path)"))
    let place = prefix.lastPathComponent
    #expect(
      contents == [
        place, "\(place)/bin", "\(place)/bin/other", "\(place)/share", "\(place)/share/eider",
        "\(place)/share/eider/presets", "\(place)/share/eider/presets/kiosk.json5",
      ])

    #expect(try install().contains("kept       \(kiosk.path).old"))
    #expect(try String(contentsOf: kiosk, encoding: .utf8) == PackageFiles.text("presets/kiosk.json5"))
    #expect(try String(contentsOfFile: "\(kiosk.path).old", encoding: .utf8) == "{ eider: 1 } // mine")
  }

  @Test(
    .disabled(if: !FileManager.default.fileExists(atPath: "/usr/bin/systemd-analyze"), "there is no systemd here"))
  func `systemd finds no mistake in the unit`() throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    _ = try install()
    let unit = prefix.appendingPathComponent("share/systemd/user/eider.service").path
    let (code, said) = try run(["systemd-analyze", "verify", "--user", unit])
    #expect(code == 0)
    #expect(!said.contains("eider"), "\(said)")
  }

  @Test func `wrong use is told with the right use`() throws {
    let script = PackageFiles.url("scripts/install").path
    for (options, problem) in [
      (["--remvoe"], "there is no option --remvoe"), (["--prefix"], "--prefix needs a value"),
      (["--binary", "/nowhere/eider"], "there is no program /nowhere/eider"),
    ] {
      let (code, said) = try run([script] + options)
      #expect(code == 2)
      #expect(said.contains(problem) && said.contains("usage: scripts/install"), "\(said)")
    }
  }
}
