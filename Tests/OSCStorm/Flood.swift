import AddressSpace
import Foundation
import JACKProbe
import OSCTransport

/// Valid messages to many sessions, at a rate.
public struct Flood: Sendable {
  /// Messages in a second.
  public var rate: Int
  /// How long, in seconds.
  public var seconds: Double
  /// Messages in a packet: one by itself, or a bundle.
  public var bundleSize: Int

  public init(rate: Int, seconds: Double, bundleSize: Int = 1) {
    (self.rate, self.seconds, self.bundleSize) = (rate, seconds, bundleSize)
  }

  /// What was sent.
  public struct Sent: Sendable {
    public var datagrams = 0
    public var messages = 0
    public var seconds = 0.0
  }

  /// The messages of a flood: what hands on faders send.
  public static func messages(sessions: [String]) -> [Message] {
    (0..<(sessions.count * 8)).map { number in
      let session = sessions[number % sessions.count]
      let value = Float(number % 100) / 100
      return switch number / sessions.count % 4 {
      case 0: Message("/session/\(session)/volume", .float(value))
      case 1: Message("/session/\(session)/pan", .float(value * 2 - 1))
      case 2: Message("/session/\(session)/mute", .bool(number % 3 == 0))
      default: Message("/session/\(session)/volume", .float(1 - value))
      }
    }
  }

  /// Packs messages as this flood sends them.
  public func packets(_ messages: [Message]) -> [[UInt8]] {
    guard bundleSize > 1 else { return messages.map { OSCPacket.message($0).encoded() } }
    return (0..<64).map { number in
      let elements = (0..<bundleSize).map { OSCPacket.message(messages[(number * bundleSize + $0) % messages.count]) }
      return OSCPacket.bundle(.immediate, elements).encoded()
    }
  }

  /// Sends datagrams to a port of this machine, evenly in each millisecond. What it is late with it catches up on.
  public func run(_ packets: [[UInt8]], to port: UInt16) throws -> Sent {
    let socket = try StormSocket(to: port)
    let volley = DatagramVolley(packets)
    let perSecond = Double(rate) / Double(bundleSize)
    let total = Int(perSecond * seconds)
    var sent = Sent()
    let start = Clock.seconds
    var step = 0
    while sent.datagrams < total {
      step += 1
      Clock.sleep(until: start + Double(step) / 1000)
      let due = min(total, Int((Clock.seconds - start) * perSecond))
      guard due > sent.datagrams else { continue }
      try volley.send(due - sent.datagrams, on: socket)
      sent.datagrams = due
    }
    sent.messages = sent.datagrams * bundleSize
    sent.seconds = Clock.seconds - start
    return sent
  }
}
