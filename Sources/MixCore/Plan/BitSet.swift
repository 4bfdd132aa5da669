/// The indices of the bits that are set in a word, lowest first. Control thread only.
struct SetBits: Sequence, IteratorProtocol {
  private var rest: UInt64

  init(_ word: UInt64) { rest = word }

  mutating func next() -> Int? {
    guard rest != 0 else { return nil }
    defer { rest &= rest - 1 }
    return rest.trailingZeroBitCount
  }
}

/// A set of small numbers, a bit each; as a sequence lowest first. Control thread only.
struct BitSet: Sequence {
  private var words: [UInt64]

  init(words count: Int) { words = Array(repeating: 0, count: count) }

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  mutating func insert(_ index: Int) { words[index / 64] |= 1 << UInt64(index % 64) }

  mutating func formUnion(_ other: BitSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  mutating func removeAll() {
    for index in words.indices { words[index] = 0 }
  }

  struct Iterator: IteratorProtocol {
    private let words: [UInt64]
    private var index = 0
    private var bits = SetBits(0)

    fileprivate init(words: [UInt64]) {
      self.words = words
      bits = SetBits(words[0])
    }

    mutating func next() -> Int? {
      while true {
        if let bit = bits.next() { return index * 64 + bit }
        guard index + 1 < words.count else { return nil }
        index += 1
        bits = SetBits(words[index])
      }
    }
  }

  func makeIterator() -> Iterator { Iterator(words: words) }
}
