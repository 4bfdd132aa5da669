import Foundation

extension PresetMistakes: CustomStringConvertible {
  /// Every mistake as a compiler shows it, and how many there are.
  public var description: String {
    let count = diagnostics.count == 1 ? "1 error" : "\(diagnostics.count) errors"
    return diagnostics.map { $0.rendered(in: source) + "\n" }.joined() + "\(source.file): \(count)\n"
  }
}

extension PresetDiagnostic {
  /// As a compiler shows it: `FILE:LINE:COLUMN: error: PATH: …`, the line of the file, and a caret under the place.
  public func rendered(in source: SourceText) -> String {
    let place = path.isEmpty ? "" : "\(path): "
    let excerpt = SourceExcerpt(line: source.line(start.line), from: start.column - 1, to: lastColumn(in: source))
    return """
      \(file):\(start.line):\(start.column): error: \(place)\(message)
      \(excerpt.text)
      \(excerpt.underline)
      """
  }

  /// The mistakes as a JSON array, for editors.
  public static func json(_ diagnostics: [PresetDiagnostic]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(diagnostics), as: UTF8.self)
  }

  private func lastColumn(in source: SourceText) -> Int {
    end.line == start.line ? end.column - 1 : source.line(start.line).unicodeScalars.count
  }
}

/// The part of a line that is shown around a mistake, and what underlines it.
private struct SourceExcerpt {
  private(set) var text = ""
  private(set) var underline = ""

  /// The longest piece of a line that is shown, and how much of it stands before the mistake at most.
  private static let widest = 160
  private static let widestBefore = 60

  /// - Parameters from, to: the mistake, as scalars of the line, counted from 0.
  init(line: String, from: Int, to: Int) {
    let scalars = Array(line.unicodeScalars)
    let isWhole = scalars.count <= Self.widest
    let first = isWhole ? 0 : max(0, min(from, scalars.count) - Self.widestBefore)
    let last = isWhole ? scalars.count : min(scalars.count, first + Self.widest)
    if first > 0 { add("…", under: " ") }
    for (offset, scalar) in scalars.enumerated() where offset >= first && offset < last {
      let mark = offset == from ? "^" : offset > from && offset < to ? "~" : nil
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: text.unicodeScalars.append(scalar)
      case .control where scalar == "\t": add("\t", under: mark ?? "\t")
      case .control: add("\u{FFFD}", under: mark ?? " ")
      default: add(String(scalar), under: mark ?? " ")
      }
    }
    if last < scalars.count { add("…", under: " ") }
    if from >= scalars.count { underline += "^" }
    while underline.last == " " || underline.last == "\t" { underline.removeLast() }
  }

  private mutating func add(_ shown: String, under mark: String) {
    text += shown
    underline += mark
  }
}
