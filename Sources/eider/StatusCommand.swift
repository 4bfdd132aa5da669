import AddressSpace
import OSCTransport

/// `eider status`: how the daemon fares.
enum StatusCommand: Command {
  static let name = "status"
  static let summary = "says how the daemon and its audio thread fare"
  static let help = """
    usage: eider status [--host HOST] [--port N]

    \(DaemonAddress.help)

    A line NAME VALUES MEANING for each figure; eider get /eider/NAME reads one alone.
    Exits with 3 if no daemon answers.
    """

  static func run(_ words: inout CommandWords) throws -> ExitCode {
    let (daemon, rest) = try DaemonAddress.take(&words)
    guard rest.isEmpty else { throw UsageError("it takes no words") }
    var rows: [StatusRow] = []
    let end = try daemon.exchange(Message("/eider/status")) { rows.append(StatusRow($0)) }
    let widths = (name: rows.map(\.name.count).max() ?? 0, values: rows.map(\.values.count).max() ?? 0)
    for row in rows {
      Console.say("\(padded(row.name, widths.name))  \(padded(row.values, widths.values))  \(row.meaning)")
    }
    return end
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: width - text.count)
  }
}

/// A figure as a person reads it.
private struct StatusRow {
  let name: String
  let values: String
  let meaning: String

  init(_ message: Message) {
    name = message.address.split(separator: "/").last.map(String.init) ?? message.address
    let endpoint = AddressTable.endpoints.first { $0.address == message.address }
    let kinds = endpoint?.kinds ?? []
    values = message.arguments.enumerated().map { index, argument in
      kinds.indices.contains(index) ? Self.text(argument, kinds[index]) : argument.plainText
    }.joined(separator: ", ")
    meaning = endpoint?.documentation ?? ""
  }

  /// A measured number to a tenth, with its unit.
  private static func text(_ argument: Argument, _ kind: ValueKind) -> String {
    guard case .measured(let unit) = kind, let number = argument.number else { return argument.plainText }
    return "\((number * 10).rounded() / 10) \(unit)"
  }
}
