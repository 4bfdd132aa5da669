import AddressSpace
import Testing

@testable import Conductor

@Suite struct `Peaks` {
  @Test func `are kept for each reader since it last read`() {
    var book = PeakBook()
    #expect(book.read(3, reader: .surface, taken: 0.5) == 0.5)
    #expect(book.read(3, reader: .tablet, taken: 0.25) == 0.25)
    #expect(book.read(3, reader: .surface, taken: 0) == 0.25)
    #expect(book.read(3, reader: .surface, taken: 0.75) == 0.75)
    #expect(book.read(3, reader: .surface, taken: 0) == 0)
    #expect(book.read(3, reader: .tablet, taken: 0.125) == 0.75)
    #expect(book.read(3, reader: .tablet, taken: 0) == 0)
  }

  @Test func `of one strip are not those of another`() {
    var book = PeakBook()
    #expect(book.read(0, reader: .surface, taken: 0.5) == 0.5)
    #expect(book.read(1, reader: .surface, taken: 0.25) == 0.25)
    #expect(book.read(1, reader: .tablet, taken: 0) == 0)
    book.forget(0)
    #expect(book.read(0, reader: .surface, taken: 0.125) == 0.125)
  }

  @Test func `wait for a reader, however many others come and go`() {
    var book = PeakBook()
    #expect(book.read(0, reader: .surface, taken: 0) == 0)
    for number in 10..<100 { _ = book.read(0, reader: ReaderID(number: UInt64(number)), taken: 0.5) }
    #expect(book.read(0, reader: .surface, taken: 0) == 0.5)
    for number in 100..<300 {
      _ = book.read(0, reader: ReaderID(number: UInt64(number)), taken: 0.25)
      if number % 50 == 0 { #expect(book.read(0, reader: .surface, taken: 0) == 0.25) }
    }
  }
}
