import AddressSpace

/// Reads packets, one after the other, and keeps in mind the addresses that come again and again.
///
/// Every access is bounds-checked; whatever the bytes are, the outcome is a packet or an error. A message without type tags
/// has no arguments (older senders leave the tags out). Texts and symbols (`s`, `S`) have to be UTF-8; of blobs, characters,
/// colours, MIDI messages, time tags, nil, infinitum and array brackets only the tag is kept.
public struct OSCDecoder: Sendable {
  private var addresses: AddressCache

  public init() {
    addresses = AddressCache(placeCount: 1024)
  }

  fileprivate init(addresses: AddressCache) {
    self.addresses = addresses
  }

  /// Reads a packet from the bytes of a datagram or a frame.
  ///
  /// - Parameter sizeLimit: bytes beyond which a packet is refused unread.
  public mutating func decode(
    _ bytes: Span<UInt8>, sizeLimit: Int = OSCLimits.packetSize
  ) throws(OSCDecodingError) -> OSCPacket {
    guard bytes.count <= sizeLimit else { throw .tooLong(size: bytes.count, limit: sizeLimit) }
    return try OSCPacket(decoding: bytes, from: 0, to: bytes.count, depth: 0, &addresses)
  }
}

extension OSCPacket {
  /// Reads one packet, as `OSCDecoder` does.
  public init(
    decoding bytes: Span<UInt8>, sizeLimit: Int = OSCLimits.packetSize
  ) throws(OSCDecodingError) {
    var decoder = OSCDecoder(addresses: AddressCache(placeCount: 0))
    self = try decoder.decode(bytes, sizeLimit: sizeLimit)
  }

  /// Reads one packet from an array of bytes.
  public init(
    decoding bytes: [UInt8], sizeLimit: Int = OSCLimits.packetSize
  ) throws(OSCDecodingError) {
    try self.init(decoding: bytes.span, sizeLimit: sizeLimit)
  }

  fileprivate init(
    decoding bytes: Span<UInt8>, from start: Int, to end: Int, depth: Int, _ addresses: inout AddressCache
  ) throws(OSCDecodingError) {
    guard end > start else { throw .empty }
    guard (end - start) % 4 == 0 else { throw .unaligned(size: end - start) }
    switch bytes[start] {
    case UInt8(ascii: "/"):
      self = .message(try Message(decoding: bytes, from: start, to: end, &addresses))
    case UInt8(ascii: "#"):
      self = .bundle(try OSCBundle(decoding: bytes, from: start, to: end, depth: depth, &addresses))
    default:
      throw .neitherMessageNorBundle
    }
  }
}

extension OSCBundle {
  /// `#bundle` and its closing zero.
  static let mark: UInt64 = 0x2362_756E_646C_6500

  fileprivate init(
    decoding bytes: Span<UInt8>, from start: Int, to end: Int, depth: Int, _ addresses: inout AddressCache
  ) throws(OSCDecodingError) {
    guard depth < OSCLimits.bundleDepth else { throw .nestedTooDeeply }
    guard end - start >= 16 else { throw .truncated(offset: start) }
    guard bytes.bigEndian64(at: start) == Self.mark else { throw .neitherMessageNorBundle }
    let timeTag = OSCTimeTag(rawValue: bytes.bigEndian64(at: start + 8))
    var elements: [OSCPacket] = []
    elements.reserveCapacity(try bytes.elementCount(from: start + 16, to: end))
    var position = start + 16
    while position < end {
      let elementStart = position + 4
      position = elementStart + Int(bytes.bigEndian32(at: position))
      elements.append(try OSCPacket(decoding: bytes, from: elementStart, to: position, depth: depth + 1, &addresses))
    }
    self.init(timeTag: timeTag, elements: elements)
  }
}

extension Message {
  fileprivate init(
    decoding bytes: Span<UInt8>, from start: Int, to end: Int, _ addresses: inout AddressCache
  ) throws(OSCDecodingError) {
    var position = start
    let addressEnd = try bytes.textEnd(at: &position, end: end)
    guard let address = addresses.text(bytes.extracting(start..<addressEnd)) else { throw .notUTF8(offset: start) }
    guard position < end else {
      self.init(address, [])
      return
    }
    guard bytes[position] == UInt8(ascii: ",") else { throw .noTypeTags(offset: position) }
    var tag = position + 1
    let tagsEnd = try bytes.textEnd(at: &position, end: end)
    guard tagsEnd - tag <= OSCLimits.argumentCount else { throw .tooManyArguments(count: tagsEnd - tag) }
    if tagsEnd - tag == 1 {
      // By far the most frequent case. An array literal makes its room at once.
      self.init(address, [try bytes.argument(tagged: bytes[tag], at: &position, end: end)])
    } else {
      var arguments: [Argument] = []
      arguments.reserveCapacity(tagsEnd - tag)
      while tag < tagsEnd {
        arguments.append(try bytes.argument(tagged: bytes[tag], at: &position, end: end))
        tag += 1
      }
      self.init(address, arguments)
    }
    guard position == end else { throw .trailingBytes(offset: position) }
  }
}

extension Span<UInt8> {
  /// Reads one argument and moves `position` behind it.
  fileprivate func argument(
    tagged tag: UInt8, at position: inout Int, end: Int
  ) throws(OSCDecodingError) -> Argument {
    switch tag {
    case UInt8(ascii: "f"):
      return .float(Float(bitPattern: bigEndian32(at: try skip(4, at: &position, end: end))))
    case UInt8(ascii: "i"):
      return .int(Int32(bitPattern: bigEndian32(at: try skip(4, at: &position, end: end))))
    case UInt8(ascii: "s"), UInt8(ascii: "S"): return .string(try text(at: &position, end: end))
    case UInt8(ascii: "T"): return .bool(true)
    case UInt8(ascii: "F"): return .bool(false)
    case UInt8(ascii: "d"):
      return .double(Double(bitPattern: bigEndian64(at: try skip(8, at: &position, end: end))))
    case UInt8(ascii: "h"):
      return .long(Int64(bitPattern: bigEndian64(at: try skip(8, at: &position, end: end))))
    case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "["), UInt8(ascii: "]"): break
    case UInt8(ascii: "c"), UInt8(ascii: "r"), UInt8(ascii: "m"): _ = try skip(4, at: &position, end: end)
    case UInt8(ascii: "t"): _ = try skip(8, at: &position, end: end)
    case UInt8(ascii: "b"):
      let size = Int(bigEndian32(at: try skip(4, at: &position, end: end)))
      _ = try skip((size + 3) & ~3, at: &position, end: end)
    default: throw .unknownTypeTag(tag)
    }
    return .other(tag: Character(UnicodeScalar(tag)))
  }

  /// Moves `position` on if so many bytes are there, and returns where it was.
  private func skip(_ size: Int, at position: inout Int, end: Int) throws(OSCDecodingError) -> Int {
    guard size <= end - position else { throw .truncated(offset: position) }
    defer { position += size }
    return position
  }

  /// Reads a text and moves `position` behind its padding.
  fileprivate func text(at position: inout Int, end: Int) throws(OSCDecodingError) -> String {
    let start = position
    let textEnd = try textEnd(at: &position, end: end)
    guard let text = AddressCache.newText(extracting(start..<textEnd)) else { throw .notUTF8(offset: start) }
    return text
  }

  /// Finds the end of the text that begins at `position`, and moves `position` behind its padding.
  ///
  /// `position` and `end` are a multiple of four apart.
  fileprivate func textEnd(at position: inout Int, end: Int) throws(OSCDecodingError) -> Int {
    // A text is filled up to whole words, so that the first word with a zero byte is its last one.
    guard let (offset, word) = firstWordWithZero(from: position, to: end) else { throw .badText(offset: position) }
    // The zeros that end it are the low bytes. Nothing before them may be zero.
    let padding = word.trailingZeroBitCount / 8
    guard padding > 0, !(word | UInt32.max >> (32 - 8 * padding)).hasZeroByte else { throw .badText(offset: position) }
    position = offset + 4
    return position - padding
  }

  /// Checks the sizes of a bundle's elements and counts them, so that room is made once.
  ///
  /// `start` and `end` are a multiple of four apart.
  fileprivate func elementCount(from start: Int, to end: Int) throws(OSCDecodingError) -> Int {
    var count = 0
    var position = start
    while position < end {
      let size = Int(bigEndian32(at: position))
      guard size > 0, size <= end - position - 4, size % 4 == 0 else { throw .badElementSize(offset: position) }
      position += 4 + size
      count += 1
    }
    return count
  }
}
