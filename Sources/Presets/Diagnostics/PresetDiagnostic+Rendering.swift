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
    let line = source.lineRange(start.line)
    let from = line.lowerBound + start.column - 1
    let to = end.line == start.line ? line.lowerBound + end.column - 1 : line.upperBound
    let excerpt = SourceExcerpt(source, line: line, from: from, to: to)
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
}

/// The part of a line that is shown around a mistake, and what underlines it.
private struct SourceExcerpt {
  private(set) var text = ""
  private(set) var underline = ""

  /// The longest piece of a line that is shown, and how much of it stands before the mistake at most.
  private static let widest = 160
  private static let widestBefore = 60

  /// - Parameters:
  ///   - line: where the line is.
  ///   - from: where the mistake begins.
  ///   - to: where it ends.
  init(_ source: SourceText, line: Range<Int>, from: Int, to: Int) {
    let isWhole = line.count <= Self.widest
    let first = isWhole ? line.lowerBound : max(line.lowerBound, min(from, line.upperBound) - Self.widestBefore)
    let last = min(line.upperBound, first + Self.widest)
    if first > line.lowerBound { add("…", under: " ") }
    for offset in first..<last {
      let scalar = source.scalars[offset]
      let mark = offset == from ? "^" : offset > from && offset < to ? "~" : nil
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: text.unicodeScalars.append(scalar)
      case .control where scalar == "\t": add("\t", under: mark ?? "\t")
      case .control: add("\u{FFFD}", under: mark ?? " ")
      default: add(String(scalar), under: mark ?? " ")
      }
    }
    if last < line.upperBound { add("…", under: " ") }
    if from >= line.upperBound { underline += "^" }
    while underline.last == " " || underline.last == "\t" { underline.removeLast() }
  }

  private mutating func add(_ shown: String, under mark: String) {
    text += shown
    underline += mark
  }
}
