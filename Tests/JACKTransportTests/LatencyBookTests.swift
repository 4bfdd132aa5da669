import Testing

@testable import JACKTransport

@Suite struct `Latencies of one's own ports` {
  /// Two sessions (1, 2) on two routes (11 and 12 late by 240 frames), a microphone (3) that is heard by one (13).
  private var book: LatencyBook {
    var book = LatencyBook()
    book.set([
      .init(sources: [1, 2], destinations: [11], frames: 0),
      .init(sources: [2], destinations: [12], frames: 240),
      .init(sources: [3], destinations: [13], frames: 0),
    ])
    return book
  }

  @Test func `an output is as late as what comes in, and the look-ahead of its route`() {
    let captured: [UInt: ClosedRange<UInt32>] = [1: 100...200, 2: 50...70, 3: 256...256]
    let latencies = book.latencies(isCapture: true) { captured[$0] ?? 0...0 }
    #expect(latencies == [11: 50...200, 12: 290...310, 13: 256...256])
  }

  @Test func `an input is as far from being heard as the nearest and the farthest of its routes`() {
    let played: [UInt: ClosedRange<UInt32>] = [11: 512...600, 12: 1024...1024]
    let latencies = book.latencies(isCapture: false) { played[$0] ?? 0...0 }
    #expect(latencies == [1: 512...600, 2: 512...1264, 3: 0...0])
  }

  @Test func `a port that goes is on no way any more, whoever has its number next`() {
    var book = book
    book.forget(11)
    #expect(book.ports == [1, 2, 3, 12, 13])
    #expect(book.latencies(isCapture: true) { _ in 0...0 }.keys.sorted() == [12, 13])
    book.forget(3)
    #expect(book.latencies(isCapture: true) { _ in 7...7 } == [12: 247...247])
  }
}
