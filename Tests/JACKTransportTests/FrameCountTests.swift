import Testing

@testable import JACKTransport

@Suite struct `Eider's own count of frames` {
  /// A cycle as the server tells it, and its length in frames.
  private typealias Cycle = (server: UInt32, time: UInt64, frames: UInt32)

  /// Which first frames cycles get at 48 frames per millisecond.
  private func count(_ cycles: [Cycle], from start: UInt64 = 0, at time: UInt64 = 0) -> [UInt64] {
    let count = FrameCount(start: start, time: time, rate: 48_000)
    return cycles.map { count.count(server: $0.server, time: $0.time, frames: $0.frames).first }
  }

  @Test func `it is the server's while that goes on`() {
    // The estimate of the start was a little too late; the clock runs a little faster than the server; two cycles are lost.
    let cycles: [Cycle] = [
      (96_000, 2_000_100, 480), (96_480, 2_010_300, 480), (96_960, 2_021_000, 480), (98_400, 2_050_000, 960),
      (99_360, 2_070_500, 960),
    ]
    #expect(count(cycles, from: 96_100, at: 2_000_000) == [96_000, 96_480, 96_960, 98_400, 99_360])
  }

  @Test func `it is the server's where that falls behind the clock, and where it is faster`() {
    let slow: [Cycle] = [(480, 10_000, 480), (960, 900_000, 480), (1440, 4_000_000, 480)]
    #expect(count(slow) == [480, 960, 1440])
    let freewheeling = (0..<1000).map { Cycle(UInt32(480 + 8192 * $0), 10_000 + UInt64($0), 8192) }
    #expect(count(freewheeling) == (0..<1000).map { 480 + 8192 * $0 })
  }

  @Test func `it goes on beyond the 32 bits of the server's`() {
    let cycles: [Cycle] = [(.max - 255, 0, 256), (0, 5333, 256), (256, 10_667, 256)]
    #expect(count(cycles, from: 4_294_967_040) == [4_294_967_040, 4_294_967_296, 4_294_967_552])
  }

  @Test func `before the first cycle PipeWire knows nothing: time goes on where it was`() {
    let cycles: [Cycle] = [(256, 13_171_410_000, 480), (736, 13_171_420_000, 480)]
    #expect(count(cycles, from: 632_227_544, at: 13_171_400_000) == [632_228_024, 632_228_504])
  }

  @Test func `another device counts otherwise: nothing comes twice, and nothing is left out`() {
    let back: [Cycle] = [(57_600, 1_200_000, 480), (512, 1_210_000, 480), (992, 1_220_000, 480)]
    #expect(count(back, from: 57_600, at: 1_200_000) == [57_600, 58_080, 58_560])
    // Half a second without a device, and one that has run for an hour.
    let ahead: [Cycle] = [(480, 10_000, 480), (172_800_000, 520_000, 480), (172_800_480, 530_000, 480)]
    #expect(count(ahead) == [480, 24_960, 25_440])
    // One that has run for half a second longer.
    let little: [Cycle] = [(480, 10_000, 480), (24_960, 20_000, 480), (25_440, 30_000, 480)]
    #expect(count(little) == [480, 960, 1440])
    // The change comes within a cycle.
    let twice: [Cycle] = [(480, 10_000, 480), (480, 10_000, 480), (960, 20_000, 480)]
    #expect(count(twice) == [480, 960, 1440])
    // There and back.
    let other: [Cycle] = [(480, 10_000, 480), (9_000_000, 20_000, 480), (1440, 30_000, 480), (1920, 40_000, 480)]
    #expect(count(other) == [480, 960, 1440, 1920])
  }

  @Test func `what was lost is told, also where the count begins anew`() {
    let count = FrameCount(start: 0, time: 0, rate: 48_000)
    let lost = [(480, 10_000), (960, 20_000), (1920, 40_000), (9_000_000, 60_000)].map {
      count.count(server: $0, time: $1, frames: 480).lost
    }
    #expect(lost == [0, 0, 480, 480])
  }

  @Test func `between two cycles the frame follows the clock`() {
    let count = FrameCount(start: 1000, time: 0, rate: 48_000)
    #expect(count.frame(at: 500_000) == 25_000)
    count.prepare(at: 500_000)
    #expect(count.start == 25_000)
    _ = count.count(server: 25_480, time: 510_000, frames: 480)
    #expect(count.position.frame == 25_480 && count.position.time == 510_000)
    #expect(count.frame(at: 505_000) == 25_480)
    #expect(count.frame(at: 515_000) == 25_720)
  }
}
