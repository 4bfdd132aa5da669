import AddressSpace
import Foundation
import JACKProbe
import Testing

extension Live {
  @Suite struct Meters {
    private static let text = preset([("music", 2, "category: \"ambient\"")])

    private static func number(_ address: String, _ rig: Rig) throws -> Double {
      try rig.remote.get(address).first?.number ?? .nan
    }

    /// A sine at 997 Hz and 0 dBFS in both channels is 0 LUFS (−3.01 in one, EBU Tech 3341).
    @Test func `loudness, peak and gain are read while a program plays`() async throws {
      try await Rig.run(preset: Self.text, sources: ["music_1", "music_2"]) { rig in
        try rig.play("music")
        let sine = (0..<48_000).map { Float(0.1 * sin(2 * .pi * 997 * Double($0) / 48_000)) }
        let job = rig.player.start(play: [sine, sine], repeats: true)
        defer { rig.player.stop(job) }
        let addresses = ["/session/music/loudness", "/route/speaker/loudness"]
        for address in addresses {
          #expect(eventually { abs(((try? Self.number(address, rig)) ?? .nan) + 20) < 0.1 })
        }
        _ = try Self.number("/session/music/peak", rig)
        try rig.settle(milliseconds: 100)
        #expect(abs(try Self.number("/session/music/peak", rig) + 20) < 0.01)
        #expect(try Self.number("/session/music/gain", rig) == 0)
        #expect(try Self.number("/route/speaker/limiting", rig) == 0)
        try rig.remote.set(Message("/session/music/volume", 0.5))
        try rig.settle(milliseconds: 500)
        #expect(abs(try Self.number("/session/music/gain", rig) + 18.0618) < 0.001)
        #expect(eventually { abs(((try? Self.number(addresses[1], rig)) ?? .nan) + 38.06) < 0.1 })
      }
    }

    @Test func `what is too loud is held at the ceiling, and off means off`() async throws {
      try await Rig.run(preset: Self.text, sources: ["music_1", "music_2"]) { rig in
        try rig.play("music")
        let square = (0..<24_000).map { Float($0 / 40 % 2 == 0 ? 1.5 : -1.5) }
        try rig.remote.set(Message("/route/speaker/limit", -6))
        let held = try rig.take(frames: square.count, play: [square, square])
        let ceiling = Float(pow(10, -6.0 / 20))
        #expect(held.channels.allSatisfy { $0.allSatisfy { abs($0) <= ceiling * 1.000_001 } })
        #expect(held.channels[0].contains { abs($0) > ceiling * 0.99 })
        try rig.remote.set(Message("/route/speaker/limit", 1))
        try rig.settle(milliseconds: 1000)
        let free = try rig.take(frames: square.count, play: [square, square])
        #expect(free.channels[0] == square)
      }
    }
  }
}
