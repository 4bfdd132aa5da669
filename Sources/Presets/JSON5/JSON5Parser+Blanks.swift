extension JSON5Parser {
  /// Passes white space and comments.
  mutating func skipBlanks() {
    while let scalar = current {
      if Self.isWhiteSpace(scalar) {
        offset += 1
      } else if scalar == "#" {
        mistake(expected: "“//” before a comment")
        skipLine()
      } else if scalar == "/", let next = peek(1), next == "/" || next == "*" {
        next == "/" ? skipLine() : skipBlockComment()
      } else {
        return
      }
    }
  }

  /// Passes what cannot be read, up to a comma or closing bracket of the object or array around it.
  mutating func skipToDelimiter() {
    while let scalar = current {
      switch scalar {
      case ",", "]", "}": return
      case "{", "[": skipBalanced()
      case "\"", "'": skipString()
      case "/" where peek(1) == "/": skipLine()
      case "/" where peek(1) == "*": skipBlockComment()
      default: offset += 1
      }
    }
  }

  /// Passes an object or array whole, whatever is in it.
  mutating func skipBalanced() {
    var depth = 0
    repeat {
      switch current {
      case nil:
        endedEarly(expected: "“]” or “}”")
        return
      case "{", "[":
        depth += 1
        offset += 1
      case "}", "]":
        depth -= 1
        offset += 1
      case "\"", "'": skipString()
      case "/" where peek(1) == "/": skipLine()
      case "/" where peek(1) == "*": skipBlockComment()
      default: offset += 1
      }
    } while depth > 0
  }

  func peek(_ distance: Int) -> Unicode.Scalar? {
    offset + distance < scalars.count ? scalars[offset + distance] : nil
  }

  private mutating func skipLine() {
    while let scalar = current, !Self.endsLine(scalar) { offset += 1 }
  }

  private mutating func skipBlockComment() {
    let start = offset
    offset += 2
    while current != nil {
      if current == "*", peek(1) == "/" {
        offset += 2
        return
      }
      offset += 1
    }
    endedEarly(expected: "“*/” after the comment that begins here", at: start..<min(start + 2, scalars.count))
  }

  private mutating func skipString() {
    let quote = current
    offset += 1
    while let scalar = current, scalar != "\n", scalar != "\r" {
      offset += scalar == "\\" && peek(1) != nil ? 2 : 1
      if scalar == quote { return }
    }
  }

  /// The length of the word that stands here, 0 where none does.
  var wordLength: Int {
    var length = 0
    while let scalar = peek(length), Self.continuesIdentifier(scalar), length < 64 { length += 1 }
    return length
  }

  /// What stands here, for people.
  func describeCurrent() -> String {
    guard let scalar = current else { return "the end of the file" }
    let length = wordLength
    if length > 0 { return source.text(in: offset..<offset + length).quotedForPeople }
    if scalar == "\"" || scalar == "'" { return "a text in quotes" }
    return String(scalar).quotedForPeople
  }

  // MARK: Characters

  static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\t", "\n", "\u{0B}", "\u{0C}", "\r", " ", "\u{A0}", "\u{FEFF}", "\u{2028}", "\u{2029}": true
    default: !scalar.isASCII && scalar.properties.generalCategory == .spaceSeparator
    }
  }

  static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  static func startsNumber(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "+", "-", ".": true
    default: false
    }
  }

  static func startsIdentifier(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "$", "_": return true
    case "\0"..."\u{7F}": return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: return true
    default: return false
    }
  }

  static func continuesIdentifier(_ scalar: Unicode.Scalar) -> Bool {
    if startsIdentifier(scalar) || ("0"..."9").contains(scalar) { return true }
    if scalar.isASCII { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
    default: return scalar == "\u{200C}" || scalar == "\u{200D}"
    }
  }
}

extension String {
  /// In quotation marks, at most 60 characters of it, and without characters that would upset a terminal.
  var quotedForPeople: String { "“" + visiblePrefix(60) + "”" }

  /// The first characters, an ellipsis where there are more, and escapes for those that would upset a terminal.
  func visiblePrefix(_ length: Int) -> String {
    let visible = unicodeScalars.prefix(length).map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: String(scalar)
      }
    }
    return visible.joined() + (unicodeScalars.dropFirst(length).isEmpty ? "" : "…")
  }
}
