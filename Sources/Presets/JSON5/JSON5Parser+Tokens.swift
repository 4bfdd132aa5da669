extension JSON5Parser {
  // MARK: Texts

  /// Reads a text in quotes. One that is not closed ends with its line.
  mutating func parseString() -> String {
    let start = offset
    let quote = current
    var text = String.UnicodeScalarView()
    offset += 1
    while let scalar = current, scalar != "\n", scalar != "\r" {
      if scalar == "\\" {
        parseEscape(into: &text)
      } else {
        offset += 1
        if scalar == quote { return String(text) }
        text.append(scalar)
      }
    }
    let closing = quote == "'" ? "'" : "\""
    mistake(
      expected: "“\(closing)” to close the text", found: current == nil ? "the end of the file" : "the end of the line",
      at: start..<offset)
    return String(text)
  }

  private mutating func parseEscape(into text: inout String.UnicodeScalarView) {
    let start = offset
    offset += 1
    guard let scalar = current else { return }
    offset += 1
    switch scalar {
    case "b": text.append("\u{08}")
    case "f": text.append("\u{0C}")
    case "n": text.append("\n")
    case "r": text.append("\r")
    case "t": text.append("\t")
    case "v": text.append("\u{0B}")
    case "0" where !(current.map { ("0"..."9").contains($0) } ?? false): text.append("\0")
    case "0"..."9": mistakeInEscape(from: start, expected: "an escape (“\\x…” or “\\u…” for a character by its number)")
    case "x":
      if let code = parseHexadecimal(digits: 2), let scalar = Unicode.Scalar(code) {
        text.append(scalar)
      } else {
        mistakeInEscape(from: start, expected: "two hexadecimal digits after “\\x”")
      }
    case "u":
      if let scalar = parseUnicodeEscape() {
        text.append(scalar)
      } else {
        mistakeInEscape(from: start, expected: "four hexadecimal digits that name a character after “\\u”")
      }
    case "\r":
      if current == "\n" { offset += 1 }
    case "\n", "\u{2028}", "\u{2029}": break
    default: text.append(scalar)
    }
  }

  private mutating func mistakeInEscape(from start: Int, expected: String) {
    let range = start..<offset
    mistake(expected: expected, found: source.text(in: range).quotedForPeople, at: range)
  }

  /// The character whose four digits stand here; two such escapes where one half of a pair needs the other.
  private mutating func parseUnicodeEscape() -> Unicode.Scalar? {
    guard let first = parseHexadecimal(digits: 4) else { return nil }
    guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) }
    guard current == "\\", peek(1) == "u" else { return nil }
    let beforeSecond = offset
    offset += 2
    guard let second = parseHexadecimal(digits: 4), (0xDC00...0xDFFF).contains(second) else {
      offset = beforeSecond
      return nil
    }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  /// The number whose digits stand here; they are passed only if there are enough.
  private mutating func parseHexadecimal(digits: Int) -> UInt32? {
    guard offset + digits <= scalars.count else { return nil }
    let text = scalars[offset..<offset + digits]
    guard text.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
    offset += digits
    return UInt32(String(String.UnicodeScalarView(text)), radix: 16)
  }

  // MARK: Keys and words

  /// Reads a word without quotes: an ECMAScript 5.1 IdentifierName, `\u…` escapes included.
  mutating func parseIdentifier() -> String {
    var name = String.UnicodeScalarView()
    while let scalar = current {
      if scalar == "\\" {
        let start = offset
        offset += 1
        var escaped: Unicode.Scalar?
        if current == "u" {
          offset += 1
          escaped = parseUnicodeEscape()
        }
        if let escaped, name.isEmpty ? Self.startsIdentifier(escaped) : Self.continuesIdentifier(escaped) {
          name.append(escaped)
        } else {
          mistakeInEscape(from: start, expected: "“\\u” and four hexadecimal digits that name a letter")
        }
      } else if Self.continuesIdentifier(scalar) {
        name.append(scalar)
        offset += 1
      } else {
        break
      }
    }
    return String(name)
  }

  // MARK: Numbers

  /// Reads a number, or what looks like one.
  mutating func parseNumber() -> JSON5Value {
    let start = offset
    while let scalar = current, belongsToNumber(scalar, from: start) { offset += 1 }
    let text = source.text(in: start..<offset)
    if let value = Self.number(text) { return value }
    mistake(expected: "a number, such as 12, -0.5, 1e3 or 0x1F", found: text.quotedForPeople, at: start..<offset)
    skipToDelimiter()
    return .unreadable
  }

  private func belongsToNumber(_ scalar: Unicode.Scalar, from start: Int) -> Bool {
    if scalar == "." || Self.continuesIdentifier(scalar) { return true }
    guard scalar == "+" || scalar == "-" else { return false }
    if offset == start || scalars[offset - 1] == "+" || scalars[offset - 1] == "-" { return true }
    // The sign of an exponent; a hexadecimal number has none.
    let isHexadecimal = scalars[start..<offset].prefix(3).contains { $0 == "x" || $0 == "X" }
    return (scalars[offset - 1] == "e" || scalars[offset - 1] == "E") && !isHexadecimal
  }

  /// The number that a text is, if it is one as JSON5 writes them.
  static func number(_ text: String) -> JSON5Value? {
    var digits = Substring(text)
    let isNegative = digits.first == "-"
    if isNegative || digits.first == "+" { digits.removeFirst() }
    let sign = isNegative ? "-" : ""

    if digits == "Infinity" { return .decimal(isNegative ? -.infinity : .infinity) }
    if digits == "NaN" { return .decimal(.nan) }
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      let hexadecimal = digits.dropFirst(2)
      guard !hexadecimal.isEmpty, hexadecimal.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit) else {
        return nil
      }
      if let integer = Int64(sign + hexadecimal, radix: 16) { return .integer(integer) }
      return Double(sign + "0x" + hexadecimal).map(JSON5Value.decimal)
    }

    let mantissaEnd = digits.firstIndex { $0 == "e" || $0 == "E" } ?? digits.endIndex
    let mantissa = digits[..<mantissaEnd]
    let parts = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let whole = parts[0]
    let fraction = parts.count > 1 ? parts[1] : ""
    guard parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }), !(whole.isEmpty && fraction.isEmpty),
      whole.count == 1 || whole.first != "0"
    else { return nil }

    if mantissaEnd == digits.endIndex {
      if parts.count == 1, let integer = Int64(sign + whole) { return .integer(integer) }
      return Double(sign + "0" + whole + "." + fraction + "0").map(JSON5Value.decimal)
    }
    var exponent = digits[digits.index(after: mantissaEnd)...]
    let exponentSign = exponent.first == "-" ? "-" : ""
    if exponent.first == "-" || exponent.first == "+" { exponent.removeFirst() }
    guard !exponent.isEmpty, exponent.allSatisfy(\.isASCIIDigit) else { return nil }
    return Double(sign + "0" + whole + "." + fraction + "0e" + exponentSign + exponent).map(JSON5Value.decimal)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) && isASCII }
}
