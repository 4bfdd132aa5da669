import Foundation
import MixCore
import Testing

@Suite("Ducking by a margin")
struct MarginTests {
  /// A rig in which strip 0 is a voice that ducks by a margin, and the others are what it ducks; all of them steady.
  private func makeRig(margin: Float = 10, voice: Float = 0.1, others: [Float] = [0.2]) -> Rig {
    let rig = Rig()
    rig.openRoute(0)
    rig.openRoute(1)
    for (strip, level) in ([voice] + others).enumerated() {
      rig.openStrip(strip)
      // Different tones in a band where the ear hears them all alike.
      rig.feed(strip: strip) { Float(sin(Double($0) * (0.1 + Double(strip) * 0.013))) * level }
    }
    rig.planner[strip: 0].duck.isOfDuckerClass = true
    rig.planner[strip: 0].duck.style = .margin
    rig.planner[strip: 0].duck.margin = margin
    rig.planner[strip: 0].duck.trigger = .held(true)
    rig.planner.publish()
    return rig
  }

  /// LU by which strip 0 is louder than the others together as they left, in the last 400 ms. Only the voice plays in the
  /// run that it is compared with.
  private func margin(of rig: Rig, voice: Float) -> Double {
    let heard = rig.output().suffix(19_200)
    let all = heard.reduce(0.0) { $0 + Double($1 * $1) } / Double(heard.count)
    let own = Double(voice * voice) / 2
    return 10 * log10(own / max(1e-12, all - own))
  }

  private func reduction(_ rig: Rig) -> Float { rig.mixer.meters.marginReduction(ofDucker: 0) }

  @Test("The voice is its margin above the rest, and hardly more", arguments: [Float(3), 6, 10, 15, 25])
  func keepsMargin(margin: Float) {
    let rig = makeRig(margin: margin)
    rig.run(until: 96_000, period: 480)
    let kept = self.margin(of: rig, voice: 0.1)
    #expect(kept >= Double(margin))
    #expect(kept <= Double(margin) + 3)
  }

  @Test("Several others together count, not each for itself")
  func addsOthers() {
    let rig = makeRig(others: [0.2, 0.2, 0.2, 0.2])
    rig.run(until: 96_000, period: 480)
    let kept = margin(of: rig, voice: 0.1)
    #expect(kept >= 10)
    #expect(kept <= 13)
  }

  @Test("Where the voice is loud enough, nothing is touched")
  func leavesAlone() {
    let rig = makeRig(others: [0.02])
    rig.run(until: 48_000, period: 480)
    let alone = makeRig(others: [0.02])
    alone.planner[strip: 0].duck.trigger = .held(false)
    alone.planner.publish()
    alone.run(until: 48_000, period: 480)
    #expect(rig.output() == alone.output())
    #expect(reduction(rig) == 0)
  }

  @Test("It never turns down by more than maxDepth")
  func maxDepth() {
    let rig = makeRig(margin: 30)
    rig.planner[strip: 0].duck.maxDepth = -12
    rig.planner.publish()
    rig.run(until: 96_000, period: 480)
    #expect(reduction(rig) == -12)
    #expect(abs(margin(of: rig, voice: 0.1) - (12 - 6.02)) < 0.05)
  }

  @Test("As long as the voice has not spoken, nothing is turned down")
  func silentVoice() {
    let rig = makeRig(voice: 0)
    rig.run(until: 48_000, period: 480)
    #expect(reduction(rig) == 0)
  }

  @Test("In a pause of the voice the others stay where they are")
  func pause() {
    let rig = makeRig()
    rig.feed(strip: 0) { $0 < 48_000 ? Float(sin(Double($0) * 0.1)) * 0.1 : 0 }
    rig.run(until: 52_800, period: 480)
    let before = reduction(rig)
    rig.run(until: 96_000, period: 480)
    #expect(before < -10)
    #expect(abs(reduction(rig) - before) < 2)
  }

  @Test("The volume of the voice counts: where it is lower, the rest is lower")
  func followsVolume() {
    let rig = makeRig()
    rig.run(until: 96_000, period: 480)
    let before = reduction(rig)
    // Half the position on the cubic fader is 18 dB less.
    rig.planner[strip: 0].volume = 0.5
    rig.planner.publish()
    rig.run(until: 192_000, period: 480)
    #expect(abs(reduction(rig) - (before - 18.06)) < 2)
  }

  @Test("Who must not be ducked is not counted, and not touched")
  func whoIsDucked() {
    let rig = makeRig(others: [0.2, 0.5])
    rig.planner[strip: 2].priority = 1
    rig.planner.publish()
    rig.run(until: 96_000, period: 480)
    let withIt = reduction(rig)
    let without = makeRig()
    without.run(until: 96_000, period: 480)
    #expect(withIt == reduction(without))
    #expect(
      zip(rig.output(), without.output()).enumerated().suffix(9600).allSatisfy { index, pair in
        abs(pair.0 - pair.1 - Float(sin(Double(index) * 0.126)) * 0.5) < 1e-5
      })
  }

  @Test("Each route decides for itself")
  func routes() {
    let rig = makeRig()
    for strip in 0...1 {
      rig.planner[strip: strip].routes = [0, 1]
      rig.planner[strip: strip].openRoutes = [0, 1]
    }
    // Half the fader on the second route, for the voice alone.
    rig.openStrip(2, routes: [1])
    rig.feed(strip: 2) { Float(sin(Double($0) * 0.126)) * 0.6 }
    rig.planner.publish()
    rig.run(until: 96_000, period: 480)
    let alone = makeRig()
    alone.run(until: 96_000, period: 480)
    #expect(rig.output(0) == alone.output(0))
    let second = rig.output(1).suffix(19_200).reduce(0.0) { $0 + Double($1 * $1) } / 19_200
    let kept = 10 * log10(0.005 / (second - 0.005))
    #expect(kept >= 10)
    #expect(kept <= 13)
  }

  @Test("It goes down and comes back without a step, and afterwards all is exactly as before")
  func smooth() {
    let rig = makeRig(margin: 20, voice: 0, others: [])
    rig.openStrip(1)
    rig.feed(strip: 0) { Float(sin(Double($0) * 0.1)) * 0.1 }
    rig.feed(strip: 1) { Float(sin(Double($0) * 0.113)) * 0.2 }
    rig.planner.publish()
    rig.planner[strip: 0].duck.trigger = .held(false)
    rig.planner.publish(at: 48_000)
    rig.run(until: 110_000, period: 256)
    let gains = rig.output().indices.compactMap { index -> (Int, Double)? in
      let music = sin(Double(index) * 0.113) * 0.2
      return abs(music) < 0.1 ? nil : (index, (Double(rig.output()[index]) - sin(Double(index) * 0.1) * 0.1) / music)
    }
    let steps = zip(gains, gains.dropFirst()).map { abs($1.1 - $0.1) / Double($1.0 - $0.0) }
    // The whole way in an attack of 100 ms would be 1 / 4800 in each frame, on the straight fader at most three times that.
    #expect(steps.max() ?? 1 < 3.5 / 4800)
    #expect(gains.filter { (40_000..<48_000).contains($0.0) }.allSatisfy { $0.1 < 0.06 })
    #expect(gains.filter { $0.0 > 90_000 }.allSatisfy { abs($0.1 - 1) < 1e-5 })
  }

  @Test("The period does not matter")
  func periods() {
    let (short, long) = (makeRig(), makeRig())
    short.run(until: 30_000, period: 37)
    long.run(until: 30_000, period: 4096)
    #expect(short.output() == long.output())
  }
}
