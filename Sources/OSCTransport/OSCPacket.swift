import AddressSpace

/// What one OSC packet holds: a message, or a bundle of them.
public enum OSCPacket: Hashable, Sendable {
  case message(Message)
  case bundle(OSCBundle)

  /// A bundle of elements, to take effect together at a time.
  public static func bundle(_ timeTag: OSCTimeTag, _ elements: [OSCPacket]) -> OSCPacket {
    .bundle(OSCBundle(timeTag: timeTag, elements: elements))
  }
}

/// Messages and further bundles that take effect together.
public struct OSCBundle: Hashable, Sendable {
  public let timeTag: OSCTimeTag
  public let elements: [OSCPacket]
  /// How many messages it holds, those of bundles in it included.
  public let messageCount: Int

  public init(timeTag: OSCTimeTag, elements: [OSCPacket]) {
    self.timeTag = timeTag
    self.elements = elements
    var count = 0
    for index in elements.indices { count += elements[index].messageCount }
    messageCount = count
  }
}

extension OSCPacket {
  /// Hands over every message of the packet in order, with the time tag of the innermost bundle around it
  /// (`immediate` for a message that stands alone).
  public func forEachMessage<Failure: Error>(
    _ body: (Message, OSCTimeTag) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachMessage(at: .immediate, body)
  }

  private func forEachMessage<Failure: Error>(
    at timeTag: OSCTimeTag, _ body: (Message, OSCTimeTag) throws(Failure) -> Void
  ) throws(Failure) {
    switch self {
    case .message(let message): try body(message, timeTag)
    case .bundle(let bundle):
      for element in bundle.elements { try element.forEachMessage(at: bundle.timeTag, body) }
    }
  }

  /// How many messages the packet holds, those of nested bundles included.
  public var messageCount: Int {
    guard case .bundle(let bundle) = self else { return 1 }
    return bundle.messageCount
  }
}
