/// The loops over samples. Each adds `input × gain` to `output` and returns the bit pattern of the greatest amplitude
/// that it has added; lengths and alignments are free. Wait-free.
///
/// They are written with vectors of eight: two registers of baseline x86-64, one of AVX. Nothing is contracted to fused
/// multiply-add, so that the results are the same on every processor.
enum MixKernels {
  typealias Samples = UnsafePointer<Float>
  typealias Output = UnsafeMutablePointer<Float>

  /// The bit pattern without the sign: as integers these compare as the amplitudes do, infinities and NaN on top.
  static var magnitude: UInt32 {
    @_noLocks @_noAllocation get { 0x7fff_ffff }
  }
  /// The bit pattern of infinity: what is as great or greater is no finite number.
  static var infinity: UInt32 {
    @_noLocks @_noAllocation get { 0x7f80_0000 }
  }

  /// Adds with a gain that moves along a curve. `scale` is one more factor, not a position.
  @_noLocks @_noAllocation
  static func add(_ input: Samples, to output: Output, count: Int, curve: GainCurve, scale: Float) -> UInt32 {
    switch curve.movingCount {
    case 0:
      let gain = curve.resting * curve.resting * curve.resting * scale
      return add(input, to: output, count: count, gain: gain)
    case 1:
      return add(input, to: output, count: count, resting: curve.resting, factor: curve.movingFactor(0), scale: scale)
    default:
      return addProduct(input, to: output, count: count, curve: curve, scale: scale)
    }
  }

  /// Adds with a gain that rests.
  @_noLocks @_noAllocation
  static func add(_ input: Samples, to output: Output, count: Int, gain: Float) -> UInt32 {
    let gains = SIMD8<Float>(repeating: gain)
    var peaks = SIMD8<UInt32>(repeating: 0)
    var index = 0
    while index &+ 8 <= count {
      peaks = accumulate(load(input + index) * gains, at: output + index, peaks)
      index &+= 8
    }
    var peak = greatest(peaks)
    while index < count {
      peak = accumulate(input[index] * gain, at: output + index, peak)
      index &+= 1
    }
    return peak
  }

  /// Adds with a gain of which one factor moves.
  @_noLocks @_noAllocation
  static func add(
    _ input: Samples, to output: Output, count: Int, resting: Float, factor: MovingFactor, scale: Float
  ) -> UInt32 {
    let rest = SIMD8<Float>(repeating: resting)
    let scales = SIMD8<Float>(repeating: scale)
    var peaks = SIMD8<UInt32>(repeating: 0)
    var index = 0
    while index &+ 8 <= count {
      let position = rest * line(factor, index)
      let gains = position * position * position * scales
      peaks = accumulate(load(input + index) * gains, at: output + index, peaks)
      index &+= 8
    }
    var peak = greatest(peaks)
    while index < count {
      let position = resting * factor.value(at: Int32(truncatingIfNeeded: index))
      let gain = position * position * position * scale
      peak = accumulate(input[index] * gain, at: output + index, peak)
      index &+= 1
    }
    return peak
  }

  /// Adds with a gain of which several factors move.
  @_noLocks @_noAllocation
  private static func addProduct(
    _ input: Samples, to output: Output, count: Int, curve: GainCurve, scale: Float
  ) -> UInt32 {
    let scales = SIMD8<Float>(repeating: scale)
    var peaks = SIMD8<UInt32>(repeating: 0)
    var index = 0
    while index &+ 8 <= count {
      var position = SIMD8<Float>(repeating: curve.resting)
      var factor = 0
      while factor < curve.movingCount {
        position *= line(curve.movingFactor(factor), index)
        factor &+= 1
      }
      let gains = position * position * position * scales
      peaks = accumulate(load(input + index) * gains, at: output + index, peaks)
      index &+= 8
    }
    var peak = greatest(peaks)
    while index < count {
      let gain = curve.gain(at: Int32(truncatingIfNeeded: index)) * scale
      peak = accumulate(input[index] * gain, at: output + index, peak)
      index &+= 1
    }
    return peak
  }

  /// The bit pattern of the greatest amplitude: `infinity` or more if a sample is no finite number.
  @_noLocks @_noAllocation
  static func peak(of input: Samples, count: Int) -> UInt32 {
    var peaks = SIMD8<UInt32>(repeating: 0)
    var index = 0
    while index &+ 8 <= count {
      peaks = larger(peaks, magnitudes(load(input + index)))
      index &+= 8
    }
    var peak = greatest(peaks)
    while index < count {
      peak = max(peak, input[index].bitPattern & magnitude)
      index &+= 1
    }
    return peak
  }

  /// Copies. The buffers may be the same.
  @_noLocks @_noAllocation
  static func copy(_ input: Samples, to output: Output, count: Int) {
    var index = 0
    while index < count {
      output[index] = input[index]
      index &+= 1
    }
  }

  /// Copies with 0 in place of what is no finite number, and returns how many samples that were.
  @_noLocks @_noAllocation
  static func scrub(_ input: Samples, into output: Output, count: Int) -> Int {
    var bad = 0
    var index = 0
    while index < count {
      let isBad = input[index].bitPattern & magnitude >= infinity
      output[index] = isBad ? 0 : input[index]
      bad &+= isBad ? 1 : 0
      index &+= 1
    }
    return bad
  }
}

extension MixKernels {
  /// Eight values of a moving factor from a frame on.
  @_noLocks @_noAllocation @inline(__always)
  private static func line(_ factor: MovingFactor, _ index: Int) -> SIMD8<Float> {
    let first = SIMD8<Int32>(repeating: factor.offset &+ Int32(truncatingIfNeeded: index))
    let frames = SIMD8<Float>(first &+ SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7))
    return SIMD8<Float>(repeating: factor.from) + SIMD8<Float>(repeating: factor.step) * frames
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func load(_ input: Samples) -> SIMD8<Float> {
    UnsafeRawPointer(input).loadUnaligned(as: SIMD8<Float>.self)
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func accumulate(
    _ added: SIMD8<Float>, at output: Output, _ peaks: SIMD8<UInt32>
  ) -> SIMD8<UInt32> {
    let raw = UnsafeMutableRawPointer(output)
    let sum = raw.loadUnaligned(as: SIMD8<Float>.self) + added
    raw.storeBytes(of: sum, as: SIMD8<Float>.self)
    return larger(peaks, magnitudes(added))
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func accumulate(_ added: Float, at output: Output, _ peak: UInt32) -> UInt32 {
    output.pointee += added
    return max(peak, added.bitPattern & magnitude)
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func magnitudes(_ samples: SIMD8<Float>) -> SIMD8<UInt32> {
    unsafeBitCast(samples, to: SIMD8<UInt32>.self) & SIMD8<UInt32>(repeating: magnitude)
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func larger(_ first: SIMD8<UInt32>, _ second: SIMD8<UInt32>) -> SIMD8<UInt32> {
    first.replacing(with: second, where: second .> first)
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func greatest(_ values: SIMD8<UInt32>) -> UInt32 {
    var greatest: UInt32 = 0
    var lane = 0
    while lane < 8 {
      greatest = max(greatest, values[lane])
      lane &+= 1
    }
    return greatest
  }
}
