import AddressSpace

/// How a reader wants booleans: as the tags `T` and `F`, or as `i` 1 and 0 (`/client/bools`).
public enum OSCBooleanFormat: Hashable, Sendable {
  case typed
  case int
}

/// Writes OSC packets into a buffer that is reused from packet to packet.
public struct OSCEncoder: Sendable {
  /// The packet written last.
  public private(set) var bytes: [UInt8] = []

  public init() {}

  /// Writes one message in place of what was there.
  ///
  /// A zero inside a text would end it; U+FFFD stands in for it. An argument whose value was not kept
  /// (`Argument.other`) goes out as its tag if the tag is all there is to it (`N I [ ]`), else as nil (`N`).
  public mutating func encode(_ message: Message, booleans: OSCBooleanFormat = .typed) {
    bytes.removeAll(keepingCapacity: true)
    append(message, booleans)
  }

  /// Writes a message or a bundle in place of what was there.
  public mutating func encode(_ packet: OSCPacket, booleans: OSCBooleanFormat = .typed) {
    bytes.removeAll(keepingCapacity: true)
    append(packet, booleans)
  }

  private mutating func append(_ packet: OSCPacket, _ booleans: OSCBooleanFormat) {
    switch packet {
    case .message(let message):
      append(message, booleans)
    case .bundle(let bundle):
      append(OSCBundle.mark)
      append(bundle.timeTag.rawValue)
      for element in bundle.elements {
        let sizeAt = bytes.count
        append(UInt32(0))
        append(element, booleans)
        let size = UInt32(bytes.count - sizeAt - 4)
        for index in 0..<4 { bytes[sizeAt + index] = UInt8(truncatingIfNeeded: size >> UInt32(24 - 8 * index)) }
      }
    }
  }

  private mutating func append(_ message: Message, _ booleans: OSCBooleanFormat) {
    append(message.address)
    bytes.append(UInt8(ascii: ","))
    for argument in message.arguments { bytes.append(argument.tagByte(booleans)) }
    pad()
    for argument in message.arguments {
      switch argument {
      case .int(let value): append(UInt32(bitPattern: value))
      case .float(let value): append(value.bitPattern)
      case .long(let value): append(UInt64(bitPattern: value))
      case .double(let value): append(value.bitPattern)
      case .string(let value): append(value)
      case .bool(let value) where booleans == .int: append(UInt32(value ? 1 : 0))
      case .bool, .other: break
      }
    }
  }

  private mutating func append(_ text: String) {
    if text.utf8.contains(0) {
      bytes.append(
        contentsOf: text.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "\u{FFFD}").utf8)
    } else {
      bytes.append(contentsOf: text.utf8)
    }
    pad()
  }

  /// Ends a text: at least one zero, up to a multiple of four. All that stands before began at such a multiple.
  private mutating func pad() {
    repeat { bytes.append(0) } while bytes.count % 4 != 0
  }

  private mutating func append(_ number: UInt32) {
    bytes.append(UInt8(truncatingIfNeeded: number >> 24))
    bytes.append(UInt8(truncatingIfNeeded: number >> 16))
    bytes.append(UInt8(truncatingIfNeeded: number >> 8))
    bytes.append(UInt8(truncatingIfNeeded: number))
  }

  private mutating func append(_ number: UInt64) {
    append(UInt32(truncatingIfNeeded: number >> 32))
    append(UInt32(truncatingIfNeeded: number))
  }
}

extension Argument {
  fileprivate func tagByte(_ booleans: OSCBooleanFormat) -> UInt8 {
    switch self {
    case .int: UInt8(ascii: "i")
    case .long: UInt8(ascii: "h")
    case .float: UInt8(ascii: "f")
    case .double: UInt8(ascii: "d")
    case .string: UInt8(ascii: "s")
    case .bool(let value): booleans == .int ? UInt8(ascii: "i") : value ? UInt8(ascii: "T") : UInt8(ascii: "F")
    case .other(let tag): "NI[]".contains(tag) ? tag.asciiValue! : UInt8(ascii: "N")
    }
  }
}

extension OSCPacket {
  /// The packet's bytes.
  public func encoded(booleans: OSCBooleanFormat = .typed) -> [UInt8] {
    var encoder = OSCEncoder()
    encoder.encode(self, booleans: booleans)
    return encoder.bytes
  }
}
