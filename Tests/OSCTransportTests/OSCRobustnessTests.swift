import AddressSpace
import Testing

@testable import OSCTransport

/// Whatever comes in, reading it ends: with a packet that can be written and read again, or with an error.
struct OSCRobustnessTests {
  static let seeds: [[UInt8]] = [
    Bytes.message("/session/music/volume", "f", Bytes.number(Float(0.5).bitPattern)),
    Bytes.message("/session/music/category", "ss", Bytes.text("playback"), Bytes.text("duckOthers")),
    Bytes.message(
      "/x", "hdbTF[i]", Bytes.number(UInt64(1)), Bytes.number(UInt64(2)), Bytes.number(UInt32(3)), [1, 2, 3, 0],
      Bytes.number(UInt32(4))),
    Bytes.bundle(
      1, Bytes.message("/a", "i", Bytes.number(UInt32(1))), Bytes.bundle(5, Bytes.message("/b", "")),
      Bytes.message("/c", "s", Bytes.text("text"))),
  ]

  private func read(_ bytes: [UInt8]) -> Bool {
    guard let packet = try? OSCPacket(decoding: bytes) else { return false }
    let written = packet.encoded()
    // Values that are not kept go out as nil: from then on writing and reading change nothing.
    #expect((try? OSCPacket(decoding: written))?.encoded() == written)
    return true
  }

  @Test func `random bytes are refused or read`() {
    var generator = RepeatableGenerator(state: 1)
    var readCount = 0
    for _ in 0..<30_000 {
      let count = Int.random(in: 0...64, using: &generator)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      if !bytes.isEmpty, Bool.random(using: &generator) { bytes[0] = UInt8(ascii: "/") }
      if read(bytes) { readCount += 1 }
    }
    #expect(readCount < 30_000)
  }

  @Test func `packets cut short at every byte are refused or read`() {
    for seed in Self.seeds {
      #expect(read(seed))
      for count in 0..<seed.count { _ = read(Array(seed.prefix(count))) }
    }
  }

  @Test func `packets with changed bytes are refused or read`() {
    var generator = RepeatableGenerator(state: 2)
    var (readCount, refusedCount) = (0, 0)
    for round in 0..<30_000 {
      var bytes = Self.seeds[round % Self.seeds.count]
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1:
          bytes[index] = [0, 0xFF, 0x7F, 0x80, UInt8(ascii: ","), UInt8(ascii: "#")].randomElement(using: &generator)!
        case 2: bytes.insert(contentsOf: bytes.prefix(index & ~3), at: index & ~3)
        default: bytes.removeSubrange(index...min(index + 3, bytes.count - 1))
        }
        if bytes.isEmpty { break }
      }
      if read(bytes) { readCount += 1 } else { refusedCount += 1 }
    }
    // Both ends of the road were walked.
    #expect(readCount > 1000)
    #expect(refusedCount > 1000)
  }

  @Test(arguments: [StreamFraming.slip, .lengthPrefixed])
  func `random streams never hold more than one packet`(framing: StreamFraming) {
    var generator = RepeatableGenerator(state: 3)
    for _ in 0..<2000 {
      var deframer = StreamDeframer(framing: framing, packetLimit: 64)
      for _ in 0..<20 {
        let bytes = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
          // Few different bytes, so that frames come about.
          [0, 0, 0, 4, 8, SLIP.end, SLIP.escape, SLIP.escapedEnd, 0x2F].randomElement(using: &generator)! as UInt8
        }
        var isBroken = false
        deframer.consume(bytes.span) { packet, fault in
          if let packet { #expect(packet.count <= 64) }
          if fault == .brokenStream { isBroken = true }
        }
        if isBroken { break }
      }
    }
  }
}
