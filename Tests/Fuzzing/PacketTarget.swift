import AddressSpace
import Conductor
import Presets
import SessionPolicy

@testable import OSCTransport

/// The way of a packet: from the bytes of a datagram or a stream through the conductor to the bytes of the answers.
enum Target: FuzzingTarget {
  static var dictionary: [String] {
    AddressTable.endpoints.flatMap { endpoint in [endpoint.address, endpoint.address.replacing("NAME", with: "music")] }
      + ["#bundle\0", ",\0\0\0", ",i\0\0", ",f\0\0", ",s\0\0", ",T\0\0", ",sf\0", "{music,guide}", "*", "[a-z]", "?"]
      + ["playback\0\0\0\0", "begin\0\0\0", "end\0", "none\0\0\0\0", "resumable\0\0\0", "\u{C0}", "\u{DB}"]
  }

  static var seeds: [String: [UInt8]] {
    var messages = AddressTable.endpoints.map { Message($0.address.replacing("NAME", with: "music")) }
    messages += [
      Message("/session/music/volume", 0.5), Message("/session/*/mute", true),
      Message("/subscribe", "/session/*/*", 20),
      Message("/session/open", "guide", "playback"), Message("/session/guide/playing", true), Message("/sync", 3),
      Message("/host/interruption", "begin", "call"), Message("/scene/store", "a"), Message("/scene/recall", "a"),
      Message("/eider/ping", .long(1), .double(2), .other(tag: "N"), .string("ä")),
    ]
    let packets = messages.map(OSCPacket.message)
    let bundles: [OSCPacket] = [
      .bundle(.immediate, Array(packets.suffix(5))), .bundle(OSCTimeTag(rawValue: 1 << 63), Array(packets.prefix(3))),
      .bundle(.immediate, [.bundle(.immediate, [packets[0]]), packets[1]]),
    ]
    var seeds: [String: [UInt8]] = [:]
    for (number, packet) in (packets + bundles).enumerated() {
      let bytes = packet.encoded()
      seeds["datagram-\(number)"] = [0] + bytes
      guard number % 8 == 0 else { continue }
      for (way, framing) in [(1, StreamFraming.slip), (2, .lengthPrefixed)] {
        var stream: [UInt8] = [UInt8(way)]
        framing.append(bytes.span, to: &stream)
        framing.append(bytes.span, to: &stream)
        seeds["stream-\(way)-\(number)"] = stream
      }
    }
    return seeds
  }

  /// The first byte says by which way the others come.
  static func take(_ input: [UInt8]) {
    guard let way = input.first else { return }
    let bytes = Array(input.dropFirst())
    switch way % 3 {
    case 0: take(datagram: bytes)
    case 1: take(stream: bytes, .slip)
    default: take(stream: bytes, .lengthPrefixed)
    }
  }

  private static func take(datagram bytes: [UInt8]) {
    guard let packet = check(bytes) else { return }
    perform([packet])
  }

  private static func take(stream bytes: [UInt8], _ framing: StreamFraming) {
    func frames(pieces size: Int) -> [[UInt8]?] {
      var deframer = StreamDeframer(framing: framing, packetLimit: 1024)
      var frames: [[UInt8]?] = []
      var isBroken = false
      for start in stride(from: 0, to: bytes.count, by: size) where !isBroken {
        deframer.consume(bytes.span.extracting(start..<min(start + size, bytes.count))) { packet, fault in
          if let packet { frames.append(packet.indices.map { packet[$0] }) } else { frames.append(nil) }
          if fault == .brokenStream { isBroken = true }
        }
      }
      return frames
    }
    let whole = frames(pieces: max(1, bytes.count))
    precondition(whole == frames(pieces: 1), "the frames depend on where the stream is cut")
    perform(whole.compactMap { $0.flatMap(check) })
  }

  /// Reads a packet in all ways that there are.
  private static func check(_ bytes: [UInt8]) -> OSCPacket? {
    var decoder = OSCDecoder()
    let packet = try? OSCPacket(decoding: bytes)
    let first = try? decoder.decode(bytes.span)
    let again = try? decoder.decode(bytes.span)
    // Not the packets themselves: NaN is not equal to itself.
    let written = packet?.encoded()
    precondition(
      first?.encoded() == written && again?.encoded() == written, "a cache of addresses changes what is read")
    var pressReader = PressReader()
    if pressReader.read(bytes.span) {
      var messages: [Message] = []
      packet?.forEachMessage { message, _ in messages.append(message) }
      let presses = pressReader.presses.map { Message($0, in: bytes.span) }
      precondition("\(presses)" == "\(messages)", "what faders and buttons send is read in two ways")
    }
    if let written {
      let reread = try? OSCPacket(decoding: written)
      precondition(reread?.encoded() == written, "what is written is not read as the same")
    }
    return packet
  }

  private static func perform(_ packets: [OSCPacket]) {
    let conductor = Conductor(preset: .scriptDefault, version: "0")
    let reader = ReaderID(number: 1)
    var moment = Moment(seconds: 1, frame: 48_000)
    conductor.perform([Message("/session/open", "music", "ambient")], from: reader, at: moment)
    for packet in packets {
      var now: [Message] = []
      packet.forEachMessage { message, tag in
        if tag.isImmediate {
          now.append(message)
        } else {
          conductor.schedule(
            [message], from: reader, atFrame: moment.frame + tag.rawValue % 48_000, seconds: moment.seconds)
        }
      }
      conductor.perform(now, from: reader, at: moment)
      moment = Moment(seconds: moment.seconds + 0.1, frame: moment.frame + 4800)
      conductor.advance(to: moment, lead: 480)
      conductor.publish()
      check(conductor.takeOutbox())
    }
    conductor.perform([Message("/sync", 1), Message("/eider/ping")], from: reader, at: moment)
    conductor.publish()
    conductor.advance(to: moment, lead: 480)
    let end = conductor.takeOutbox()
    check(end)
    precondition(end.contains(.answer(Message("/eider/pong"), to: reader)), "a ping is not answered any more")
    precondition(end.contains(.answer(Message("/synced", 1), to: reader)), "nothing comes into force any more")
  }

  /// All that is sent can be read.
  private static func check(_ outbox: [Outgoing]) {
    var encoder = OSCEncoder()
    for outgoing in outbox {
      let message: Message
      switch outgoing {
      case .answer(let answer, _): message = answer
      case .notice(let notice, _): message = notice
      case .quit, .boolsAsInts, .time, .complaint, .keepScene: continue
      }
      encoder.encode(message)
      let read = try? OSCPacket(decoding: encoder.bytes)
      precondition(read?.encoded() == encoder.bytes, "\(message) cannot be read")
      if message.address == "/error" { precondition(message.arguments.count == 3, "\(message) has no code") }
    }
  }
}
