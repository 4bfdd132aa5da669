/// Why bytes are no OSC packet.
public enum OSCDecodingError: Error, Hashable, Sendable {
  /// No bytes at all.
  case empty
  /// More bytes than the reader takes.
  case tooLong(size: Int, limit: Int)
  /// The size is no multiple of four.
  case unaligned(size: Int)
  /// It begins neither with `/` nor with `#bundle`.
  case neitherMessageNorBundle
  /// A text has no end, or something else than zeros fills it up to a multiple of four.
  case badText(offset: Int)
  /// A text is not UTF-8.
  case notUTF8(offset: Int)
  /// Something else than a comma and type tags follows the address.
  case noTypeTags(offset: Int)
  /// A type tag that OSC 1.0 and 1.1 do not know, so that its size is not known either.
  case unknownTypeTag(UInt8)
  /// More than `OSCLimits.argumentCount`.
  case tooManyArguments(count: Int)
  /// An argument reaches beyond the end.
  case truncated(offset: Int)
  /// Bytes are left over behind the last argument.
  case trailingBytes(offset: Int)
  /// A bundle inside a bundle, deeper than `OSCLimits.bundleDepth`.
  case nestedTooDeeply
  /// An element of a bundle is empty or reaches beyond its end.
  case badElementSize(offset: Int)
}

extension OSCDecodingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty: "the packet is empty"
    case .tooLong(let size, let limit): "the packet has \(size) bytes; at most \(limit) are read"
    case .unaligned(let size): "the packet has \(size) bytes; an OSC packet has a multiple of four"
    case .neitherMessageNorBundle: "the packet begins neither with an address (/…) nor with #bundle"
    case .badText(let offset): "the text at byte \(offset) is not ended by zeros up to a multiple of four bytes"
    case .notUTF8(let offset): "the text at byte \(offset) is not UTF-8"
    case .noTypeTags(let offset): "type tags (,…) were expected at byte \(offset)"
    case .unknownTypeTag(let tag): "the type tag \(String(UnicodeScalar(tag)).debugDescription) is not known"
    case .tooManyArguments(let count):
      "the message has \(count) arguments; at most \(OSCLimits.argumentCount) are read"
    case .truncated(let offset): "the argument at byte \(offset) reaches beyond the end"
    case .trailingBytes(let offset): "bytes are left over from byte \(offset) on"
    case .nestedTooDeeply: "bundles are nested more than \(OSCLimits.bundleDepth) deep"
    case .badElementSize(let offset): "the bundle's element at byte \(offset) is empty or reaches beyond its end"
    }
  }
}

/// The sizes up to which a packet is read. They bound time, memory and stack that a packet can cost.
public enum OSCLimits {
  /// Bytes: what a UDP datagram can carry, and what a TCP client may send in one packet.
  public static let packetSize = 65536
  /// Bytes of one answer that a client reads over TCP: a list of every session with long names is longer than a datagram.
  public static let answerSize = 1 << 20
  /// Bundles around a message.
  public static let bundleDepth = 16
  /// Arguments of one message.
  public static let argumentCount = 4096
}
