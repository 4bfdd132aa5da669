import Daemon
import Foundation

/// How a command ended, as the shell sees it.
enum ExitCode: Int32 {
  case done = 0
  /// The thing that was asked for is not so.
  case notSo = 1
  /// Wrong use, or input that cannot be read.
  case wrongUse = 2
  case noServer = 3
}

/// Wrong use of a command.
struct UsageError: Error {
  let problem: String
  init(_ problem: String) { self.problem = problem }
}

/// One of the things that the program does.
protocol Command {
  static var name: String { get }
  /// One line for the list of commands.
  static var summary: String { get }
  /// How it is used, with the real defaults.
  static var help: String { get }
  static func run(_ words: inout CommandWords) throws -> ExitCode
}

/// Finds the command that is asked for.
enum CommandLineTool {
  static let commands: [any (Command & Sendable).Type] = [
    RunCommand.self, SimulateCommand.self, RenderCommand.self, CheckCommand.self, SendCommand.self, GetCommand.self,
    StatusCommand.self, WatchCommand.self, ReferenceCommand.self, SchemaCommand.self, HelpCommand.self,
  ]

  static func run(_ arguments: [String]) -> Int32 {
    var words = CommandWords(arguments)
    guard let name = words.next() else {
      Console.complain(HelpCommand.overview)
      return ExitCode.wrongUse.rawValue
    }
    if name == "--version" {
      Console.say("eider \(Daemon.version)")
      return ExitCode.done.rawValue
    }
    let wanted = name == "--help" || name == "-h" ? HelpCommand.name : name
    guard let command = commands.first(where: { $0.name == wanted }) else {
      let known = commands.map { $0.name }.joined(separator: " ")
      Console.complain("eider: there is no command \(name), there is \(known)")
      return ExitCode.wrongUse.rawValue
    }
    do {
      if words.contains("--help") || words.contains("-h") {
        Console.say(command.help)
        return ExitCode.done.rawValue
      }
      return try command.run(&words).rawValue
    } catch let error as UsageError {
      Console.complain("eider \(command.name): \(error.problem)\n\(command.help)")
    } catch {
      Console.complain("eider \(command.name): \(error)")
    }
    return ExitCode.wrongUse.rawValue
  }
}

/// The words of a command line, taken one by one.
struct CommandWords {
  private var rest: ArraySlice<String>

  init(_ words: [String]) { rest = words[...] }

  mutating func next() -> String? { rest.popFirst() }

  func contains(_ word: String) -> Bool { rest.contains(word) }

  /// The value that follows an option.
  mutating func value(of option: String) throws(UsageError) -> String {
    guard let value = next() else { throw UsageError("\(option) needs a value") }
    return value
  }

  /// The value that follows an option, as a number of a range.
  mutating func number<Number: FixedWidthInteger>(
    of option: String, in range: ClosedRange<Number>
  ) throws(UsageError) -> Number {
    let text = try value(of: option)
    guard let number = Number(text), range.contains(number) else {
      throw UsageError("\(option) takes a whole number \(range.lowerBound)…\(range.upperBound), got \(text)")
    }
    return number
  }

  /// The values that follow an option up to the next one.
  mutating func values(of option: String) throws(UsageError) -> [String] {
    var values = [try value(of: option)]
    while let next = rest.first, !next.hasPrefix("--") {
      values.append(next)
      rest.removeFirst()
    }
    return values
  }

  /// The words that are left.
  mutating func remaining() -> [String] {
    defer { rest = [] }
    return Array(rest)
  }
}

/// Standard output for what was asked for, standard error for everything else.
enum Console {
  static func say(_ text: String) { write(text, to: .standardOutput) }
  static func complain(_ text: String) { write(text, to: .standardError) }

  private static func write(_ text: String, to file: FileHandle) {
    // Who has closed the pipe does not want to hear more.
    try? file.write(contentsOf: Data((text + "\n").utf8))
  }
}
