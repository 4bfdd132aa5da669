import Testing

@testable import OSCTransport

struct StreamFramingTests {
  static let packets: [[UInt8]] = [
    Bytes.message("/a", "i", Bytes.number(Int32(-64))),
    Bytes.message("/frame", "ii", [0xC0, 0xDB, 0xC0, 0xC0], [0xDB, 0xDC, 0xDD, 0xDB]),
    Bytes.bundle(1, Bytes.message("/b", "s", Bytes.text("À"))),
  ]

  private func deframe(_ pieces: [[UInt8]], _ framing: StreamFraming, limit: Int = 1000) -> (
    packets: [[UInt8]], faults: [StreamDeframer.Fault]
  ) {
    var deframer = StreamDeframer(framing: framing, packetLimit: limit)
    var packets: [[UInt8]] = []
    var faults: [StreamDeframer.Fault] = []
    for piece in pieces where faults.last != .brokenStream {
      deframer.consume(piece.span) { packet, fault in
        if let packet { packets.append(packet.indices.map { packet[$0] }) }
        if let fault { faults.append(fault) }
      }
    }
    return (packets, faults)
  }

  @Test(arguments: [StreamFraming.slip, .lengthPrefixed])
  func `packets come out whole wherever the stream is cut`(framing: StreamFraming) {
    var stream: [UInt8] = []
    for packet in Self.packets { framing.append(packet.span, to: &stream) }
    for cut in 0...stream.count {
      let found = deframe([Array(stream[..<cut]), Array(stream[cut...])], framing)
      #expect(found.packets == Self.packets)
      #expect(found.faults.isEmpty)
    }
    #expect(deframe(stream.map { [$0] }, framing).packets == Self.packets)
  }

  @Test func `frames are as the specifications say`() {
    var slip: [UInt8] = []
    StreamFraming.slip.append([0x2F, 0xC0, 0xDB, 0].span, to: &slip)
    #expect(slip == [0xC0, 0x2F, 0xDB, 0xDC, 0xDB, 0xDD, 0, 0xC0])
    var counted: [UInt8] = []
    StreamFraming.lengthPrefixed.append([0x2F, 0xC0, 0, 0].span, to: &counted)
    #expect(counted == [0, 0, 0, 4, 0x2F, 0xC0, 0, 0])
  }

  @Test func `single ENDs between packets do as well as double ones`() {
    let found = deframe([[0x2F, 0x61, 0, 0, 0xC0, 0x2F, 0x62, 0, 0, 0xC0, 0xC0, 0xC0]], .slip)
    #expect(found.packets == [[0x2F, 0x61, 0, 0], [0x2F, 0x62, 0, 0]])
  }

  @Test func `the framing is told by the first byte`() {
    #expect(StreamFraming(firstByte: 0) == .lengthPrefixed)
    for byte in [0xC0, 0x2F, 0x23] as [UInt8] { #expect(StreamFraming(firstByte: byte) == .slip) }
    for byte in [0x47, 0x01, 0xFF, 0xDB] as [UInt8] { #expect(StreamFraming(firstByte: byte) == nil) }
  }

  @Test func `a bad SLIP frame is lost alone`() {
    let good: [UInt8] = [0x2F, 0x61, 0, 0]
    let tooLong = [UInt8](repeating: 0x2F, count: 9)
    let stream = [
      [0xC0, 0x2F, 0xDB, 0x01, 0x2F, 0xC0], good, [0xC0], tooLong, [0xC0], good, [0xDB, 0xC0], good, [0xC0],
    ].flatMap { $0 }
    let found = deframe([stream], .slip, limit: 8)
    #expect(found.packets == [good, good])
    #expect(found.faults == [.badFrame, .badFrame, .badFrame])
  }

  @Test func `a size beyond the limit ends the stream, one of zero is an empty packet`() {
    #expect(deframe([[0, 0, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4]], .lengthPrefixed).packets == [[], [1, 2, 3, 4]])
    #expect(deframe([[0, 0, 0, 8], [UInt8](repeating: 0, count: 8)], .lengthPrefixed, limit: 8).faults.isEmpty)
    #expect(deframe([[0, 0, 0, 9, 1, 2]], .lengthPrefixed, limit: 8).faults == [.brokenStream])
  }
}
