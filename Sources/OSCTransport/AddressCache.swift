/// Addresses that came lately, so that one that comes again is not checked and allocated again.
///
/// A surface sends the same few addresses over and over; making their texts anew takes a fifth of the time that
/// reading a message takes. Each address has one place, and the next one for that place takes it over: bounded, and no
/// choice of addresses makes it slower than no cache.
struct AddressCache: Sendable {
  /// Places, a power of two, or none: an empty cache keeps nothing.
  private var places: [String]

  /// Bytes up to which Swift keeps a text in place, with nothing to allocate, and from which on it is not worth a place.
  private static let lengths = 16..<256

  init(placeCount: Int) {
    precondition(placeCount & (placeCount - 1) == 0)
    places = [String](repeating: "", count: placeCount)
  }

  /// The text of bytes that are UTF-8; nil if they are not.
  mutating func text(_ bytes: Span<UInt8>) -> String? {
    guard !places.isEmpty, Self.lengths.contains(bytes.count) else { return Self.newText(bytes) }
    let place = Int(truncatingIfNeeded: bytes.mixed) & (places.count - 1)
    if places[place].utf8.span.isEqual(to: bytes) { return places[place] }
    guard let text = Self.newText(bytes) else { return nil }
    places[place] = text
    return text
  }

  static func newText(_ bytes: Span<UInt8>) -> String? {
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    return String(copying: text)
  }
}

extension Span<UInt8> {
  /// A number that differs for most texts that differ.
  fileprivate var mixed: UInt64 {
    var mixed = UInt64(truncatingIfNeeded: count)
    var offset = 0
    while offset + 8 <= count {
      mixed = (mixed ^ bigEndian64(at: offset)) &* 0x9E37_79B9_7F4A_7C15
      mixed ^= mixed >> 32
      offset += 8
    }
    // The last eight bytes, some of them for the second time.
    mixed = (mixed ^ bigEndian64(at: count - 8)) &* 0x9E37_79B9_7F4A_7C15
    return mixed >> 32
  }

  /// Whether the bytes are the same. There are at least eight of `other`.
  fileprivate func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    var offset = 0
    while offset + 8 <= count {
      guard bigEndian64(at: offset) == other.bigEndian64(at: offset) else { return false }
      offset += 8
    }
    return bigEndian64(at: count - 8) == other.bigEndian64(at: count - 8)
  }
}
