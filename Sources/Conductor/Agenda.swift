import AddressSpace

/// Events to come, in the order of their frames; of one frame in the order of their arrival.
struct Agenda {
  struct Entry {
    let messages: [Message]
    let reader: ReaderID
    let frame: UInt64
    /// The same on the clock of the policy.
    let seconds: Double
  }

  private var entries: [Entry] = []

  mutating func add(_ entry: Entry) {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].frame <= entry.frame { low = middle + 1 } else { high = middle }
    }
    entries.insert(entry, at: low)
  }

  var nextFrame: UInt64? { entries.first?.frame }

  /// The next event that is due before a frame.
  mutating func takeNext(before frame: UInt64) -> Entry? {
    guard let first = entries.first, first.frame < frame else { return nil }
    return entries.removeFirst()
  }
}

/// Who waits to be told that all before is in force in the audio thread.
struct SyncQueue {
  private var unnumbered: [(id: Int32, reader: ReaderID)] = []
  private var waiting: [(id: Int32, reader: ReaderID, publication: UInt64)] = []

  var isEmpty: Bool { unnumbered.isEmpty && waiting.isEmpty }

  mutating func add(_ id: Int32, for reader: ReaderID) { unnumbered.append((id, reader)) }

  /// What was asked until now is in force with this publication.
  mutating func number(_ publication: UInt64) {
    waiting += unnumbered.map { ($0.id, $0.reader, publication) }
    unnumbered.removeAll()
  }

  /// Takes those who can be told. Without audio (`nil`) all that is published is in force.
  mutating func take(acknowledged: UInt64?) -> [(id: Int32, reader: ReaderID)] {
    let ready = waiting.prefix { $0.publication <= acknowledged ?? .max }
    waiting.removeFirst(ready.count)
    return ready.map { ($0.id, $0.reader) }
  }

  mutating func forget(_ reader: ReaderID) {
    unnumbered.removeAll { $0.reader == reader }
    waiting.removeAll { $0.reader == reader }
  }
}
