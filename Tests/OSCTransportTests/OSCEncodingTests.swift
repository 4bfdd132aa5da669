import AddressSpace
import CLiblo
import Glibc
import Testing

@testable import OSCTransport

struct OSCEncodingTests {
  static let messages = [
    Message("/a"), Message("/ab", .int(.min)), Message("/abc", .float(-0.25), .long(.max)),
    Message("/abcd", .double(1e300), .string("")), Message("/abcde", .string("ä€𝄞"), .bool(true), .bool(false)),
    Message("/session/music/duck/trigger", .string("level"), .int(1), .other(tag: "N"), .other(tag: "I")),
  ]

  @Test(arguments: messages) func `a message is written byte for byte as liblo writes it`(message: Message) throws {
    #expect(OSCPacket.message(message).encoded() == (try message.serialisedByLiblo()))
  }

  @Test(arguments: messages) func `liblo reads what is written`(message: Message) throws {
    var bytes = OSCPacket.message(message).encoded()
    var result: Int32 = 0
    let size = bytes.count
    let read = try #require(lo_message_deserialise(&bytes, size, &result))
    defer { lo_message_free(read) }
    #expect(result == 0)
    #expect(String(cString: lo_message_get_types(read)) == String(message.arguments.map(\.typeTag)))
    let values = lo_message_get_argv(read)
    for (index, argument) in message.arguments.enumerated() {
      // Read by its own size: a value is as short as it is in the packet, not as long as the union that stands for it.
      let value = values?[index].map { UnsafeRawPointer($0) }
      switch argument {
      case .int(let wanted): #expect(value?.loadUnaligned(as: Int32.self) == wanted)
      case .long(let wanted): #expect(value?.loadUnaligned(as: Int64.self) == wanted)
      case .float(let wanted): #expect(value?.loadUnaligned(as: Float.self) == wanted)
      case .double(let wanted): #expect(value?.loadUnaligned(as: Double.self) == wanted)
      case .string(let wanted):
        let text = try #require(value).assumingMemoryBound(to: CChar.self)
        #expect(String(cString: text) == wanted)
      // liblo gives a place to no value that is all in its tag.
      case .bool, .other: #expect(value == nil)
      }
    }
  }

  @Test(arguments: messages) func `what is written is read back`(message: Message) throws {
    #expect(try OSCPacket(decoding: OSCPacket.message(message).encoded()) == .message(message))
  }

  @Test func `a bundle is written byte for byte as liblo writes it`() throws {
    let inner = lo_bundle_new(lo_timetag(sec: 0, frac: 1))
    let outer = lo_bundle_new(lo_timetag(sec: 0xE000_0000, frac: 0x8000_0000))
    for (bundle, address, value) in [(inner, "/deep", 2), (outer, "/flat", 1)] as [(lo_bundle?, String, Int32)] {
      let message = lo_message_new()
      lo_message_add_int32(message, value)
      lo_bundle_add_message(bundle, address, message)
    }
    lo_bundle_add_bundle(outer, inner)
    defer { lo_bundle_free_recursive(outer) }
    var size = 0
    let serialised = try #require(lo_bundle_serialise(outer, nil, &size))
    defer { free(serialised) }
    let ours = OSCPacket.bundle(
      OSCTimeTag(rawValue: 0xE000_0000_8000_0000),
      [.message(Message("/flat", .int(1))), .bundle(.immediate, [.message(Message("/deep", .int(2)))])])
    #expect(ours.encoded() == Array(UnsafeRawBufferPointer(start: serialised, count: size)))
    #expect(try OSCPacket(decoding: ours.encoded()) == ours)
  }

  @Test func `readers that asked for numbers get booleans as 1 and 0`() throws {
    let packet = OSCPacket.bundle(.immediate, [.message(Message("/a", .bool(true), .string("x"), .bool(false)))])
    #expect(
      try OSCPacket(decoding: packet.encoded(booleans: .int))
        == .bundle(.immediate, [.message(Message("/a", .int(1), .string("x"), .int(0)))]))
  }

  @Test func `a zero inside a text does not end it`() throws {
    let packet = OSCPacket.message(Message("/a", .string("x\0y"), .int(3)))
    #expect(try OSCPacket(decoding: packet.encoded()).message == Message("/a", .string("x\u{FFFD}y"), .int(3)))
    #expect(throws: LibloError.self) { try Message("/a", .string("x\0y")).serialisedByLiblo() }
  }

  @Test func `an argument whose value was not kept goes out as nil`() throws {
    let packet = OSCPacket.message(Message("/a", .other(tag: "b"), .other(tag: "["), .int(3), .other(tag: "]")))
    #expect(
      try OSCPacket(decoding: packet.encoded()).message
        == Message("/a", .other(tag: "N"), .other(tag: "["), .int(3), .other(tag: "]")))
  }
}
