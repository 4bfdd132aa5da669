import Foundation
import MixCore
import Synchronization
import Testing

@Suite("Two threads")
struct ExchangeTests {
  @Test("Whatever moment a plan is taken at, it is whole: no cycle hears half an event")
  func wholePlans() {
    let mixer = Mixer(
      capacity: MixCapacity(strips: 200, outputRoutes: 3, inputRoutes: 1, framesPerCycle: 16, timedChanges: 64),
      sampleRate: 48_000)
    // Three strips far from each other, each alone on its route; they always say the same volume.
    let strips = [0, 100, 199]
    for (route, strip) in strips.enumerated() {
      mixer.planner[output: route].ports = [UnsafePort(Rig.port(route + 1))]
      mixer.planner[output: route].isAvailable = true
      mixer.planner[output: route].limit = nil
      mixer.planner[strip: strip].isOpen = true
      mixer.planner[strip: strip].channels = 1
      mixer.planner[strip: strip].inputs = PortPair(Rig.port(100))
      mixer.planner[strip: strip].openRoutes = [route]
    }
    mixer.planner.publish()

    let isDone = Atomic<Bool>(false)
    let unequal = Atomic<Int>(0)
    let changes = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 2) { side in
      if side == 0 {
        var turn = 0
        while turn < 20_000 || changes.load(ordering: .relaxed) < 20 {
          turn += 1
          for strip in strips { mixer.planner[strip: strip].volume = Float(turn % 1000) / 1000 }
          mixer.planner.publish(at: turn % 3 == 0 ? mixer.meters.frame + UInt64(turn % 40) : nil)
        }
        isDone.store(true, ordering: .releasing)
      } else {
        var shell = ThreeRoutes(engine: mixer.engine)
        while !isDone.load(ordering: .acquiring) {
          shell.cycle()
          changes.store(shell.changes, ordering: .relaxed)
        }
        unequal.store(shell.unequalFrames, ordering: .relaxed)
      }
    }
    #expect(unequal.load(ordering: .relaxed) == 0)
    #expect(changes.load(ordering: .relaxed) >= 20)

    var shell = ThreeRoutes(engine: mixer.engine)
    for strip in strips { mixer.planner[strip: strip].volume = 0.5 }
    while mixer.planner.publish() == .timelineFull { shell.cycle() }
    while mixer.planner.acknowledgedSequence < mixer.planner.publishedSequence { shell.cycle() }
    shell.cycle()
    #expect(shell.last == 0.125)
  }
}

/// An audio thread with three mono outputs, which must always be equal.
private struct ThreeRoutes {
  let engine: MixEngine
  var unequalFrames = 0
  var changes = 0
  var last: Float = 0
  private var frame: UInt64 = 0
  private var samples = [Float](repeating: 0, count: 16 * 7)

  init(engine: MixEngine) { self.engine = engine }

  mutating func cycle() {
    samples.withUnsafeMutableBufferPointer { samples in
      let count = engine.beginCycle(startFrame: frame, frames: 16)
      for index in 0..<count {
        let buffer = samples.baseAddress! + index * 16
        buffer.update(repeating: 1, count: 16)
        engine.setBuffer(buffer, at: index)
      }
      engine.process()
      for offset in 0..<16 {
        if samples[offset] != samples[16 + offset] || samples[offset] != samples[32 + offset] { unequalFrames += 1 }
        if samples[offset] != last { changes += 1 }
        last = samples[offset]
      }
      frame += 16
    }
  }
}
