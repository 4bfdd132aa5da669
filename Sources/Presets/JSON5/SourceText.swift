/// A place in a text as editors count it: both numbers begin with 1, and a column is a Unicode scalar.
public struct SourcePosition: Hashable, Comparable, Sendable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// The text of a file, with what it takes to say where something stands and to replace a part of it.
///
/// Offsets and ranges count Unicode scalars from 0. A line ends with LF, CR LF or CR, as in editors.
public struct SourceText: Sendable {
  /// The name of the file, as it is to be shown.
  public let file: String
  public let scalars: [Unicode.Scalar]
  private let lineStarts: [Int]

  public init(_ text: String, file: String) {
    self.file = file
    let scalars = Array(text.unicodeScalars)
    var lineStarts = [0]
    for offset in scalars.indices {
      let isCarriageReturnAlone =
        scalars[offset] == "\r" && (offset + 1 == scalars.count || scalars[offset + 1] != "\n")
      if scalars[offset] == "\n" || isCarriageReturnAlone { lineStarts.append(offset + 1) }
    }
    self.scalars = scalars
    self.lineStarts = lineStarts
  }

  /// Where an offset is. A byte order mark, which editors do not show, has no column of its own.
  public func position(at offset: Int) -> SourcePosition {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    let hasMark = low == 0 && scalars.first == "\u{FEFF}"
    return SourcePosition(line: low + 1, column: max(1, offset - lineStarts[low] + (hasMark ? 0 : 1)))
  }

  /// A line without what ends it, and without a byte order mark; empty where there is no such line.
  public func line(_ number: Int) -> String { text(in: lineRange(number)) }

  /// Where that line is.
  func lineRange(_ number: Int) -> Range<Int> {
    guard lineStarts.indices.contains(number - 1) else { return scalars.count..<scalars.count }
    var start = lineStarts[number - 1]
    var end = number < lineStarts.count ? lineStarts[number] : scalars.count
    if number == 1, scalars.first == "\u{FEFF}" { start += 1 }
    while end > start, scalars[end - 1] == "\n" || scalars[end - 1] == "\r" { end -= 1 }
    return start..<end
  }

  /// The characters of a range, as they stand in the file.
  public func text(in range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  /// The whole text with a range replaced; every other character, comments too, stays as it is.
  public func replacing(_ range: Range<Int>, with replacement: String) -> String {
    var result = String.UnicodeScalarView(scalars[..<range.lowerBound])
    result.append(contentsOf: replacement.unicodeScalars)
    result.append(contentsOf: scalars[range.upperBound...])
    return String(result)
  }
}
