import AddressSpace

extension Form where Value == [Message] {
  /// OSC messages: an object of addresses and their arguments, in the order in which they are sent.
  ///
  /// Whether an address exists and takes these arguments is asked later, when all names are known.
  static var messages: Form {
    let expectation = "OSC addresses and what they are set to: { \"/session/music/volume\": 0.8, … }"
    return Form(
      expectation: expectation, schema: MessageSchema.reference,
      read: { node, decoding in
        guard case .object(let object) = node.value else {
          decoding.report(node, expected: expectation)
          return nil
        }
        decoding.reportDuplicateKeys(of: object)
        return object.members.compactMap { member in
          decoding.at(.key(member.key)) { decoding in decoding.readMessage(member) }
        }
      },
      write: { _ in [:] })
  }
}

extension Form where Value == String {
  /// An address pattern; whether it is one that can match is asked later.
  static var addressPattern: Form {
    let expectation = "an OSC address or a pattern of addresses, such as /session/*/volume"
    return Form(
      expectation: expectation, schema: ["type": "string", "pattern": "^/"],
      read: { node, decoding in
        guard case .string(let text) = node.value, text.hasPrefix("/") else {
          decoding.report(node, expected: expectation)
          return nil
        }
        decoding.patterns.append(.init(pattern: text, range: node.range, path: decoding.path))
        return text
      },
      write: { .string($0) })
  }
}

extension Decoding {
  fileprivate mutating func readMessage(_ member: JSON5Member) -> Message? {
    guard member.key.hasPrefix("/") else {
      report(
        member.keyRange, expected: "an OSC address, which begins with “/”", found: member.key.quotedForPeople)
      return nil
    }
    let arguments: [Argument?]
    if case .array(let nodes) = member.value.value {
      arguments = nodes.enumerated().map { index, node in at(.index(index)) { $0.readArgument(node) } }
    } else {
      arguments = [readArgument(member.value)]
    }
    guard !arguments.contains(nil) else { return nil }
    let message = Message(member.key, arguments.compactMap(\.self))
    messages.append(
      PendingMessage(message: message, addressRange: member.keyRange, node: member.value, path: path))
    return message
  }

  private mutating func readArgument(_ node: JSON5Node) -> Argument? {
    switch node.value {
    case .integer(let value): return Int32(exactly: value).map(Argument.int) ?? .long(value)
    case .decimal(let value) where value.isFinite: return .double(value)
    case .bool(let value): return .bool(value)
    case .string(let value): return .string(value)
    default:
      report(node, expected: "a finite number, true, false, a text, or a list of these")
      return nil
    }
  }
}
