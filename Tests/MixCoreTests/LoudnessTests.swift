import Foundation
import MixCore
import Testing

@Suite("Loudness")
struct LoudnessTests {
  /// Compares what the mixer says of a strip and of its route with the reference, every 100 ms and after cycles that do
  /// not fall in with the blocks.
  private func compare(
    _ left: @escaping (Int) -> Float, _ right: @escaping (Int) -> Float, sampleRate: Int, seconds: Double,
    period: Int = 480
  ) -> (greatest: Float, compared: Int) {
    let rig = Rig(sampleRate: Double(sampleRate))
    rig.openRoute(0)
    rig.openStrip(0)
    rig.planner[strip: 0].measuresLoudness = true
    rig.planner[output: 0].measuresLoudness = true
    rig.feed(strip: 0, channel: 0, left)
    rig.feed(strip: 0, channel: 1, right)
    rig.planner.publish()
    let reference = LoudnessReference(channels: 2, sampleRate: sampleRate)
    let hop = sampleRate / 10
    var greatest: Float = 0
    var compared = 0
    for end in stride(from: hop, through: Int(seconds * Double(sampleRate)), by: hop) {
      reference.hear((end - hop..<end).flatMap { [left($0), right($0)] }, frames: hop)
      rig.run(until: end, period: period)
      let expected = reference.momentary
      let meters = rig.mixer.meters
      #expect(meters.loudness(ofStrip: 0) == meters.loudness(ofOutput: 0))
      if expected > -70 && end >= 4 * hop {
        greatest = max(greatest, abs(meters.loudness(ofStrip: 0) - expected))
        compared += 1
      }
    }
    return (greatest, compared)
  }

  @Test("Music and speech are as loud as libebur128 says", arguments: Recording.music + Recording.speech)
  func recordings(path: String) throws {
    let samples = try Recording.samples(path, sampleRate: 48_000, seconds: 4)
    let other: (Int) -> Float = { $0 >= 4800 && $0 - 4800 < samples.count ? samples[$0 - 4800] / 2 : 0 }
    let result = compare(
      { $0 < samples.count ? samples[$0] : 0 }, other, sampleRate: 48_000,
      seconds: min(4, Double(samples.count) / 48_000))
    #expect(result.compared > 10)
    #expect(result.greatest < 0.01)
  }

  @Test("Tones are, at every frequency", arguments: [30.0, 100, 997, 4000, 12_000])
  func tones(frequency: Double) {
    let tone: (Int) -> Float = { Float(sin(Double($0) * frequency / 44_100 * 2 * .pi)) * 0.3 }
    let result = compare(tone, tone, sampleRate: 44_100, seconds: 0.6)
    #expect(result.compared > 2)
    #expect(result.greatest < 0.01)
  }

  @Test(
    "Noise is, at every sample rate, loud, then quiet, with an offset that must not count",
    arguments: [44_100, 48_000, 88_200, 96_000, 192_000])
  func noises(sampleRate: Int) {
    let result = compare(
      { noise($0) * ($0 > sampleRate / 5 ? 0.001 : 0.5) + 0.4 }, { _ in 0 }, sampleRate: sampleRate, seconds: 0.8)
    #expect(result.compared > 3)
    #expect(result.greatest < 0.01)
  }

  @Test("A full-scale 997 Hz tone in one channel is −3.01 LUFS, in both 0 (BS.1770-5), and 400 ms later it is gone")
  func calibration() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openStrip(0)
    rig.planner[strip: 0].measuresLoudness = true
    let tone: (Int) -> Float = { $0 < 48_000 ? Float(sin(Double($0) * 997 / 48_000 * 2 * .pi)) : 0 }
    rig.feed(strip: 0, channel: 0, tone)
    rig.planner.publish()
    rig.run(until: 24_000, period: 64)
    #expect(abs(rig.mixer.meters.loudness(ofStrip: 0) + 3.01) < 0.02)
    rig.feed(strip: 0, channel: 1, tone)
    rig.run(until: 48_000, period: 64)
    #expect(abs(rig.mixer.meters.loudness(ofStrip: 0)) < 0.02)
    rig.run(until: 48_000 + 19_200 + 9600, period: 64)
    #expect(rig.mixer.meters.loudness(ofStrip: 0) < -80)
  }

  @Test("What counts is what sounds: after the gains, on the route, and only where it is asked for")
  func afterGains() {
    let rig = Rig()
    rig.openRoute(0)
    rig.openRoute(1, channels: 1)
    rig.openStrip(0, channels: 1, routes: [0])
    rig.openStrip(1, channels: 1, routes: [1])
    rig.openStrip(2, channels: 1, routes: [0])
    for strip in 0..<3 {
      rig.feed(strip: strip) { Float(sin(Double($0) * 997 / 48_000 * 2 * .pi)) }
      rig.planner[strip: strip].measuresLoudness = strip < 2
    }
    rig.planner[strip: 0].volume = Float(pow(0.1, 1.0 / 3))
    rig.planner[output: 1].measuresLoudness = true
    rig.planner.publish()
    rig.run(until: 24_000, period: 64)
    let meters = rig.mixer.meters
    // One channel goes to both of a route: 3 dB more than on a route of one.
    #expect(abs(meters.loudness(ofStrip: 0) + 20) < 0.02)
    #expect(abs(meters.loudness(ofStrip: 1) + 3.01) < 0.02)
    #expect(meters.loudness(ofOutput: 1) == meters.loudness(ofStrip: 1))
    #expect(meters.loudness(ofStrip: 2) == -120 && meters.loudness(ofOutput: 0) == -120)

    rig.planner[strip: 0].openRoutes = []
    rig.planner[strip: 1].measuresLoudness = false
    rig.planner.publish()
    rig.run(until: 24_064, period: 64)
    #expect(meters.loudness(ofStrip: 1) == -120)
    rig.run(until: 48_000, period: 64)
    #expect(meters.loudness(ofStrip: 0) == -120)
    #expect(abs(meters.loudness(ofOutput: 1) + 3.01) < 0.02)
  }

  @Test("Every period measures the same, and the samples are as if nobody measured", arguments: [16, 333, 1024, 8192])
  func periods(period: Int) {
    func run(_ period: Int, measures: Bool) -> Rig {
      let rig = Rig()
      rig.openRoute(0)
      rig.openRoute(1)
      for strip in 0..<5 {
        rig.openStrip(strip, routes: strip == 4 ? [1] : [0])
        rig.feed(strip: strip) { noise($0, seed: UInt64(strip)) * 0.1 }
        rig.planner[strip: strip].measuresLoudness = measures
      }
      rig.planner[output: 0].measuresLoudness = measures
      rig.planner.publish()
      rig.planner[strip: 1].openRoutes = []
      rig.planner[strip: 1].gateFade = 700
      rig.planner[strip: 2].volume = 0.3
      rig.planner[strip: 2].volumeFade = 500
      rig.planner.publish(at: 16_050)
      rig.run(until: 20_013, period: period)
      return rig
    }
    let reference = run(64, measures: true)
    let other = run(period, measures: true)
    for strip in 0..<5 {
      #expect(reference.mixer.meters.loudness(ofStrip: strip) > -60)
      #expect(other.mixer.meters.loudness(ofStrip: strip) == reference.mixer.meters.loudness(ofStrip: strip))
    }
    #expect(other.mixer.meters.loudness(ofOutput: 0) == reference.mixer.meters.loudness(ofOutput: 0))
    #expect(run(period, measures: false).output() == reference.output())
  }
}
