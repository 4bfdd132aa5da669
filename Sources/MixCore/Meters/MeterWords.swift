import Synchronization

/// What the audio thread tells of one strip. Words of their own, each written by the audio thread, read by the control
/// thread, which also sets the peak back.
struct StripMeterWords: ~Copyable {
  /// Bit pattern of the present duck, a position.
  let duck = Atomic<UInt32>(Float(1).bitPattern)
  /// 1 while the signal is present that activates.
  let activationSignal = Atomic<UInt32>(0)
  /// 1 while the signal is present that ducks.
  let duckSignal = Atomic<UInt32>(0)
  /// Bit pattern of the mean square of its momentary loudness.
  let meanSquare = Atomic<UInt32>(0)
  /// Bit pattern of the dB that it asks the others to be turned down by.
  let marginReduction = Atomic<UInt32>(0)
  let badSamples = Atomic<UInt64>(0)
}

/// What the audio thread tells of one strip in nearly every cycle: apart from the rest and short, so that eight strips
/// share a cache line.
struct StripLevelWords: ~Copyable {
  /// Bit pattern of the greatest amplitude since it was last taken.
  let peak = Atomic<UInt32>(0)
  /// Bit pattern of the present gain.
  let gain = Atomic<UInt32>(0)
}

/// What the audio thread tells of one output route.
struct RouteMeterWords: ~Copyable {
  /// Bit pattern of the greatest amplitude since it was last taken.
  let peak = Atomic<UInt32>(0)
  /// Bit pattern of the mean square of its momentary loudness.
  let meanSquare = Atomic<UInt32>(0)
  /// Bit pattern of the present gain of the limiter.
  let limiterGain = Atomic<UInt32>(Float(1).bitPattern)
  /// Frames by which the limiter delays.
  let latency = Atomic<UInt32>(0)
}

extension Atomic where Value == UInt64 {
  /// Adds to a word that only the calling thread writes: two moves, where an atomic addition would wait for everything
  /// that is still under way to memory. Wait-free.
  @_noLocks @_noAllocation @inlinable @inline(__always)
  package func advance(by amount: UInt64) { store(load(ordering: .relaxed) &+ amount, ordering: .relaxed) }
}

extension Atomic where Value == UInt32 {
  /// Keeps the greater amplitude, at most the greatest finite one. Audio thread only; wait-free. (If the control thread
  /// takes the value in between, what it took was at least as great.)
  @_noLocks @_noAllocation
  func raise(to pattern: UInt32) {
    let value = Swift.min(pattern, 0x7f7f_ffff)
    if value > load(ordering: .relaxed) { store(value, ordering: .relaxed) }
  }
}
