import AddressSpace
import SessionPolicy

/// Events to come, in the order of their frames; of one frame in the order of their arrival.
struct Agenda {
  struct Entry {
    let messages: [Message]
    let reader: ReaderID
    let frame: UInt64
    /// The same on the clock of the policy.
    let seconds: Double
  }

  /// How many messages may wait, so that nobody fills the memory with what is to come: two minutes of a thousand a second.
  static let mostMessages = 1 << 17

  /// A heap: no entry comes before the one at half its index.
  private var entries: [(entry: Entry, arrival: UInt64)] = []
  private var arrivals: UInt64 = 0
  private(set) var messageCount = 0

  /// Adds an event. Throws `tooMany` if there is no room for it.
  mutating func add(_ entry: Entry) throws(Refusal) {
    guard messageCount + entry.messages.count <= Self.mostMessages else {
      throw Refusal(.tooMany, "\(Self.mostMessages) messages wait for their time already; send this one later")
    }
    messageCount += entry.messages.count
    entries.append((entry, arrivals))
    arrivals += 1
    var place = entries.count - 1
    while place > 0, comes(place, before: (place - 1) / 2) {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  var nextFrame: UInt64? { entries.first?.entry.frame }

  /// The next event that is due before a frame.
  mutating func takeNext(before frame: UInt64) -> Entry? {
    guard let first = entries.first?.entry, first.frame < frame else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var place = 0
    while let next = [2 * place + 1, 2 * place + 2].filter({ $0 < entries.count }).min(by: { comes($0, before: $1) }),
      comes(next, before: place)
    {
      entries.swapAt(place, next)
      place = next
    }
    messageCount -= first.messages.count
    return first
  }

  private func comes(_ place: Int, before other: Int) -> Bool {
    let (first, second) = (entries[place], entries[other])
    return (first.entry.frame, first.arrival) < (second.entry.frame, second.arrival)
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
