import Synchronization

/// What the mixer has measured, for the control side. Wait-free; what is "taken" must be taken by one thread only.
public struct MixMeters: Sendable {
  let memory: MixMemory

  /// The greatest amplitude of a strip, after all its gains, since it was last taken. 1 is full scale.
  public func takePeak(ofStrip index: Int) -> Float {
    Float(bitPattern: levels(index).pointee.peak.exchange(0, ordering: .relaxed))
  }

  /// The present total gain of a strip on the first route on which it sounds, 0 if on none. A factor, the greater one of
  /// both channels.
  public func gain(ofStrip index: Int) -> Float {
    Float(bitPattern: levels(index).pointee.gain.load(ordering: .relaxed))
  }

  /// The factor by which a strip is ducked now on that route: 1 if it is not.
  public func duckGain(ofStrip index: Int) -> Float {
    let position = Float(bitPattern: strip(index).pointee.duck.load(ordering: .relaxed))
    return position * position * position
  }

  /// The momentary loudness of a strip whose plan `measuresLoudness`, after all its gains, on the first route on which it
  /// sounds: LUFS over 400 ms, renewed every 10 ms, at least −120 (ITU-R BS.1770-5).
  public func loudness(ofStrip index: Int) -> Float {
    LoudnessMeter.loudness(meanSquare: Float(bitPattern: strip(index).pointee.meanSquare.load(ordering: .relaxed)))
  }

  /// What a strip that ducks by margin now asks the others to be turned down by: dB, 0 or less, the deepest over its
  /// routes (D6).
  public func marginReduction(ofDucker index: Int) -> Float {
    Float(bitPattern: strip(index).pointee.marginReduction.load(ordering: .relaxed))
  }

  /// Whether the signal is present in a strip's input that its `ActivationPlan` describes.
  public func hasActivationSignal(strip index: Int) -> Bool {
    strip(index).pointee.activationSignal.load(ordering: .relaxed) != 0
  }

  /// Whether the signal is present in a strip's input by which it ducks others (trigger `signal`, while it is allowed).
  public func hasDuckSignal(strip index: Int) -> Bool {
    strip(index).pointee.duckSignal.load(ordering: .relaxed) != 0
  }

  /// Input samples of a strip that were no finite numbers and have been replaced by 0 so far.
  public func badSamples(ofStrip index: Int) -> UInt64 {
    strip(index).pointee.badSamples.load(ordering: .relaxed)
  }

  /// The greatest amplitude at the output of a route since it was last taken. 1 is full scale.
  public func takePeak(ofOutput index: Int) -> Float {
    Float(bitPattern: output(index).pointee.peak.exchange(0, ordering: .relaxed))
  }

  /// The momentary loudness at the output of a route whose plan `measuresLoudness`: LUFS over 400 ms, renewed every
  /// 10 ms, at least −120 (ITU-R BS.1770-5).
  public func loudness(ofOutput index: Int) -> Float {
    LoudnessMeter.loudness(
      meanSquare: Float(bitPattern: output(index).pointee.meanSquare.load(ordering: .relaxed)))
  }

  /// The dB that the limiter of a route takes off now: 0 where everything passes, at most 120.
  public func limiting(ofOutput index: Int) -> Float {
    let gain = Float(bitPattern: output(index).pointee.limiterGain.load(ordering: .relaxed))
    return gain == 1 ? 0 : -Decibels.of(gain: gain, floor: -120)
  }

  /// The frames by which a route is delayed, for its limiter looks ahead: to be reported as latency of its ports.
  public func latency(ofOutput index: Int) -> Int { Int(output(index).pointee.latency.load(ordering: .relaxed)) }

  /// The first frame after the last cycle.
  public var frame: UInt64 { memory.shared.pointee.frame.load(ordering: .acquiring) }

  /// Cycles so far.
  public var cycles: UInt64 { memory.shared.pointee.cycles.load(ordering: .relaxed) }

  /// Cycles so far that were silent because they were longer than prepared.
  public var oversizedCycles: UInt64 { memory.shared.pointee.oversizedCycles.load(ordering: .relaxed) }

  /// Timed changes so far that came too late for their frame, and were made in the next cycle.
  public var lateChanges: UInt64 { memory.shared.pointee.lateChanges.load(ordering: .relaxed) }

  /// The newest publication that is wholly in force.
  public var acknowledgedSequence: UInt64 { memory.shared.pointee.acknowledged.load(ordering: .acquiring) }

  private func output(_ index: Int) -> UnsafeMutablePointer<RouteMeterWords> {
    precondition(index >= 0 && index < memory.capacity.outputRoutes, "there is no output route \(index)")
    return memory.outputMeters + index
  }

  private func levels(_ index: Int) -> UnsafeMutablePointer<StripLevelWords> {
    precondition(index >= 0 && index < memory.capacity.strips, "there is no strip \(index)")
    return memory.stripLevels + index
  }

  private func strip(_ index: Int) -> UnsafeMutablePointer<StripMeterWords> {
    precondition(index >= 0 && index < memory.capacity.strips, "there is no strip \(index)")
    return memory.stripMeters + index
  }
}
