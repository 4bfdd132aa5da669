import Foundation
import MixCore
import Testing

@Suite("Limiter")
struct LimiterTests {
  /// What a route with a limiter makes of a signal.
  private func play(
    _ signal: @escaping (Int) -> Float, right: ((Int) -> Float)? = nil, limit: Float? = -0.1, lookAhead: Int = 0,
    channels: Int = 2, frames: Int = 24_000, period: Int = 64, sampleRate: Double = 48_000
  ) -> Rig {
    let rig = Rig(sampleRate: sampleRate)
    rig.openRoute(0, channels: channels, limit: limit)
    rig.planner[output: 0].lookAhead = lookAhead
    rig.openStrip(0)
    rig.feed(strip: 0, signal)
    if let right { rig.feed(strip: 0, channel: 1, right) }
    rig.planner.publish()
    rig.run(until: frames, period: period)
    return rig
  }

  private func ceiling(_ decibels: Float) -> Float { Float(pow(10, Double(decibels) / 20)) }

  private func sine(_ frequency: Double, _ amplitude: Float) -> (Int) -> Float {
    { Float(sin(Double($0) * frequency * 2 * .pi / 48_000)) * amplitude }
  }

  @Test("What stays below the ceiling passes bit by bit, delayed by the look-ahead", arguments: [0, 1, 48, 240])
  func transparent(lookAhead: Int) {
    let rig = play({ noise($0) * 0.98 }, lookAhead: lookAhead)
    let expected = (0..<24_000).map { $0 < lookAhead ? 0 : noise($0 - lookAhead) * 0.98 }
    #expect(rig.output(0, 0).map(\.bitPattern) == expected.map(\.bitPattern))
    #expect(rig.output(0, 1).map(\.bitPattern) == expected.map(\.bitPattern))
    #expect(rig.mixer.meters.limiting(ofOutput: 0) == 0)
    #expect(rig.mixer.meters.latency(ofOutput: 0) == lookAhead)
  }

  @Test("Without a limit everything passes, and the delay stays", arguments: [0, 100])
  func off(lookAhead: Int) {
    let rig = play({ noise($0) * 5 }, limit: nil, lookAhead: lookAhead)
    #expect(rig.output() == (0..<24_000).map { $0 < lookAhead ? 0 : noise($0 - lookAhead) * 5 })
    #expect(rig.mixer.meters.latency(ofOutput: 0) == lookAhead)
  }

  @Test(
    "Nothing gets past the ceiling, whatever comes", arguments: [-0.1, 0, -6, -60] as [Float], [0, 1, 7, 240, 2400])
  func bounded(limit: Float, lookAhead: Int) {
    let signals: [(Int) -> Float] = [
      { _ in 1 },
      { $0 / 50 % 2 == 0 ? 1 : -1 },
      { $0 % 2 == 0 ? 3 : -3 },
      { noise($0) * ($0 % 5000 < 2500 ? 0.1 : 20) },
      { $0 % 997 == 0 ? 3e38 : 0.3 },
      { $0 % 3 == 0 ? .nan : $0 % 3 == 1 ? .infinity : 2 },
      { _ in Float.leastNonzeroMagnitude * 1000 },
      { $0 < 6000 ? 0 : 1.5 },
    ]
    for (number, signal) in signals.enumerated() {
      let rig = play(signal, limit: limit, lookAhead: lookAhead, frames: 12_000)
      let greatest = ceiling(limit)
      #expect(rig.output().allSatisfy { abs($0) <= greatest }, "signal \(number)")
      let peak = rig.mixer.meters.takePeak(ofOutput: 0)
      #expect(peak <= greatest && peak == rig.output().reduce(0) { max($0, abs($1)) })
    }
  }

  @Test("A steady tone that is too loud comes out at the ceiling, in its own shape", arguments: [0, 240])
  func steadyTone(lookAhead: Int) {
    let rig = play(sine(1000, 2), lookAhead: lookAhead)
    let tone = rig.output()[12_000...]
    let greatest = ceiling(-0.1)
    #expect(tone.max()! > greatest * 0.999)
    // The gain is all but constant: the tone's third harmonic is far below.
    var projection = (0.0, 0.0)
    for (offset, sample) in tone.enumerated() {
      let angle = Double(offset) * 3000 * 2 * .pi / 48_000
      projection.0 += Double(sample) * cos(angle)
      projection.1 += Double(sample) * sin(angle)
    }
    let harmonic = 2 * hypot(projection.0, projection.1) / Double(tone.count)
    #expect(harmonic < 1e-3)
    #expect(abs(rig.mixer.meters.limiting(ofOutput: 0) - (6.02 + 0.1)) < 0.05)
  }

  @Test("After a peak the gain comes back smoothly and exactly", arguments: [0, 480])
  func recovery(lookAhead: Int) {
    let rig = play({ $0 == 1000 ? 4 : 0.5 }, lookAhead: lookAhead, frames: 96_000)
    let output = Array(rig.output()[(1001 + lookAhead)...])
    #expect(output[0] < 0.2)
    #expect(zip(output, output.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(greatestStep(output) < 0.5 * 1.1 / (0.08 * 48_000))
    #expect(output.last == 0.5)
    #expect(rig.mixer.meters.limiting(ofOutput: 0) == 0)
  }

  @Test("With a look-ahead the gain glides down before the peak instead of dropping on it")
  func glide() {
    let drop = play({ $0 == 1000 ? 4 : 0.5 }).output()
    let glide = play({ $0 == 1000 ? 4 : 0.5 }, lookAhead: 240).output()
    #expect(abs(drop[999] - drop[1001]) > 0.3)
    let around = Array(glide[900..<1240] + glide[1241..<1500])
    #expect(greatestStep(around) < 0.01)
    #expect(glide[1240] > ceiling(-0.1) * 0.999)
  }

  @Test("Both channels get one gain, so that the middle stays in the middle")
  func linked() {
    let rig = play({ _ in 2 }, right: { _ in 0.5 })
    #expect(abs(rig.output(0, 1)[500] / rig.output(0, 0)[500] - 0.25) < 1e-6)
  }

  @Test("More ports repeat the limited pair; one port alone is limited too")
  func otherChannels() {
    let four = play({ _ in 2 }, right: { _ in -3 }, channels: 4)
    #expect(four.output(0, 2) == four.output(0, 0) && four.output(0, 3) == four.output(0, 1))
    #expect(four.output(0, 3).allSatisfy { abs($0) <= ceiling(-0.1) })
    let one = play({ _ in 2 }, channels: 1)
    #expect(one.output().allSatisfy { abs($0) <= ceiling(-0.1) })
  }

  @Test("Every period gives the same samples, also while limit and look-ahead change", arguments: [1, 7, 333, 1024])
  func periods(period: Int) {
    func run(_ period: Int) -> Rig {
      let rig = Rig()
      rig.openRoute(0, limit: -1)
      rig.openStrip(0)
      rig.feed(strip: 0) { noise($0 / 3) * (1 + Float($0 % 700) / 300) }
      rig.planner.publish()
      rig.planner[output: 0].limit = -6
      rig.planner.publish(at: 1111)
      rig.planner[output: 0].lookAhead = 96
      rig.planner.publish(at: 2003)
      rig.planner[output: 0].limit = nil
      rig.planner.publish(at: 3001)
      rig.planner[output: 0].limit = -3
      rig.planner.publish(at: 4100)
      rig.run(until: 8000, period: period)
      return rig
    }
    let reference = run(64)
    let other = run(period)
    #expect(other.output().map(\.bitPattern) == reference.output().map(\.bitPattern))
    #expect(reference.output()[1111..<2003].allSatisfy { abs($0) <= ceiling(-6) })
    #expect(reference.output()[3100..<4000].contains { abs($0) > 1.1 * ceiling(-6) })
    #expect(reference.output()[4100...].allSatisfy { abs($0) <= ceiling(-3) })
  }

  @Test("A route that is lost gives away nothing that was still in its delay")
  func lostRoute() {
    let rig = play({ $0 < 5000 ? 0.5 : 0 }, lookAhead: 480, frames: 4800)
    rig.planner[output: 0].isAvailable = false
    rig.planner.publish()
    rig.run(until: 9600, period: 64)
    rig.planner[output: 0].isAvailable = true
    rig.planner.publish()
    rig.run(until: 14_400, period: 64)
    #expect(rig.output()[4800...].allSatisfy { $0 == 0 })
  }

  @Test("A look-ahead of more than 50 ms is 50 ms")
  func longestLookAhead() {
    let rig = play({ _ in 0.5 }, lookAhead: 1_000_000, frames: 4800)
    #expect(rig.mixer.meters.latency(ofOutput: 0) == 2400)
    #expect(rig.output()[2399] == 0 && rig.output()[2400] == 0.5)
  }
}
