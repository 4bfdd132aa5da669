import Foundation
import JACKProbe
import Synchronization

/// Ends the programs that a test has started, and takes their files away, when the test's own process has gone, however
/// it went: a shell that waits for the end of its input, of which only the test holds the other side.
final class Guardian: Sendable {
  /// That of this process; nil where there can be none.
  static let shared = try? Guardian()

  private let input: FileHandle
  private let turn = Mutex(())

  private init() throws {
    // Whoever interrupts the tests at a terminal interrupts all that belongs to it.
    let script = """
      trap '' HUP INT TERM
      living=
      while read -r sign id folder; do
        case $sign in
          +) living="$living $id:$folder" ;;
          -)
            rest=
            for one in $living; do [ "${one%%:*}" = "$id" ] || rest="$rest $one"; done
            living=$rest
            ;;
        esac
      done
      for one in $living; do kill -TERM "${one%%:*}"; done
      [ -z "$living" ] || sleep 3
      for one in $living; do kill -KILL "${one%%:*}"; rm -rf "${one#*:}"; done
      """
    let pipe = Pipe()
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", script]
    shell.standardInput = pipe
    shell.standardOutput = FileHandle.nullDevice
    shell.standardError = FileHandle.nullDevice
    try shell.run()
    input = pipe.fileHandleForWriting
  }

  /// A program has been started that has its files in a folder.
  func watch(_ process: Int32, _ folder: URL) { tell("+ \(process) \(folder.path)") }

  /// A program has ended.
  func forget(_ process: Int32) { tell("- \(process)") }

  private func tell(_ line: String) { turn.withLock { _ in try? input.write(contentsOf: Data((line + "\n").utf8)) } }
}
