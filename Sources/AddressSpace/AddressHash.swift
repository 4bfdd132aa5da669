/// A number by which an address is looked up: made of eight bytes at a time, the last of them filled up with zeros.
///
/// Who reads an address from a packet makes it on the way. It is no secret and keeps nobody from finding two addresses of one
/// hash: whatever is looked up by it has to be bounded and compared.
@frozen
public struct AddressHash: Hashable, Sendable {
  public var value: UInt64

  /// That of no bytes.
  @inlinable
  public init() { value = 0 }

  /// That of an address.
  public init(_ address: Span<UInt8>) {
    self.init()
    var offset = 0
    while offset < address.count {
      mix(address.word(at: offset))
      offset += 8
    }
  }

  /// Goes on with the next eight bytes, the first of them lowest.
  @inlinable
  public mutating func mix(_ word: UInt64) {
    // Fibonacci hashing: Knuth, The Art of Computer Programming 3, §6.4. The upper half, which all bits reach, goes down.
    value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 32
  }
}

extension Span<UInt8> {
  /// The eight bytes from an offset on, the first of them lowest; zeros stand for those behind the end.
  func word(at offset: Int) -> UInt64 {
    if offset + 8 <= count {
      return UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    var word: UInt64 = 0
    for index in offset..<count { word |= UInt64(self[index]) << UInt64(8 * (index - offset)) }
    return word
  }
}
