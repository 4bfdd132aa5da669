import AddressSpace

/// Keeps the peak of one strip or route for each of its readers since it last read: the meter itself can be taken once
/// only. Control thread only.
struct PeakBook {
  /// The most readers that are remembered for one meter.
  private static let mostReaders = 64

  private var waiting: [Int: [ReaderID: Float]] = [:]

  /// The peak since this reader last read.
  /// - Parameter taken: what the meter gave now; it counts for all its readers.
  mutating func read(_ index: Int, reader: ReaderID, taken: Float) -> Float {
    var readers = waiting[index] ?? [:]
    for other in readers.keys { readers[other] = max(readers[other] ?? 0, taken) }
    if readers.count >= Self.mostReaders, readers[reader] == nil { readers.removeAll() }
    let peak = max(readers[reader] ?? 0, taken)
    readers[reader] = 0
    waiting[index] = readers
    return peak
  }

  /// Forgets all readers of a meter that means something else from now on.
  mutating func forget(_ index: Int) { waiting[index] = nil }

  /// Forgets a reader.
  mutating func forget(_ reader: ReaderID) {
    for index in waiting.keys { waiting[index]?[reader] = nil }
  }
}
