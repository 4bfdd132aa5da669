import AddressSpace
import Testing

@testable import OSCTransport

struct OSCDecodingTests {
  @Test func `every type of argument arrives with its value`() throws {
    let bytes = Bytes.message(
      "/a/b", "ifhdsSTFNIcrmtb[i]",
      Bytes.number(Int32(-7)), Bytes.number(Float(0.5).bitPattern), Bytes.number(Int64(-1) << 40),
      Bytes.number(Double.pi.bitPattern), Bytes.text("größer"), Bytes.text("sym"), Bytes.number(UInt32(65)),
      Bytes.number(UInt32(0xFF00_FF00)), Bytes.number(UInt32(0x903C7F)), Bytes.number(UInt64(1)),
      Bytes.number(UInt32(5)) + [1, 2, 3, 4, 5, 0, 0, 0], Bytes.number(Int32(9)))
    #expect(
      try OSCPacket(decoding: bytes)
        == .message(
          Message(
            "/a/b",
            [
              .int(-7), .float(0.5), .long(-1 << 40), .double(.pi), .string("größer"), .string("sym"), .bool(true),
              .bool(false), .other(tag: "N"), .other(tag: "I"), .other(tag: "c"), .other(tag: "r"), .other(tag: "m"),
              .other(tag: "t"), .other(tag: "b"), .other(tag: "["), .int(9), .other(tag: "]"),
            ])))
  }

  @Test func `texts of every length around a word are read whole`() throws {
    for length in 0...17 {
      let text = String("abcdefghijklmnopq".prefix(length))
      let packet = try OSCPacket(decoding: Bytes.message("/" + text, "ss", Bytes.text(text), Bytes.text("x" + text)))
      #expect(packet == .message(Message("/" + text, .string(text), .string("x" + text))))
    }
  }

  @Test func `a message without type tags has no arguments`() throws {
    #expect(try OSCPacket(decoding: Bytes.text("/eider/ping")) == .message(Message("/eider/ping")))
    #expect(try OSCPacket(decoding: Bytes.message("/eider/ping", "")) == .message(Message("/eider/ping")))
  }

  @Test func `a bundle keeps time, order and nesting`() throws {
    let a = Bytes.message("/a", "i", Bytes.number(Int32(1)))
    let b = Bytes.message("/b", "")
    let packet = try OSCPacket(decoding: Bytes.bundle(1 << 63, a, Bytes.bundle(1, b), b))
    #expect(
      packet
        == .bundle(
          OSCTimeTag(rawValue: 1 << 63),
          [.message(Message("/a", .int(1))), .bundle(.immediate, [.message(Message("/b"))]), .message(Message("/b"))]))
    #expect(packet.messageCount == 3)
    var seen: [String] = []
    packet.forEachMessage { message, timeTag in seen.append("\(message.address) \(timeTag.isImmediate)") }
    #expect(seen == ["/a false", "/b true", "/b false"])
    #expect(try OSCPacket(decoding: Bytes.bundle(1)) == .bundle(.immediate, []))
  }

  @Test func `bundles are read to the depth that is promised and no deeper`() throws {
    var bytes = Bytes.message("/a", "")
    for _ in 0..<OSCLimits.bundleDepth { bytes = Bytes.bundle(1, bytes) }
    #expect(try OSCPacket(decoding: bytes).messageCount == 1)
    #expect(throws: OSCDecodingError.nestedTooDeeply) { try OSCPacket(decoding: Bytes.bundle(1, bytes)) }
  }

  @Test(
    arguments: [
      ([], .empty),
      ([0x2F, 0x61, 0], .unaligned(size: 3)),
      (Bytes.text("hello"), .neitherMessageNorBundle),
      (Bytes.text("#bundlf") + Bytes.number(UInt64(1)), .neitherMessageNorBundle),
      (Bytes.text("#bundle"), .truncated(offset: 0)),
      (Array("/abc".utf8), .badText(offset: 0)),
      ([0x2F, 0, 0x61, 0], .badText(offset: 0)),
      ([0x2F, 0, 0x61, 0x62, 0x63, 0, 0, 0], .badText(offset: 0)),
      ([0x2F, 0xFF, 0xC0, 0], .notUTF8(offset: 0)),
      (Bytes.message("/a", "s", [0xC3, 0x28, 0, 0]), .notUTF8(offset: 8)),
      (Bytes.text("/a") + [0, 0, 0, 0], .noTypeTags(offset: 4)),
      (Bytes.text("/a") + Array(",iii".utf8), .badText(offset: 4)),
      (Bytes.message("/a", "q"), .unknownTypeTag(0x71)),
      (Bytes.message("/a", "i"), .truncated(offset: 8)),
      (Bytes.message("/a", "d", Bytes.number(UInt32(0))), .truncated(offset: 8)),
      (Bytes.message("/a", "s"), .badText(offset: 8)),
      (Bytes.message("/a", "b", Bytes.number(UInt32(5)), [1, 2, 3, 4]), .truncated(offset: 12)),
      (Bytes.message("/a", "b", Bytes.number(UInt32.max)), .truncated(offset: 12)),
      (Bytes.message("/a", "i", Bytes.number(UInt64(0))), .trailingBytes(offset: 12)),
      (Bytes.bundle(1) + [0, 0, 0, 0], .badElementSize(offset: 16)),
      (Bytes.bundle(1) + [0, 0, 0, 8, 0x2F, 0x61, 0, 0], .badElementSize(offset: 16)),
      (Bytes.bundle(1) + [0xFF, 0xFF, 0xFF, 0xFC], .badElementSize(offset: 16)),
      (Bytes.bundle(1) + [0, 0, 0, 3, 0x2F, 0x61, 0, 0], .badElementSize(offset: 16)),
      (Bytes.bundle(1, Bytes.text("no")), .neitherMessageNorBundle),
    ] as [([UInt8], OSCDecodingError)])
  func `what is no packet is refused with its reason`(bytes: [UInt8], error: OSCDecodingError) {
    #expect(throws: error) { try OSCPacket(decoding: bytes) }
  }

  @Test func `sizes beyond the limits are refused`() throws {
    let most = Bytes.message("/a", String(repeating: "T", count: OSCLimits.argumentCount))
    #expect(try OSCPacket(decoding: most).message?.arguments.count == OSCLimits.argumentCount)
    let count = OSCLimits.argumentCount + 1
    #expect(throws: OSCDecodingError.tooManyArguments(count: count)) {
      try OSCPacket(decoding: Bytes.message("/a", String(repeating: "T", count: count)))
    }
    let size = OSCLimits.packetSize + 4
    #expect(throws: OSCDecodingError.tooLong(size: size, limit: OSCLimits.packetSize)) {
      try OSCPacket(decoding: [UInt8](repeating: 0x2F, count: size))
    }
  }

  @Test func `an element that reaches into the next one is not read beyond its end`() throws {
    // The string of the first message is ended only by bytes of the second one.
    let open = Bytes.text("/a") + Bytes.text(",s") + Array("open".utf8)
    #expect(throws: OSCDecodingError.self) { try OSCPacket(decoding: Bytes.bundle(1, open, Bytes.message("/b", ""))) }
  }

  @Test func `a decoder that keeps addresses in mind reads each one right`() throws {
    var decoder = OSCDecoder()
    // More than it has places for, of every length, each several times, some differing in a single byte.
    let addresses = (0..<3000).map { "/session/" + String(repeating: "long", count: $0 % 67) + "/\($0)/ü" }
    for _ in 0..<3 {
      for address in addresses {
        let bytes = Bytes.message(address, "i", Bytes.number(Int32(1)))
        let packet = try decoder.decode(bytes.span)
        #expect(packet == .message(Message(address, .int(1))))
        let again = try decoder.decode(bytes.span)
        #expect(again == packet)
      }
    }
  }

  @Test func `an address that is not UTF-8 is refused each time`() throws {
    var decoder = OSCDecoder()
    var bytes = Bytes.message("/session/music/volume", "")
    _ = try decoder.decode(bytes.span)
    bytes[10] = 0xFF
    for _ in 0..<2 {
      #expect(throws: OSCDecodingError.notUTF8(offset: 0)) { try decoder.decode(bytes.span) }
    }
  }
}
