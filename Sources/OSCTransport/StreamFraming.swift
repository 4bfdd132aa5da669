/// How packets are told apart on a TCP connection.
public enum StreamFraming: Hashable, Sendable {
  /// OSC 1.1: each packet between END bytes (RFC 1055, "double END").
  case slip
  /// OSC 1.0: the size in 32 bits before each packet.
  case lengthPrefixed

  /// Tells the framing by the first byte of a connection; nil if it is neither.
  ///
  /// A size of at most `OSCLimits.packetSize` begins with a zero byte; SLIP with END, or with a packet itself.
  init?(firstByte: UInt8) {
    switch firstByte {
    case 0: self = .lengthPrefixed
    case SLIP.end, UInt8(ascii: "/"), UInt8(ascii: "#"): self = .slip
    default: return nil
    }
  }

  /// Appends a packet in its frame.
  func append(_ packet: Span<UInt8>, to bytes: inout [UInt8]) {
    switch self {
    case .slip:
      bytes.append(SLIP.end)
      for index in packet.indices {
        switch packet[index] {
        case SLIP.end:
          bytes.append(SLIP.escape)
          bytes.append(SLIP.escapedEnd)
        case SLIP.escape:
          bytes.append(SLIP.escape)
          bytes.append(SLIP.escapedEscape)
        case let byte:
          bytes.append(byte)
        }
      }
      bytes.append(SLIP.end)
    case .lengthPrefixed:
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: packet.count >> shift)) }
      for index in packet.indices { bytes.append(packet[index]) }
    }
  }
}

/// The bytes with a meaning in SLIP (RFC 1055).
enum SLIP {
  static let end: UInt8 = 0xC0
  static let escape: UInt8 = 0xDB
  static let escapedEnd: UInt8 = 0xDC
  static let escapedEscape: UInt8 = 0xDD
}
