import AddressSpace

/// Writes a scene into the text of a preset. Every character outside the scene's own block stays as it is, and within it
/// all but the values that have changed: comments, order, quotes.
public struct SceneWriter {
  private let source: SourceText
  private let document: JSON5Document
  private var edits: [(range: Range<Int>, text: String)] = []

  /// The text of a preset with a scene as it is now: what it sets; a new one is put behind the others.
  ///
  /// - Throws: `PresetMistakes` if the text is no preset, `FileError` if the scene cannot be written into it.
  public static func text(_ source: SourceText, with scene: Scene) throws -> String {
    // Only what is right is changed, so that it is right afterwards.
    _ = try Preset(source)
    var writer = SceneWriter(source)
    guard writer.write(scene) else {
      throw FileError(description: "the scene \(scene.name) cannot be written into \(source.file)")
    }
    let text = writer.result
    let preset = try Preset(SourceText(text, file: source.file))
    guard preset.scenes.contains(where: { $0.name == scene.name && $0.set.means(scene.messages) }) else {
      throw FileError(description: "the scene \(scene.name) would be another in \(source.file)")
    }
    return text
  }

  private init(_ source: SourceText) {
    self.source = source
    document = JSON5Document(source)
  }

  private var result: String {
    edits.sorted { $0.range.lowerBound > $1.range.lowerBound }.reduce(source) { text, edit in
      SourceText(text.replacing(edit.range, with: edit.text), file: source.file)
    }.text
  }

  private mutating func write(_ scene: Scene) -> Bool {
    guard case .object(let root) = document.root.value, let lastMember = root.members.last else { return false }
    guard let scenes = root.member("scenes") else {
      let indent = indent(at: lastMember.keyRange.lowerBound)
      let body = Self.text(of: scene, indent: indent + "  ")
      append("scenes: [\n\(indent)  \(body),\n\(indent)]", behind: lastMember.value.range, indent: indent)
      return true
    }
    guard case .array(let elements) = scenes.value.value else { return false }
    for element in elements {
      guard case .object(let object) = element.value, case .string(scene.name)? = object.member("name")?.value.value
      else { continue }
      return rewrite(object, as: scene)
    }
    if let last = elements.last {
      let indent = indent(at: last.range.lowerBound)
      append(Self.text(of: scene, indent: indent), behind: last.range, indent: indent)
    } else {
      let indent = indent(at: scenes.keyRange.lowerBound)
      let body = Self.text(of: scene, indent: indent + "  ")
      let start = scenes.value.range.lowerBound + 1
      edits.append((start..<start, "\n\(indent)  \(body),\n\(indent)"))
    }
    return true
  }

  // MARK: A scene that is there

  private mutating func rewrite(_ object: JSON5Object, as scene: Scene) -> Bool {
    guard let set = object.member("set") else {
      guard let last = object.members.last else { return false }
      let indent = indent(at: last.keyRange.lowerBound)
      append("set: " + Self.text(of: scene.messages, indent: indent), behind: last.value.range, indent: indent)
      return true
    }
    guard case .object(let old) = set.value.value else { return false }
    var rest = scene.messages[...]
    for member in old.members {
      if rest.first?.address == member.key, let message = rest.popFirst() {
        if !member.value.arguments.means(message.arguments) {
          edits.append((member.value.range, Self.text(of: message.arguments)))
        }
        continue
      }
      // A pattern whose matches differ by now is replaced by one line for each.
      let pattern = AddressPattern(member.key)
      let own = rest.prefix { pattern.matches($0.address) }
      guard !own.isEmpty else { return false }
      rest = rest.dropFirst(own.count)
      let indent = indent(at: member.keyRange.lowerBound)
      edits.append(
        (
          member.keyRange.lowerBound..<member.value.range.upperBound,
          own.map(Self.line).joined(separator: ",\n\(indent)")
        ))
    }
    guard !rest.isEmpty else { return true }
    if let last = old.members.last {
      let indent = indent(at: last.keyRange.lowerBound)
      append(rest.map(Self.line).joined(separator: ",\n\(indent)"), behind: last.value.range, indent: indent)
    } else {
      edits.append((set.value.range, Self.text(of: Array(rest), indent: indent(at: set.keyRange.lowerBound))))
    }
    return true
  }

  // MARK: Places

  /// The blanks with which the line of an offset begins.
  private func indent(at offset: Int) -> String {
    let line = source.lineRange(source.position(at: offset).line)
    return String(String.UnicodeScalarView(source.scalars[line].prefix { $0 == " " || $0 == "\t" }))
  }

  /// Puts an element behind the last one of its list or object: on a line of its own, where that one ends its line.
  private mutating func append(_ text: String, behind last: Range<Int>, indent: String) {
    var end = last.upperBound
    let comma = skipBlanks(from: end, acrossLines: true)
    let hasComma = comma < source.scalars.count && source.scalars[comma] == ","
    if hasComma { end = comma + 1 } else { edits.append((end..<end, ",")) }
    // A comment behind it in its line is about it.
    let afterComment = skipBlanks(from: end, acrossLines: false)
    let endsLine = afterComment >= source.scalars.count || Self.isNewline(source.scalars[afterComment])
    // Edits at the same place are made in the order of this list, the last one first in the text.
    let place = endsLine ? afterComment : end
    let separator = endsLine ? "\n\(indent)" : " "
    let inserted = separator + text + (hasComma || endsLine ? "," : "")
    if !hasComma, place == last.upperBound {
      edits[edits.count - 1].text += inserted
    } else {
      edits.append((place..<place, inserted))
    }
  }

  private func skipBlanks(from start: Int, acrossLines: Bool) -> Int {
    let scalars = source.scalars
    var offset = start
    while offset < scalars.count {
      let next: Unicode.Scalar? = offset + 1 < scalars.count ? scalars[offset + 1] : nil
      if scalars[offset] == "/", next == "/" {
        while offset < scalars.count, !Self.isNewline(scalars[offset]) { offset += 1 }
      } else if scalars[offset] == "/", next == "*" {
        var end = offset + 2
        while end + 1 < scalars.count, !(scalars[end] == "*" && scalars[end + 1] == "/") { end += 1 }
        if !acrossLines, scalars[offset..<min(end, scalars.count)].contains(where: Self.isNewline) { return offset }
        offset = min(end + 2, scalars.count)
      } else if Self.isNewline(scalars[offset]) {
        guard acrossLines else { return offset }
        offset += 1
      } else if scalars[offset].properties.isWhitespace {
        offset += 1
      } else {
        break
      }
    }
    return offset
  }

  private static func isNewline(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }
}

// MARK: - Text

extension SceneWriter {
  fileprivate static func text(of scene: Scene, indent: String) -> String {
    var lines = ["name: " + quoted(scene.name)]
    if scene.title != scene.name { lines.append("title: " + quoted(scene.title)) }
    if scene.fade > 0 { lines.append("fade: " + scene.fade.shortText) }
    lines.append("set: " + text(of: scene.messages, indent: indent + "  "))
    return "{\n" + lines.map { "\(indent)  \($0),\n" }.joined() + indent + "}"
  }

  fileprivate static func text(of messages: [Message], indent: String) -> String {
    "{\n" + messages.map { "\(indent)  \(line($0)),\n" }.joined() + indent + "}"
  }

  fileprivate static func line(_ message: Message) -> String {
    quoted(message.address) + ": " + text(of: message.arguments)
  }

  fileprivate static func text(of arguments: [Argument]) -> String {
    if arguments.count == 1 { return text(of: arguments[0]) }
    return "[" + arguments.map { text(of: $0) }.joined(separator: ", ") + "]"
  }

  private static func text(of argument: Argument) -> String {
    if case .string(let text) = argument { return quoted(text) }
    return argument.description
  }

  private static func quoted(_ text: String) -> String { OrderedJSON.string(text).text() }
}

extension SourceText {
  /// The whole text.
  fileprivate var text: String { text(in: 0..<scalars.count) }
}

extension JSON5Node {
  /// What a value means as the arguments of a message.
  fileprivate var arguments: [Argument] {
    switch value {
    case .array(let nodes): nodes.flatMap(\.arguments)
    case .bool(let value): [.bool(value)]
    case .integer(let value): [.double(Double(value))]
    case .decimal(let value): [.double(value)]
    case .string(let value): [.string(value)]
    case .null, .object, .unreadable: []
    }
  }
}

extension [Argument] {
  /// Whether they mean the same; numbers as closely as a `Float` has them, for so they are read.
  fileprivate func means(_ others: [Argument]) -> Bool {
    guard count == others.count else { return false }
    return zip(self, others).allSatisfy { first, second in
      guard let number = first.number, let other = second.number else { return first == second }
      return Float(number) == Float(other)
    }
  }
}

extension [Message] {
  fileprivate func means(_ others: [Message]) -> Bool {
    count == others.count
      && zip(self, others).allSatisfy { $0.address == $1.address && $0.arguments.means($1.arguments) }
  }
}
