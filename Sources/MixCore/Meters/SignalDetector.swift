/// Tells whether a signal is present in a strip's input, to the sample. Audio thread only.
///
/// A signal begins with a run of samples above the threshold that has lasted for `onset` frames; gaps of up to 10 ms, half
/// a wave of 50 Hz, do not end a run. It ends `hold` frames after the last sample above the threshold (10 ms at least).
/// While it is present 3 dB less are enough, so that it does not flutter.
struct SignalDetector {
  /// What it listens for.
  struct Rule {
    /// Bit patterns of amplitudes: above the first a signal begins, above the second it goes on.
    let threshold: UInt32
    let lowerThreshold: UInt32
    let onset: UInt64
    let hold: UInt64
    let gap: UInt64

    @_noLocks @_noAllocation
    init(threshold: Float, onset: UInt32, hold: UInt32, sampleRate: Float) {
      self.threshold = threshold.bitPattern
      lowerThreshold = (threshold * 0.70794576).bitPattern
      self.onset = UInt64(onset)
      gap = UInt64(sampleRate / 100)
      self.hold = max(UInt64(hold), gap)
    }
  }

  /// Whether it is present, as of `position`.
  private(set) var isPresent = false
  /// The first frame that was not looked at yet.
  private var position: UInt64 = 0
  /// The first sample of this run that was above the threshold.
  private var runStart: UInt64 = 0
  /// The last sample that was, or `.max` if none.
  private var lastAbove = UInt64.max

  @_noLocks @_noAllocation
  init() {}

  /// Forgets everything; listens from a frame on.
  @_noLocks @_noAllocation
  mutating func restart(at frame: UInt64) {
    isPresent = false
    position = frame
    lastAbove = .max
  }

  /// Looks at the samples up to a frame, or to the first one where the presence changes, and returns that frame if so.
  ///
  /// - Parameters:
  ///   - samples: One or two channels, from the frame `origin` on. A sample that is no finite number counts for nothing.
  ///   - limit: The frame after the last sample.
  @_noLocks @_noAllocation
  mutating func scan(
    _ samples: BufferPair, from origin: UInt64, until limit: UInt64, by rule: Rule
  ) -> UInt64? {
    position = max(position, origin)
    while position < limit {
      let end = min(limit, position &+ 32)
      let peak = SignalDetector.peak(samples, from: position &- origin, count: Int(truncatingIfNeeded: end &- position))
      if peak <= (isPresent ? rule.lowerThreshold : rule.threshold) {
        if let change = pass(until: end, by: rule) { return change }
      } else if let change = examine(samples, from: origin, until: end, by: rule) {
        return change
      }
    }
    return nil
  }

  /// Passes over samples that are all below the threshold.
  @_noLocks @_noAllocation
  private mutating func pass(until end: UInt64, by rule: Rule) -> UInt64? {
    let expiry = lastAbove &+ rule.hold
    if isPresent && expiry < end {
      position = max(position, expiry)
      isPresent = false
      lastAbove = .max
      return position
    }
    position = end
    return nil
  }

  /// Looks at samples of which some are above the threshold, one by one.
  @_noLocks @_noAllocation
  private mutating func examine(
    _ samples: BufferPair, from origin: UInt64, until end: UInt64, by rule: Rule
  ) -> UInt64? {
    while position < end {
      let frame = position
      let level = SignalDetector.peak(samples, from: frame &- origin, count: 1)
      let isAbove = level > (isPresent ? rule.lowerThreshold : rule.threshold) && level < Loops.infinity
      if !isAbove {
        if let change = pass(until: frame &+ 1, by: rule) { return change }
        continue
      }
      if lastAbove == .max || (!isPresent && frame &- lastAbove > rule.gap) { runStart = frame }
      lastAbove = frame
      position = frame &+ 1
      if !isPresent && frame &- runStart >= rule.onset {
        isPresent = true
        return frame
      }
    }
    return nil
  }

  @_noLocks @_noAllocation
  private static func peak(_ samples: BufferPair, from offset: UInt64, count: Int) -> UInt32 {
    let first = Int(truncatingIfNeeded: offset)
    var peak: UInt32 = 0
    if let buffer = samples.first { peak = Loops.peak(of: buffer + first, count: count) }
    if let buffer = samples.second { peak = max(peak, Loops.peak(of: buffer + first, count: count)) }
    return peak
  }
}
