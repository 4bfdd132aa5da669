import AddressSpace

/// When presses take effect, and whose they are.
public struct PressOrigin: Sendable {
  public let client: ClientAddress
  /// Who is read-only may read and subscribe, but set nothing.
  public let isReadOnly: Bool
  /// That of the bundle that they came in; `immediate` for one that stands alone.
  public let timeTag: OSCTimeTag
}

/// Finds the presses of packets: of a message that is one, or of a bundle of such messages, as surfaces and whatever else
/// moves many faders at once send them.
///
/// Of the same bytes `OSCDecoder` makes the same messages.
struct PressReader: Sendable {
  /// Those of the packet that was read last.
  private(set) var presses: [Press] = []
  private(set) var timeTag = OSCTimeTag.immediate

  /// The parts of a message that a press is: its type tags, as they lie in a packet.
  private enum Tags {
    static let int: UInt32 = 0x2C69_0000
    static let long: UInt32 = 0x2C68_0000
    static let float: UInt32 = 0x2C66_0000
    static let double: UInt32 = 0x2C64_0000
    static let `true`: UInt32 = 0x2C54_0000
    static let `false`: UInt32 = 0x2C46_0000
  }

  /// Returns whether a packet holds presses and nothing else. Where it does not, what is wrong with it is not said.
  mutating func read(_ bytes: Span<UInt8>) -> Bool {
    presses.removeAll(keepingCapacity: true)
    timeTag = .immediate
    guard bytes.count >= 8, bytes.count <= OSCLimits.packetSize, bytes.count % 4 == 0 else { return false }
    guard bytes[0] == UInt8(ascii: "#") else { return readMessage(bytes, from: 0, to: bytes.count) }
    guard bytes.count > 16, bytes.bigEndian64(at: 0) == OSCBundle.mark else { return false }
    timeTag = OSCTimeTag(rawValue: bytes.bigEndian64(at: 8))
    var position = 16
    while position < bytes.count {
      let start = position + 4
      let size = Int(bytes.bigEndian32(at: position))
      guard size >= 8, size <= bytes.count - start, size % 4 == 0 else { return false }
      position = start + size
      guard readMessage(bytes, from: start, to: position) else { return false }
    }
    return true
  }

  /// `start` and `end` are at least eight and a multiple of four apart.
  private mutating func readMessage(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
    guard bytes[start] == UInt8(ascii: "/") else { return false }
    var hash = AddressHash()
    var offset = start
    var word: UInt64
    // Bytes beyond ASCII.
    var beyond: UInt64 = 0
    var zeros: UInt64
    while true {
      // Behind the address there are at least its type tags.
      guard offset + 8 <= end else { return false }
      word = UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
      zeros = word.zeroBytes
      if zeros != 0 { break }
      hash.mix(word)
      beyond |= word
      offset += 8
    }
    let length = zeros.trailingZeroBitCount / 8
    let last = word & ((1 << UInt64(8 * length)) - 1)
    if last != 0 { hash.mix(last) }
    guard (beyond | last) & 0x8080_8080_8080_8080 == 0 else { return false }
    let addressEnd = offset + length
    var position = (addressEnd & ~3) + 4
    // Whole words are filled up with zeros, and with nothing else.
    guard position + 4 <= end, bytes.bigEndian32(at: position - 4) << UInt32(8 * (addressEnd & 3)) == 0 else {
      return false
    }
    let tags = bytes.bigEndian32(at: position)
    position += 4
    let value: PressValue
    switch (tags, end - position) {
    case (Tags.float, 4): value = .float(Float(bitPattern: bytes.bigEndian32(at: position)))
    case (Tags.int, 4): value = .int(Int32(bitPattern: bytes.bigEndian32(at: position)))
    case (Tags.true, 0): value = .bool(true)
    case (Tags.false, 0): value = .bool(false)
    case (Tags.double, 8): value = .double(Double(bitPattern: bytes.bigEndian64(at: position)))
    case (Tags.long, 8): value = .long(Int64(bitPattern: bytes.bigEndian64(at: position)))
    default: return false
    }
    presses.append(Press(address: start..<addressEnd, hash: hash, value: value))
    return true
  }
}

extension UInt64 {
  /// A mark in the uppermost bit of a byte that is zero: the lowest mark is right, those above may be marks of others.
  fileprivate var zeroBytes: UInt64 { (self &- 0x0101_0101_0101_0101) & ~self & 0x8080_8080_8080_8080 }
}
