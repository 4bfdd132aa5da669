/// Some of the open sessions, by where they stand among them: a bit each, so that noting one of them takes next to nothing.
/// They stand elsewhere once one before them is closed.
public struct SessionPlaces: Sendable {
  /// As many bits as sessions can be open.
  private var words = InlineArray<16, UInt64>(repeating: 0)
  public private(set) var isEmpty = true

  public init() {}

  public mutating func insert(_ place: Int) {
    words[place / 64] |= 1 << UInt64(place % 64)
    isEmpty = false
  }

  public mutating func formUnion(_ other: SessionPlaces) {
    for index in words.indices { words[index] |= other.words[index] }
    isEmpty = isEmpty && other.isEmpty
  }

  public mutating func removeAll() {
    if !isEmpty { self = SessionPlaces() }
  }

  /// Visits them in their order.
  public func forEach(_ body: (Int) -> Void) {
    for index in words.indices {
      var rest = words[index]
      while rest != 0 {
        body(64 * index + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }
}
