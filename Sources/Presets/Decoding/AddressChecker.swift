import AddressSpace

/// Who knows which addresses exist and what they take, for the messages of scenes and of the start.
public protocol AddressChecker {
  /// What is wrong with sending each of these messages to a machine of this preset; nil where nothing is.
  func complaints(about messages: [Message], in preset: Preset) -> [AddressComplaint?]

  /// What is wrong with an address pattern of `safe`; nil if nothing is.
  func complaint(aboutPattern pattern: String) -> AddressComplaint?
}

/// What is wrong with a message: what was expected, and of what.
public struct AddressComplaint: Error, Hashable, Sendable {
  public enum Subject: Hashable, Sendable {
    case address
    /// All the arguments, or one of them, counted from 0.
    case arguments, argument(Int)
  }

  public var subject: Subject
  /// For people: `the address of a session: /session/NAME/…`, `a number from 0 to 1`.
  public var expected: String
  /// The existing name that a misspelt one most likely means.
  public var nearest: String?

  public init(_ subject: Subject, expected: String, nearest: String? = nil) {
    self.subject = subject
    self.expected = expected
    self.nearest = nearest
  }
}

extension Decoding {
  /// Asks about every message and pattern of the document.
  mutating func checkAddresses(of preset: Preset, by checker: some AddressChecker) {
    let complaints = checker.complaints(about: messages.map(\.message), in: preset)
    for (pending, complaint) in zip(messages, complaints) {
      if pending.path.first == .key("scenes"), pending.message.address.hasPrefix("/scene/") {
        report(
          pending.addressRange, expected: "an address of something else than scenes, which no scene recalls or stores",
          found: pending.message.address.quotedForPeople, path: pending.path)
        continue
      }
      guard let complaint else { continue }
      let (range, found) = place(of: complaint.subject, in: pending)
      report(range, expected: complaint.expected, found: found, nearest: complaint.nearest, path: pending.path)
    }
    for pending in patterns {
      guard let complaint = checker.complaint(aboutPattern: pending.pattern) else { continue }
      report(
        pending.range, expected: complaint.expected, found: pending.pattern.quotedForPeople,
        nearest: complaint.nearest, path: pending.path)
    }
  }

  private func place(
    of subject: AddressComplaint.Subject, in pending: PendingMessage
  ) -> (range: Range<Int>, found: String) {
    switch (subject, pending.node.value) {
    case (.address, _): return (pending.addressRange, pending.message.address.quotedForPeople)
    case (.argument(let index), .array(let nodes)) where nodes.indices.contains(index):
      return (nodes[index].range, describe(nodes[index]))
    default: return (pending.node.range, describe(pending.node))
    }
  }
}
