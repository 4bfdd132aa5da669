import AddressSpace
import Testing

@testable import OSCTransport

/// What faders and buttons send is read as every packet is: the short way leads where the long one does.
struct PressReaderTests {
  /// The messages that the short way makes of a packet; nil if it leaves the packet to the long one.
  private func messages(_ bytes: [UInt8]) -> [Message]? {
    var reader = PressReader()
    guard reader.read(bytes.span) else { return nil }
    return reader.presses.map { Message($0, in: bytes.span) }
  }

  private func decoded(_ bytes: [UInt8]) -> [Message]? {
    guard let packet = try? OSCPacket(decoding: bytes) else { return nil }
    var messages: [Message] = []
    packet.forEachMessage { message, _ in messages.append(message) }
    return messages
  }

  static let volume = Bytes.message("/session/music/volume", "f", Bytes.number(Float(0.5).bitPattern))
  static let pan = Bytes.message("/session/a/pan", "d", Bytes.number((-0.25).bitPattern))
  static let mute = Bytes.message("/session/music1/mute", "T")
  static let solo = Bytes.message("/session/müsli/solo", "F")
  static let priority = Bytes.message("/x", "i", Bytes.number(UInt32(bitPattern: -7)))
  static let long = Bytes.message("/abcdefg", "h", Bytes.number(UInt64(bitPattern: -7)))
  static let text = Bytes.message("/session/music/title", "s", Bytes.text("Musik"))
  static let query = Bytes.message("/session/music/volume", "")

  @Test(arguments: [volume, pan, mute, priority, long])
  func `a message with one number or boolean is a press`(bytes: [UInt8]) {
    #expect(messages(bytes) != nil)
    #expect(messages(bytes) == decoded(bytes))
  }

  @Test func `so is a bundle of them, in its order and with its time`() {
    let bytes = Bytes.bundle(1 << 63, Self.volume, Self.mute, Self.volume, Self.long, Self.priority, Self.pan)
    #expect(messages(bytes) == decoded(bytes))
    #expect(messages(bytes)?.count == 6)
    var reader = PressReader()
    _ = reader.read(bytes.span)
    #expect(reader.timeTag == OSCTimeTag(rawValue: 1 << 63))
    _ = reader.read(Self.volume.span)
    #expect(reader.timeTag.isImmediate && reader.presses.count == 1)
  }

  @Test(arguments: [
    text, query, solo, Bytes.message("/a", "ff", Bytes.number(UInt32(1)), Bytes.number(UInt32(2))), Bytes.bundle(1),
    Bytes.bundle(1, volume, text), Bytes.bundle(1, volume, Bytes.bundle(1, mute)), [], Bytes.text("#bundle"),
  ])
  func `everything else is left to the long way`(bytes: [UInt8]) {
    #expect(messages(bytes) == nil)
  }

  @Test func `a hash is that of the address`() {
    for length in 1...40 {
      let address = "/" + String(repeating: "a", count: length - 1)
      let bytes = Bytes.message(address, "T")
      var reader = PressReader()
      _ = reader.read(bytes.span)
      let (hash, text) = (AddressHash(address.utf8.span), reader.presses.first?.address(in: bytes.span))
      #expect(reader.presses.first?.hash == hash)
      #expect(text == address)
    }
  }

  @Test func `no byte can make the ways differ`() {
    let seeds = [
      Self.volume, Self.mute, Self.long,
      Bytes.bundle(1, Self.volume, Self.mute, Self.pan, Self.priority), Bytes.bundle(7, Self.long),
    ]
    var generator = RepeatableGenerator(state: 3)
    var (pressCount, leftCount) = (0, 0)
    for round in 0..<20_000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[index] = [0, 0x80, UInt8(ascii: ","), UInt8(ascii: "/")].randomElement(using: &generator) ?? 0
        case 2: bytes.removeLast(min(bytes.count - 1, 4 * Int.random(in: 0...2, using: &generator)))
        default: bytes.insert(contentsOf: [0, 0, 0, 0], at: index & ~3)
        }
      }
      guard let pressed = messages(bytes) else {
        leftCount += 1
        continue
      }
      pressCount += 1
      // As texts: not a number is not equal to itself.
      #expect(decoded(bytes)?.map(\.description) == pressed.map(\.description))
    }
    #expect(pressCount > 1000 && leftCount > 1000)
  }
}
