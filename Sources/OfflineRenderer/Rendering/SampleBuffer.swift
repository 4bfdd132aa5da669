/// Memory for samples that stays where it is. One thread.
final class SampleBuffer {
  // The mixer is given this very memory: an array could move.
  let samples: UnsafeMutableBufferPointer<Float>

  /// Silence.
  /// - Parameter capacity: how many samples it holds, at least 1.
  init(capacity: Int) {
    samples = .allocate(capacity: capacity)
    samples.initialize(repeating: 0)
  }

  deinit { samples.deallocate() }

  /// Its first sample.
  var start: UnsafeMutablePointer<Float> {
    guard let base = samples.baseAddress else { preconditionFailure("a buffer has at least one sample") }
    return base
  }

  /// Silences the first frames.
  func clear(_ frames: Int) { samples[..<frames].update(repeating: 0) }
}
