import AddressSpace
import SessionPolicy

extension Script {
  /// Reads a script.
  /// - Throws: `ScriptError` with the line and what would be right there.
  public init(name: String, text: String) throws(ScriptError) {
    var reader = ScriptReader(name: name)
    var number = 0
    // To Swift a carriage return and the line feed after it are one character.
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
      number += 1
      try reader.read(line, number)
    }
    self.name = name
    steps = try reader.finish(at: number)
  }
}

/// Reads a script line by line.
private struct ScriptReader {
  let name: String
  private var steps: [Script.Step] = []
  private var time = 0.0
  private var bundle: (line: Int, time: Double?, sendings: [Script.Sending])?

  init(name: String) { self.name = name }

  private func error(_ line: Int, _ problem: String) -> ScriptError {
    ScriptError(script: name, line: line, problem: problem)
  }

  mutating func finish(at line: Int) throws(ScriptError) -> [Script.Step] {
    if let bundle { throw error(bundle.line, "this { is never closed by a }") }
    return steps
  }

  mutating func read(_ line: Substring, _ number: Int) throws(ScriptError) {
    let tokens: [Token]
    do { tokens = try Token.split(line) } catch { throw self.error(number, error.problem) }
    guard let first = tokens.first else { return }
    if tokens.count == 1, first.text == "{" {
      guard bundle == nil else { throw error(number, "a bundle within a bundle: close the first by a } before") }
      bundle = (number, nil, [])
      return
    }
    if tokens.count == 1, first.text == "}" {
      guard let open = bundle else { throw error(number, "this } closes nothing") }
      bundle = nil
      if let time = open.time {
        steps.append(Script.Step(time: time, line: open.line, action: .send(open.sendings)))
      }
      return
    }
    try readTime(first, number)
    try readAction(tokens.dropFirst(), number, line)
  }

  private mutating func readTime(_ token: Token, _ number: Int) throws(ScriptError) {
    let isRelative = token.text.hasPrefix("+")
    let digits = isRelative ? token.text.dropFirst() : token.text[...]
    // `Double` would also read `inf`, `1e3`, hexadecimal numbers and a second sign.
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }), let value = Double(digits) else {
      throw error(number, "a line begins with its time in seconds, such as 1.5 or +0.2, got \(token.text)")
    }
    let next = isRelative ? time + value : value
    guard next >= time else {
      throw error(number, "time goes backwards: \(token.text) after \(time)")
    }
    time = next
  }

  private mutating func readAction(_ tokens: ArraySlice<Token>, _ number: Int, _ line: Substring) throws(ScriptError) {
    guard let first = tokens.first else {
      throw error(number, "after the time comes an address, or one of ? ! < <! before it")
    }
    let rest = tokens.dropFirst()
    switch first.isQuoted ? "" : first.text {
    case "?":
      let address = try self.address(rest.first, number)
      append(.read(address: address, expected: rest.dropFirst().map(\.word)), number)
    case "<":
      let address = try self.address(rest.first, number)
      append(.notice(address: address, expected: rest.dropFirst().map(\.word)), number)
    case "<!":
      let address = try self.address(rest.first, number)
      if let excess = rest.dropFirst().first {
        throw error(number, "after <! comes an address alone, got \(excess.text), too")
      }
      append(.noNotice(address: address), number)
    case "!":
      guard let code = rest.first, !code.text.hasPrefix("/") else {
        throw error(number, "after ! comes the code of the expected error, then an address")
      }
      guard Refusal.Code(rawValue: code.text) != nil else {
        let known = Refusal.Code.allCases.map(\.rawValue).joined(separator: " ")
        throw error(number, "there is no error code \(code.text), there is \(known)")
      }
      try send(rest.dropFirst(), expecting: code.text, number, line)
      return
    default:
      try send(tokens, expecting: nil, number, line)
      return
    }
    if bundle != nil { throw error(number, "between { and } stand sending lines only") }
  }

  private mutating func append(_ action: Script.Action, _ number: Int) {
    steps.append(Script.Step(time: time, line: number, action: action))
  }

  private mutating func send(
    _ tokens: ArraySlice<Token>, expecting code: String?, _ number: Int, _ line: Substring
  ) throws(ScriptError) {
    let address = try self.address(tokens.first, number)
    let text = line[tokens[tokens.startIndex].start..<tokens[tokens.endIndex - 1].end]
    let sending = Script.Sending(
      message: Message(address, tokens.dropFirst().map(\.word.value)), text: String(text), line: number,
      expectedError: code)
    guard let open = bundle else {
      append(.send([sending]), number)
      return
    }
    guard open.time == nil || open.time == time else {
      throw error(number, "a bundle is of one time: expected \(open.time ?? time), got \(time)")
    }
    bundle = (open.line, time, open.sendings + [sending])
  }

  private func address(_ token: Token?, _ number: Int) throws(ScriptError) -> String {
    guard let token, token.text.hasPrefix("/") else {
      throw error(number, "expected an address, which begins with /" + (token.map { ", got \($0.text)" } ?? ""))
    }
    return token.text
  }
}

/// A word of a line and where it stands.
private struct Token {
  let text: String
  let isQuoted: Bool
  let start: Substring.Index
  let end: Substring.Index

  struct Unreadable: Error { let problem: String }

  /// What the word stands for: `true`, `false`, integers and decimals are typed so unless they are quoted.
  var word: Script.Word {
    Script.Word(text: text, value: isQuoted ? .string(text) : Argument(word: text))
  }

  /// Splits a line at white space; `#` starts a comment, except within quotes.
  static func split(_ line: Substring) throws(Unreadable) -> [Token] {
    var tokens: [Token] = []
    var place = line.startIndex
    while place < line.endIndex {
      let character = line[place]
      if character.isWhitespace {
        place = line.index(after: place)
      } else if character == "#" {
        break
      } else {
        tokens.append(try next(line, &place))
      }
    }
    return tokens
  }

  private static func next(_ line: Substring, _ place: inout Substring.Index) throws(Unreadable) -> Token {
    let start = place
    var text = ""
    let quote = line[place]
    guard quote == "\"" || quote == "'" else {
      while place < line.endIndex, !line[place].isWhitespace, line[place] != "#" {
        text.append(line[place])
        place = line.index(after: place)
      }
      return Token(text: text, isQuoted: false, start: start, end: place)
    }
    place = line.index(after: place)
    while place < line.endIndex, line[place] != quote {
      if quote == "\"", line[place] == "\\" {
        place = line.index(after: place)
        guard place < line.endIndex, line[place] == "\"" || line[place] == "\\" else {
          throw Unreadable(problem: "within \"…\" a \\ stands before \" or \\ only")
        }
      }
      text.append(line[place])
      place = line.index(after: place)
    }
    guard place < line.endIndex else { throw Unreadable(problem: "the quote \(quote) is never closed") }
    place = line.index(after: place)
    return Token(text: text, isQuoted: true, start: start, end: place)
  }
}
