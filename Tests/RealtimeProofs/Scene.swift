import Dispatch
import MixCore
import Synchronization

/// Everything at once: eighty sessions on three routes, microphones, ducks of every kind, limiters, loudness, stems, bad
/// samples and a thread that never stops changing all of it.
///
/// - Returns: Whether what should have happened did happen.
func playScene(cycles: Int) -> Bool {
  let mixer = Mixer(
    capacity: MixCapacity(
      strips: Ports.strips, outputRoutes: Ports.outputRoutes, inputRoutes: Ports.inputRoutes,
      framesPerCycle: AudioSide.longestPeriod, timedChanges: 512, hasStems: true),
    sampleRate: 48_000)
  let isDone = Atomic(false)
  let publications = Atomic(0)
  let energy = Atomic<UInt64>(0)
  DispatchQueue.concurrentPerform(iterations: 2) { side in
    if side == 0 {
      var control = ControlSide(mixer: mixer)
      while !isDone.load(ordering: .acquiring) { control.change() }
      publications.store(control.publications, ordering: .relaxed)
      precondition(control.reading.isFinite)
    } else {
      FloatingPointMode.flushDenormals()
      var audio = AudioSide(engine: mixer.engine, stems: 16)
      defer { audio.free() }
      for turn in 0..<cycles {
        // Periods of all lengths, and now and then one that is longer than was ever said.
        let frames = turn % 500 == 499 ? AudioSide.longestPeriod + 1 : [64, 16, 333, 1, 1024, 128][turn / 32 % 6]
        audio.fillInputs(frames: frames, turn: turn)
        audio.cycle(frames: frames)
      }
      energy.store(audio.energy.bitPattern, ordering: .relaxed)
      isDone.store(true, ordering: .releasing)
    }
  }
  let sounded = Double(bitPattern: energy.load(ordering: .relaxed))
  let published = publications.load(ordering: .relaxed)
  print("\(cycles) cycles, \(published) publications, \(mixer.meters.lateChanges) late changes")
  return sounded.isFinite && sounded > 0 && published > 100
    && mixer.meters.oversizedCycles == cycles / 500
}
