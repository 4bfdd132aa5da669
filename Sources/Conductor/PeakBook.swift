import AddressSpace

/// Keeps the peak of each strip or route for each of its readers since it last read: the meter itself can be taken once
/// only. Control thread only.
struct PeakBook {
  /// The most readers that are remembered; who has not read for longest is forgotten first.
  private static let mostReaders = 128

  private struct Seat {
    var reader: ReaderID?
    var lastRead: UInt64 = 0
  }

  private var seats: [Seat] = []
  private var seatOf: [ReaderID: Int] = [:]
  private var count: UInt64 = 0
  /// By meter, then by seat.
  private var waiting: [[Float]] = []

  /// The peak since this reader last read.
  /// - Parameter taken: what the meter gave now; it counts for all its readers.
  mutating func read(_ index: Int, reader: ReaderID, taken: Float) -> Float {
    let seat = seat(of: reader)
    count += 1
    seats[seat].lastRead = count
    if waiting.count <= index { waiting += Array(repeating: [], count: index + 1 - waiting.count) }
    if waiting[index].count < seats.count {
      waiting[index] += Array(repeating: 0, count: seats.count - waiting[index].count)
    }
    if taken > 0 {
      for other in waiting[index].indices { waiting[index][other] = max(waiting[index][other], taken) }
    }
    defer { waiting[index][seat] = 0 }
    return waiting[index][seat]
  }

  private mutating func seat(of reader: ReaderID) -> Int {
    if let known = seatOf[reader] { return known }
    let seat: Int
    if let free = seats.firstIndex(where: { $0.reader == nil }) {
      seat = free
    } else if seats.count < Self.mostReaders {
      seat = seats.count
      seats.append(Seat())
    } else {
      seat = seats.indices.min { seats[$0].lastRead < seats[$1].lastRead } ?? 0
      if let other = seats[seat].reader { forget(other) }
    }
    seats[seat].reader = reader
    seatOf[reader] = seat
    return seat
  }

  /// Forgets all peaks of a meter that means something else from now on.
  mutating func forget(_ index: Int) {
    if waiting.indices.contains(index) { waiting[index] = [] }
  }

  /// Forgets a reader.
  mutating func forget(_ reader: ReaderID) {
    guard let seat = seatOf.removeValue(forKey: reader) else { return }
    seats[seat].reader = nil
    for index in waiting.indices where seat < waiting[index].count { waiting[index][seat] = 0 }
  }
}
