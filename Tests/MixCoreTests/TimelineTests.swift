import MixCore
import Testing

@Suite("Publications and timed changes")
struct TimelineTests {
  private func makeRig(timedChanges: Int = 4096) -> Rig {
    let rig = Rig(timedChanges: timedChanges)
    rig.openRoute(0, channels: 1)
    rig.openStrip(0, channels: 1)
    rig.feed(strip: 0) { _ in 1 }
    rig.planner.publish()
    return rig
  }

  /// Publishes a volume without a fade, so that it shows as a step on its frame.
  private func publish(volume: Float, at frame: UInt64?, in rig: Rig) -> Publication {
    rig.planner[strip: 0].volume = volume
    return rig.planner.publish(at: frame)
  }

  @Test("Changes take effect on their very frame, several in one period too", arguments: [1, 7, 16, 64, 1024])
  func exactFrames(period: Int) {
    let rig = makeRig()
    let volumes: [(UInt64, Float)] = [(10, 0), (11, 1), (12, 0.5), (100, 0), (100, 1), (129, 0.5)]
    for (frame, volume) in volumes { _ = publish(volume: volume, at: frame, in: rig) }
    rig.run(until: 200, period: period)
    let expected = (0..<200).map { frame -> Float in
      let volume = volumes.last { $0.0 <= frame }?.1 ?? 1
      return volume * volume * volume
    }
    #expect(rig.output() == expected)
    #expect(rig.mixer.meters.lateChanges == 0)
  }

  @Test("Everything of one publication happens on one frame")
  func wholeEvents() {
    let rig = Rig()
    rig.openRoute(0, channels: 1)
    rig.openRoute(1, channels: 1)
    for strip in 0..<8 {
      rig.openStrip(strip, channels: 1, routes: [strip % 2])
      rig.feed(strip: strip) { _ in 1 }
    }
    rig.planner.publish()
    for strip in 0..<8 { rig.planner[strip: strip].openRoutes = strip < 4 ? [] : [strip % 2] }
    rig.planner[output: 0].volume = 0.5
    rig.planner.publish(at: 33)
    rig.run(until: 64, period: 64)
    #expect(rig.output(0) == (0..<64).map { $0 < 33 ? 4 : 0.25 })
    #expect(rig.output(1) == (0..<64).map { $0 < 33 ? 4 : 2 })
  }

  @Test("An earlier frame after a later one keeps the order of the publications")
  func order() {
    let rig = makeRig()
    _ = publish(volume: 0, at: 50, in: rig)
    _ = publish(volume: 0.5, at: 20, in: rig)
    rig.run(until: 100, period: 30)
    #expect(rig.output() == (0..<100).map { $0 < 50 ? 1 : 0.125 })
    #expect(rig.mixer.meters.lateChanges == 0)
  }

  @Test("A publication without a frame comes after one that waits, and at once when none does")
  func immediateAfterTimed() {
    let rig = makeRig()
    _ = publish(volume: 0, at: 100, in: rig)
    _ = publish(volume: 0.5, at: nil, in: rig)
    rig.run(until: 192, period: 64)
    #expect(rig.output() == (0..<192).map { $0 < 100 ? 1 : 0.125 })
    _ = publish(volume: 1, at: nil, in: rig)
    rig.run(until: 256, period: 64)
    #expect(rig.output()[192...].allSatisfy { $0 == 1 })
  }

  @Test(
    "What has no frame is heard with the first sample of the next cycle, a step from the last one of this",
    arguments: [1, 16, 64, 1024])
  func firstStep(period: Int) {
    let rig = makeRig()
    rig.run(until: 1024, period: period)
    rig.planner[strip: 0].volumeFade = 100
    _ = publish(volume: 0, at: nil, in: rig)
    rig.run(until: 1024 + period, period: period)
    // In the midst of the glide it turns back, or at its end where a period is longer.
    let turn = 1024 + period
    _ = publish(volume: 1, at: nil, in: rig)
    rig.run(until: 4096, period: period)
    let lowest = max(0, 1 - Float(period) / 100)
    for (offset, sample) in rig.output()[1023...].enumerated() {
      let frame = 1023 + offset
      let position =
        frame < turn
        ? max(0, 1 - Float(frame - 1023) / 100)
        : min(1, lowest + (1 - lowest) * Float(frame - turn + 1) / 100)
      #expect(abs(sample - position * position * position) < 1e-6)
    }
    #expect(rig.output()[1023] == 1)
    #expect(rig.output()[1024] < 1)
    #expect(rig.output()[turn + 98] < 1 && rig.output()[turn + 99] == 1)
  }

  @Test("A change whose frame has passed is made in the next cycle, and counted")
  func late() {
    let rig = makeRig()
    rig.run(until: 64, period: 64)
    _ = publish(volume: 0, at: 10, in: rig)
    rig.run(until: 128, period: 64)
    #expect(rig.output() == (0..<128).map { $0 < 64 ? 1 : 0 })
    #expect(rig.mixer.meters.lateChanges == 1)
  }

  @Test("Of many plans between two cycles the newest is heard, and nothing that any of them said is lost")
  func replacedBeforeSeen() {
    let rig = makeRig()
    rig.openStrip(1, channels: 1)
    rig.feed(strip: 1) { _ in 10 }
    rig.planner.publish()
    rig.planner[strip: 1].volume = 0.5
    rig.planner.publish()
    for step in 0..<1000 { _ = publish(volume: Float(step) / 1000, at: nil, in: rig) }
    _ = publish(volume: 0, at: nil, in: rig)
    rig.run(until: 64, period: 64)
    #expect(rig.output() == Array(repeating: 1.25, count: 64))
  }

  @Test("A publication is acknowledged when it is in force, not before")
  func acknowledgement() {
    let rig = makeRig()
    #expect(rig.planner.acknowledgedSequence == 0)
    rig.run(until: 64, period: 64)
    #expect(rig.planner.acknowledgedSequence == rig.planner.publishedSequence)
    let inForce = rig.planner.publishedSequence
    guard case .published(let first) = publish(volume: 0.5, at: 150, in: rig),
      case .published(let second) = publish(volume: 0.25, at: 200, in: rig)
    else {
      Issue.record("there is room for two changes")
      return
    }
    rig.run(until: 128, period: 64)
    #expect(rig.planner.acknowledgedSequence == inForce)
    rig.run(until: 192, period: 64)
    #expect(rig.planner.acknowledgedSequence == first)
    rig.run(until: 200, period: 8)
    #expect(rig.planner.acknowledgedSequence == first)
    rig.run(until: 208, period: 8)
    #expect(rig.planner.acknowledgedSequence == second)
  }

  @Test("What has not changed is not published again: the last publication stands, also one that waits")
  func unchanged() {
    let rig = makeRig()
    rig.run(until: 64, period: 64)
    let first = rig.planner.publishedSequence
    #expect(rig.planner.publish() == .published(sequence: first))
    #expect(rig.planner.publish(at: 640) == .published(sequence: first))
    let waiting = publish(volume: 0.5, at: 640, in: rig)
    #expect(rig.planner.publish() == waiting)
    rig.run(until: 128, period: 64)
    #expect(rig.planner.acknowledgedSequence == first)
    rig.run(until: 704, period: 64)
    #expect(rig.planner.publish() == waiting && .published(sequence: rig.planner.acknowledgedSequence) == waiting)
  }

  @Test("A full timeline says so, loses nothing, and takes everything when there is room again")
  func full() {
    let rig = makeRig(timedChanges: 64)
    var accepted = 0
    while case .published = publish(volume: 0.5, at: UInt64(100 + accepted), in: rig) { accepted += 1 }
    #expect(accepted == 64)
    #expect(publish(volume: 0.25, at: 300, in: rig) == .timelineFull)
    rig.run(until: 256, period: 64)
    #expect(rig.output()[100...].allSatisfy { $0 == 0.125 })
    // The change of volume that was refused goes with the next publication, whatever that is about.
    rig.planner.host.ringer = 0.5
    #expect(rig.planner.publish(at: 300) != .timelineFull)
    rig.run(until: 320, period: 64)
    #expect(rig.output()[300...].allSatisfy { $0 == 0.015625 })
  }

  @Test("A strip that is opened on a frame inside a cycle is heard from that frame on")
  func openedInsideCycle() {
    let rig = makeRig()
    rig.openStrip(3, channels: 2, routes: [0, 1])
    rig.openRoute(1)
    rig.feed(strip: 3) { noise($0) }
    rig.planner[strip: 0].openRoutes = []
    rig.planner.publish(at: 50)
    rig.run(until: 128, period: 128)
    #expect(rig.output(1) == (0..<128).map { $0 < 50 ? 0 : noise($0) })
  }

  @Test("On a route that comes inside a cycle all that is wanted there is heard from that frame on")
  func routeInsideCycle() {
    let rig = makeRig()
    rig.openStrip(3, channels: 2, routes: [1])
    rig.feed(strip: 3) { noise($0) }
    rig.planner.publish()
    rig.run(until: 128, period: 128)
    rig.openRoute(1)
    rig.planner.publish(at: 200)
    rig.run(until: 384, period: 128)
    #expect(rig.output(1).suffix(256) == (128..<384).map { $0 < 200 ? 0 : noise($0) })
  }

  @Test("A timed change does not undo what was published before it and is seen with it")
  func slotsThatLagBehind() {
    let rig = makeRig()
    rig.openStrip(1, channels: 1)
    rig.feed(strip: 1) { _ in 1 }
    rig.planner.publish()
    rig.run(until: 10, period: 10)
    // Every slot of the exchange is written in turn while strip 0 waits for its frame.
    _ = publish(volume: 0, at: 90, in: rig)
    for round in 0..<6 {
      rig.planner[strip: 1].volume = round % 2 == 0 ? 1 : 0.5
      rig.planner.publish()
      rig.run(until: 20 + round * 10, period: 10)
    }
    rig.run(until: 120, period: 10)
    #expect(rig.output() == (0..<120).map { $0 < 10 ? 2 : ($0 < 90 ? 2 : 0.125) })
    for round in 0..<6 {
      rig.planner[strip: 1].volume = round % 2 == 0 ? 1 : 0
      rig.planner.publish()
      rig.run(until: 130 + round * 10, period: 10)
    }
    #expect(rig.output()[120...] == (120..<180).map { ($0 / 10) % 2 == 0 ? 1 : 0 }[...])
  }
}
