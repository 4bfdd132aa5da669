import Presets

/// `eider check`: what is wrong with presets.
enum CheckCommand: Command {
  static let name = "check"
  static let summary = "says what is wrong with preset files, and where"
  static let help = """
    usage: eider check [--json] PRESET…

      --json   the mistakes as JSON, for editors

    Exits with 1 if a preset has a mistake, 2 if a file cannot be read.
    """

  static func run(_ words: inout CommandWords) throws -> ExitCode {
    var isJSON = false
    var paths: [String] = []
    while let word = words.next() {
      if word == "--json" {
        isJSON = true
      } else if word.hasPrefix("--") {
        throw UsageError("there is no option \(word)")
      } else {
        paths.append(word)
      }
    }
    guard !paths.isEmpty else { throw UsageError("which preset?") }
    var mistakes: [PresetDiagnostic] = []
    var isReadable = true
    for path in paths {
      do {
        _ = try Preset(contentsOf: path)
        if !isJSON { Console.say("\(path): no mistakes") }
      } catch let error as PresetMistakes {
        mistakes += error.diagnostics
        if !isJSON { Console.say("\(error)") }
      } catch {
        isReadable = false
        Console.complain("eider check: \(error)")
      }
    }
    if isJSON { try Console.say(PresetDiagnostic.json(mistakes)) }
    return isReadable ? mistakes.isEmpty ? .done : .notSo : .wrongUse
  }
}

/// `eider schema`: for editors.
enum SchemaCommand: Command {
  static let name = "schema"
  static let summary = "prints the JSON Schema of presets, for editors"
  static let help = "usage: eider schema"

  static func run(_ words: inout CommandWords) throws -> ExitCode {
    guard words.remaining().isEmpty else { throw UsageError("it takes no words") }
    Console.say(PresetSchema.json())
    return .done
  }
}
