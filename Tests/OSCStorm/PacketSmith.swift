import AddressSpace
import Foundation
import OSCTransport

/// Makes packets that are random, cut short, changed, or right but for their sense; the same ones for the same seed.
public struct PacketSmith {
  /// What a packet is.
  public enum Kind: CaseIterable, Sendable {
    /// Bytes without any sense.
    case random
    /// A valid packet that ends too early.
    case truncated
    /// A valid packet with changed, doubled or missing bytes.
    case mutated
    /// A valid packet whose address and arguments do not go together.
    case senseless
    /// A valid packet.
    case valid
  }

  private var random: StormRandom
  private let seeds: [[UInt8]]
  private let addresses: [String]

  /// - Parameters:
  ///   - sessions: the names of sessions that there are.
  ///   - routes: the names of routes.
  public init(seed: UInt64, sessions: [String], routes: [String]) {
    random = StormRandom(seed: seed)
    addresses = AddressTable.endpoints.flatMap { endpoint -> [String] in
      switch endpoint.subject {
      case .one: [endpoint.address]
      case .session: sessions.map(endpoint.address(of:))
      case .route, .input: routes.map(endpoint.address(of:))
      }
    }
    var messages = addresses.map { Message($0) }
    messages += sessions.flatMap { session in
      [
        Message("/session/\(session)/volume", 0.5), Message("/session/\(session)/playing", true),
        Message("/session/\(session)/category", "playback", "mixWithOthers"),
        Message("/session/\(session)/options", "none"), Message("/session/\(session)/interruption", "begin", "user"),
        Message("/session/\(session)/interruption", "end", "user", "resumable"),
        Message("/session/\(session)/duck/depth", -12.5), Message("/session/\(session)/active", false, "notifyOthers"),
      ]
    }
    messages += [
      Message("/host/volume", 0.5), Message("/host/remote", "togglePlayPause"),
      Message("/host/interruption", "begin", "x"),
      Message("/host/interruption", "end", "x"), Message("/subscribe", "/session/*/{state,volume}", 20),
      Message("/subscribe"), Message("/renew"), Message("/unsubscribe"), Message("/sync", 7),
      Message("/eider/ping", 1, "a"),
      Message("/session/*/volume", 0.25), Message("/session/[a-f]*/mute", true),
      Message("/session/{music,fader?}/pan", 0),
      Message("/host/*"), Message("/*/*/*"), Message("/session/*/duck/*"), Message("/scene/recall", "day"),
      Message("/scene/safe", "/session/music/*"), Message("/scene/safe", "none"), Message("/client/bools", "int"),
    ]
    let packets = messages.filter { !Self.isForbidden($0.address) }.map(OSCPacket.message)
    let now = OSCTimeTag.now()
    let soon = (1...5).compactMap { OSCTimeTag(secondsSince1970: now.secondsSince1970 + Double($0)) }
    let bundles = (0..<64).map { index in
      OSCPacket.bundle(
        index % 4 == 0 ? soon[index % 5] : .immediate,
        (0..<(1 + index % 9)).map { packets[(index * 37 + $0 * 11) % packets.count] })
    }
    seeds = (packets + bundles + [.bundle(.immediate, [bundles[3], bundles[7]])]).map { $0.encoded() }
  }

  /// What must not come about by chance: it would end the daemon, or give it sessions and scenes without end.
  private static func isForbidden(_ address: String) -> Bool {
    ["/eider/quit", "/session/open", "/session/close", "/scene/store"].contains(address)
  }

  private static let forbidden = ["/eider/quit", "/session/open", "/session/close", "/scene/store"].map {
    Array($0.utf8)
  }

  private static func isForbidden(_ packet: [UInt8]) -> Bool {
    // All of them are found by what no other address has.
    packet.count < 4096
      && forbidden.contains { word in
        guard packet.count >= word.count else { return false }
        return (0...(packet.count - word.count)).contains { packet[$0] == word[0] && packet[$0...].starts(with: word) }
      }
  }

  /// The next packet.
  public mutating func next() -> [UInt8] {
    let kinds = Kind.allCases
    return next(kinds[Int(random.next() % UInt64(kinds.count))])
  }

  /// The next packet of a kind.
  public mutating func next(_ kind: Kind) -> [UInt8] {
    while true {
      let packet = make(kind)
      if !packet.isEmpty, !Self.isForbidden(packet) { return packet }
    }
  }

  private mutating func make(_ kind: Kind) -> [UInt8] {
    switch kind {
    case .random:
      // Now and then as large as a datagram can be.
      let size = below(1000) == 0 ? 65507 : 1 + below(200)
      var bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      if below(2) == 0 { bytes[0] = below(2) == 0 ? UInt8(ascii: "/") : UInt8(ascii: "#") }
      return bytes
    case .truncated:
      let packet = seed()
      return Array(packet.prefix(1 + below(packet.count)))
    case .mutated:
      var packet = seed()
      for _ in 0...below(4) { mutate(&packet) }
      return packet
    case .senseless:
      let count = below(6)
      return OSCPacket.message(Message(address(), (0..<count).map { _ in argument() })).encoded()
    case .valid:
      return seed()
    }
  }

  private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

  private mutating func seed() -> [UInt8] { seeds[below(seeds.count)] }

  private mutating func mutate(_ packet: inout [UInt8]) {
    guard !packet.isEmpty else { return }
    let place = below(packet.count)
    switch below(6) {
    case 0: packet[place] = UInt8(truncatingIfNeeded: random.next())
    case 1: packet[place] ^= 1 << UInt8(below(8))
    case 2: packet[place] = [0, 0xFF, 0x7F, 0x80, UInt8(ascii: "*"), UInt8(ascii: "{")][below(6)]
    case 3: packet.insert(contentsOf: packet[place...].prefix(1 + below(32)), at: below(packet.count))
    case 4: packet.removeSubrange(place..<min(packet.count, place + 1 + below(16)))
    default: packet += seed().prefix(4 * below(16))
    }
  }

  private mutating func address() -> String {
    var address = addresses[below(addresses.count)]
    guard below(4) == 0 else { return address }
    // A pattern, often a wild one.
    let signs = ["*", "?", "[a-z]", "[!x]", "{music,fader1}", "{a,", "[", "***", "{,}"]
    for _ in 0...below(3) {
      let place = address.index(address.startIndex, offsetBy: below(address.count))
      if address[place] != "/" { address.replaceSubrange(place...place, with: signs[below(signs.count)]) }
    }
    return address
  }

  private mutating func argument() -> Argument {
    switch below(12) {
    case 0: .int(Int32(truncatingIfNeeded: random.next()))
    case 1: .int(Int32(below(3)))
    case 2: .float(Float(bitPattern: UInt32(truncatingIfNeeded: random.next())))
    case 3: .float(Float(below(100)) / 50 - 0.5)
    case 4: .float(.nan)
    case 5: .double(-.infinity)
    case 6: .long(Int64(bitPattern: random.next()))
    case 7: .bool(below(2) == 0)
    case 8: .other(tag: "N")
    case 9: .string(String(repeating: "é", count: below(40)))
    case 10: .string(["playback", "begin", "end", "none", "true", "resumable", "music", "speaker", "auto"][below(9)])
    default: .double(Double(below(1000)) / 100 - 5)
    }
  }
}
