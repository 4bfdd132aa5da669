import AddressSpace
import Scripts

/// What cannot fail proves nothing: a script with each of its expectations turned into a false one.
public struct Contradiction {
  /// The script that says what is not so.
  public let script: Script
  /// How many expectations it has; that is how many must be found not to hold.
  public let expectations: Int

  /// Turns every expectation of a script's text around; `<!` lines are left as they are.
  ///
  /// - Throws: `ScriptError` where the script cannot be read.
  public init(of text: String, name: String) throws(ScriptError) {
    var count = 0
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.count > 2, !line.hasPrefix("#") else { return String(line) }
      switch words[1] {
      case "?", "<":
        count += 1
        return "\(line) and what is not so"
      case "!":
        count += 1
        return String(line.replacing(words[2], with: "ioError", maxReplacements: 1))
      default: return String(line)
      }
    }
    script = try Script(name: name, text: lines.joined(separator: "\n"))
    expectations = count
  }

  /// How many of its expectations are found not to hold on a host, in virtual time.
  public func failures(on host: ControlState) -> Int { Simulation.run(script, on: host).failures.count }
}
