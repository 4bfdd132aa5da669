import AddressSpace
import Foundation
import Presets
import Scripts
import SessionPolicy

/// `eider simulate`: the policy alone.
enum SimulateCommand: Command {
  static let name = "simulate"
  static let summary = "runs scripts on the policy alone: no JACK, no audio, virtual time"
  static let help = """
    usage: eider simulate SCRIPT… [--preset FILE] [--trace]

      --preset FILE   the host of every script (default: routes speaker, and headphones bluetooth line that are absent;
                      input mic). There is no JACK: routes whose ports decide are there, but headphones and other
                      personal ones are not, until the script says so by /route/NAME/available
      --trace         prints the whole state as one JSON object a line after each event

    Prints each expectation that does not hold and a last line “N passed, N failed”.
    Exits with 1 if any failed, 2 if a script cannot be read.
    """

  static func run(_ words: inout CommandWords) throws -> ExitCode {
    var paths: [String] = []
    var preset = Preset.scriptDefault
    var isTracing = false
    while let word = words.next() {
      switch word {
      case "--trace": isTracing = true
      case "--preset":
        guard let read = PresetFile.read(try words.value(of: word)) else { return .wrongUse }
        preset = read.withoutJACK()
      case _ where word.hasPrefix("--"): throw UsageError("there is no option \(word)")
      default: paths.append(word)
      }
    }
    guard !paths.isEmpty else { throw UsageError("which script?") }
    let scripts = try paths.map { try ScriptFile.read($0) }
    let host = ControlState(preset: preset)
    var output = Output()
    var (passed, failed) = (0, 0)
    for script in scripts {
      let result = Simulation.run(script, on: host, trace: isTracing ? { output.say($0.line) } : nil)
      passed += result.passed
      failed += result.failures.count
      for refusal in result.refusals { Console.complain(refusal) }
      for failure in result.failures { output.say(failure.description) }
    }
    output.say("\(passed) passed, \(failed) failed")
    output.flush()
    return failed == 0 ? .done : .notSo
  }
}

/// Reads script files.
enum ScriptFile {
  static func read(_ path: String) throws -> Script {
    guard let data = FileManager.default.contents(atPath: path), let text = String(data: data, encoding: .utf8) else {
      throw UsageError("the script \(path) cannot be read, or is not UTF-8 text")
    }
    return try Script(name: path, text: text)
  }
}

/// Gathers what is printed, so that a long trace is not written line by line.
struct Output {
  private var text = ""

  mutating func say(_ line: String) {
    text += line
    text += "\n"
    if text.utf8.count > 1 << 16 { flush() }
  }

  mutating func flush() {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    text = ""
  }
}
