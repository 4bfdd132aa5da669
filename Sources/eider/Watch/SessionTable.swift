import AddressSpace

/// What is known of all sessions, and how it looks as a table.
struct SessionTable {
  /// What has to be subscribed to.
  static let patterns = [
    "/session/list", "/session/*/{\(columns.map(\.attribute).joined(separator: ","))}",
  ]

  private struct Column {
    let attribute: String
    let title: String
    var isNumber = false
  }

  private static let columns = [
    Column(attribute: "category", title: "CATEGORY"), Column(attribute: "state", title: "STATE"),
    Column(attribute: "silence", title: "WHY SILENT"), Column(attribute: "duckedBy", title: "DUCKED BY"),
    Column(attribute: "reduction", title: "DUCK dB", isNumber: true),
    Column(attribute: "gain", title: "GAIN dB", isNumber: true),
    Column(attribute: "peak", title: "PEAK dBFS", isNumber: true),
  ]

  /// In the order of opening.
  private var names: [String] = []
  private var values: [String: [String: [Argument]]] = [:]

  /// Takes in a value.
  mutating func take(_ message: Message) {
    if message.address == "/session/list" {
      names = message.arguments.map(\.plainText)
      values = values.filter { names.contains($0.key) }
      return
    }
    let parts = message.address.split(separator: "/")
    guard parts.count == 3, parts[0] == "session" else { return }
    values[String(parts[1]), default: [:]][String(parts[2])] = message.arguments
  }

  /// How many sessions there are, and how many of them are heard.
  var summary: String {
    let heard = names.count { values[$0]?["silence"] == ["none"] }
    return "\(names.count) session\(names.count == 1 ? "" : "s"), \(heard) heard"
  }

  /// A line of titles, and one for each session.
  var lines: [String] {
    guard !names.isEmpty else { return ["no session is open"] }
    let rows = [["SESSION"] + Self.columns.map(\.title)] + names.map { name in [name] + cells(of: name) }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.indices.map { column in
        let gap = String(repeating: " ", count: widths[column] - row[column].count)
        let isNumber = column > 0 && Self.columns[column - 1].isNumber
        return isNumber ? gap + row[column] : row[column] + gap
      }.joined(separator: "  ")
    }
  }

  private func cells(of name: String) -> [String] {
    Self.columns.map { column in
      guard let value = values[name]?[column.attribute] else { return "" }
      if column.isNumber { return value.first?.number.map { number(column.attribute, $0) } ?? "" }
      if column.attribute == "silence", value == ["none"] { return "" }
      return value.map(\.plainText).joined(separator: " ")
    }
  }

  /// Decibels with one decimal; nothing where no duck is, and −120 is as good as silence.
  private func number(_ attribute: String, _ value: Double) -> String {
    if attribute == "reduction", value == 0 { return "" }
    if value <= -120 { return "-∞" }
    let tenths = Int((abs(value) * 10).rounded())
    return (value < 0 && tenths > 0 ? "-" : "") + "\(tenths / 10).\(tenths % 10)"
  }
}
