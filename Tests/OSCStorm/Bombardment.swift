import Foundation
import JACKProbe

/// Wrong packets without end, over UDP and TCP.
public struct Bombardment: Sendable {
  /// How many packets, over all ways.
  public var packets: Int
  public var seed: UInt64
  public let sessions: [String]

  public init(packets: Int, seed: UInt64, sessions: [String]) {
    (self.packets, self.seed, self.sessions) = (packets, seed, sessions)
  }

  /// Half of them by UDP, a quarter each in both framings of TCP; connections that are hung up are made anew.
  public func run(to port: UInt16) throws {
    var smith = PacketSmith(seed: seed, sessions: sessions, routes: ["speaker"])
    let udp = try StormSocket(to: port)
    var slip = try StormSocket(to: port, .tcp)
    var prefixed = try StormSocket(to: port, .tcp)
    var number = 0
    while number < packets {
      // The kernel drops what nobody has read in time. Here each packet is to be heard, so there are never more on their
      // way than there is room for.
      for _ in 0..<250 {
        udp.send(smith.next())
        udp.send(smith.next())
        if !slip.send(Self.slip(smith.next(), isBroken: number % 5000 == 0)) { slip = try StormSocket(to: port, .tcp) }
        if !prefixed.send(Self.prefixed(smith.next(), isBroken: number % 20000 == 0)) {
          prefixed = try StormSocket(to: port, .tcp)
        }
        number += 4
      }
      for socket in [udp, slip, prefixed] { socket.drain() }
      try waitForRoom(at: port)
    }
  }

  private func waitForRoom(at port: UInt16) throws {
    guard try eventually(within: 300, { try DatagramPort.figures(of: port).waiting < 1 << 20 }) else {
      throw ProbeError("the daemon reads no datagrams any more")
    }
  }

  private static func slip(_ packet: [UInt8], isBroken: Bool) -> [UInt8] {
    var frame: [UInt8] = [0xC0]
    for byte in packet {
      switch byte {
      case 0xC0: frame += [0xDB, 0xDC]
      case 0xDB: frame += isBroken ? [0xDB, 0x00] : [0xDB, 0xDD]
      default: frame.append(byte)
      }
    }
    return frame + [0xC0]
  }

  private static func prefixed(_ packet: [UInt8], isBroken: Bool) -> [UInt8] {
    let size = isBroken ? UInt32.max : UInt32(packet.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> UInt32($0)) } + packet
  }
}
