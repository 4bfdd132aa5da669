import AddressSpace

/// `eider help`.
enum HelpCommand: Command {
  static let name = "help"
  static let summary = "says how a command is used"
  static let help = "usage: eider help [COMMAND | osc]"

  static var overview: String {
    let rows = CommandLineTool.commands.map { command in
      "  " + command.name + String(repeating: " ", count: 12 - command.name.count) + command.summary
    }
    return """
      eider: what a phone does for the sound of its apps, for every program on a studio or kiosk machine

      \(rows.joined(separator: "\n"))

      help osc    \(OSCHelp.summary)

      eider help COMMAND says more. eider --version prints the version.
      """
  }

  static func run(_ words: inout CommandWords) throws -> ExitCode {
    guard let name = words.next() else {
      Console.say(overview)
      return .done
    }
    guard words.remaining().isEmpty else { throw UsageError("one command") }
    guard name != OSCHelp.topic else {
      Console.say(OSCHelp.text)
      return .done
    }
    guard let command = CommandLineTool.commands.first(where: { $0.name == name }) else {
      throw UsageError("there is no command \(name), and no page but \(OSCHelp.topic)")
    }
    Console.say(command.help)
    return .done
  }
}

/// `eider reference`: the address space.
enum ReferenceCommand: Command {
  static let name = "reference"
  static let summary = "prints the whole OSC address space as Markdown"
  static let help = "usage: eider reference"

  static func run(_ words: inout CommandWords) throws -> ExitCode {
    guard words.remaining().isEmpty else { throw UsageError("it takes no words") }
    Console.say(AddressReference.markdown)
    return .done
  }
}
