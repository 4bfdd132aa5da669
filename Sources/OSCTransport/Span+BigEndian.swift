// Unsafe in name only: `RawSpan` checks the bounds of every load, and each bit pattern is a valid integer. Put together
// from single bytes, each with its own bounds check, the same loads take most of the time that a packet's reading takes.

extension Span<UInt8> {
  /// The 32-bit number that begins at an offset. Traps where four bytes are not there.
  func bigEndian32(at offset: Int) -> UInt32 {
    UInt32(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The 64-bit number that begins at an offset. Traps where eight bytes are not there.
  func bigEndian64(at offset: Int) -> UInt64 {
    UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension UInt32 {
  /// Whether one of the four bytes is zero.
  var hasZeroByte: Bool {
    (self &- 0x0101_0101) & ~self & 0x8080_8080 != 0
  }
}
