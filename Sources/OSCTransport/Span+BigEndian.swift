// Loads of whole numbers. Each bit pattern is a valid integer, and `RawSpan` checks the bounds of each load; in the one loop
// where it does not, they are checked once before it. Put together from single bytes, each with its own bounds check, the
// same loads take most of the time that a packet's reading takes.

extension Span<UInt8> {
  /// The 32-bit number that begins at an offset. Traps where four bytes are not there.
  func bigEndian32(at offset: Int) -> UInt32 {
    UInt32(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The 64-bit number that begins at an offset. Traps where eight bytes are not there.
  func bigEndian64(at offset: Int) -> UInt64 {
    UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The first 32-bit number with a zero byte among those from `start` up to `end`, and where it is.
  ///
  /// `start` and `end` are a multiple of four apart.
  func firstWordWithZero(from start: Int, to end: Int) -> (offset: Int, word: UInt32)? {
    precondition(start >= 0 && start <= end && end <= count && (end - start) % 4 == 0)
    let bytes = bytes
    var offset = start
    while offset != end {
      // Four bytes from here on are there: `offset` comes to `end` in steps of four.
      let word = bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self)
      // Which byte is first does not matter here.
      if word.hasZeroByte { return (offset, UInt32(bigEndian: word)) }
      offset &+= 4
    }
    return nil
  }
}

extension UInt32 {
  /// Whether one of the four bytes is zero.
  var hasZeroByte: Bool {
    (self &- 0x0101_0101) & ~self & 0x8080_8080 != 0
  }
}
