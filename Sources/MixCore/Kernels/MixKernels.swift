#if canImport(WideLoops)
  import WideLoops
#endif

/// The loops over samples, as wide as this processor can: which of the two sets is taken is known when the mixer is made.
/// The results are the same. Wait-free.
package struct MixKernels {
  package typealias Samples = UnsafePointer<Float>
  package typealias Output = UnsafeMutablePointer<Float>

  /// Whether the loops with AVX2 run: eight samples at once, not four.
  package let areWide: Bool

  /// Loops of a width, or the baseline ones where this build has no others.
  ///
  /// - Parameter areWide: Must be false on a processor that has no AVX2.
  package init(areWide: Bool) {
    #if canImport(WideLoops)
      self.areWide = areWide
    #else
      self.areWide = false
    #endif
  }

  /// Adds two channels to two others, each with a gain that rests, and returns the greatest amplitude as a bit pattern.
  @_noLocks @_noAllocation
  package func addPair(
    _ left: Samples, _ right: Samples, to outputLeft: Output, _ outputRight: Output, count: Int, gains: (Float, Float)
  ) -> UInt32 {
    #if canImport(WideLoops)
      if areWide {
        return WideLoops.Loops.addPair(left, right, to: outputLeft, outputRight, count: count, gains: gains)
      }
    #endif
    return Loops.addPair(left, right, to: outputLeft, outputRight, count: count, gains: gains)
  }

  /// Adds two channels to two others with the same gain, of which one factor moves.
  @_noLocks @_noAllocation
  package func addPair(
    _ left: Samples, _ right: Samples, to outputLeft: Output, _ outputRight: Output, count: Int, resting: Float,
    factor: Loops.MovingFactor
  ) -> UInt32 {
    #if canImport(WideLoops)
      if areWide {
        return WideLoops.Loops.addPair(
          left, right, to: outputLeft, outputRight, count: count, resting: resting, factor: factor)
      }
    #endif
    return Loops.addPair(
      left, right, to: outputLeft, outputRight, count: count, resting: resting, factor: factor)
  }

  /// Adds with a gain that rests.
  @_noLocks @_noAllocation
  package func add(_ input: Samples, to output: Output, count: Int, gain: Float) -> UInt32 {
    #if canImport(WideLoops)
      if areWide { return WideLoops.Loops.add(input, to: output, count: count, gain: gain) }
    #endif
    return Loops.add(input, to: output, count: count, gain: gain)
  }

  /// Adds with a gain that moves along a curve.
  ///
  /// - Parameters:
  ///   - scale: One more factor, not a position.
  ///   - gains: Room for as many gains as there are samples.
  @_noLocks @_noAllocation
  package func add(
    _ input: Samples, to output: Output, count: Int, curve: GainCurve, scale: Float, gains: Output
  ) -> UInt32 {
    if curve.movingCount == 0 {
      return add(input, to: output, count: count, gain: curve.resting * curve.resting * curve.resting * scale)
    }
    curve.withMovingFactors { factors in
      setGains(
        gains, count: count, resting: curve.resting, factors: factors, factorCount: curve.movingCount, scale: scale)
    }
    return add(input, to: output, count: count, gains: gains)
  }

  @_noLocks @_noAllocation
  private func setGains(
    _ gains: Output, count: Int, resting: Float, factors: UnsafePointer<Loops.MovingFactor>, factorCount: Int,
    scale: Float
  ) {
    #if canImport(WideLoops)
      if areWide {
        WideLoops.Loops.setGains(
          gains, count: count, resting: resting, factors: factors, factorCount: factorCount, scale: scale)
        return
      }
    #endif
    Loops.setGains(
      gains, count: count, resting: resting, factors: factors, factorCount: factorCount, scale: scale)
  }

  @_noLocks @_noAllocation
  private func add(_ input: Samples, to output: Output, count: Int, gains: Output) -> UInt32 {
    #if canImport(WideLoops)
      if areWide { return WideLoops.Loops.add(input, to: output, count: count, gains: gains) }
    #endif
    return Loops.add(input, to: output, count: count, gains: gains)
  }

  /// The bit pattern of the greatest amplitude: `Loops.infinity` or more if a sample is no finite number.
  @_noLocks @_noAllocation
  package func peak(of input: Samples, count: Int) -> UInt32 {
    #if canImport(WideLoops)
      if areWide { return WideLoops.Loops.peak(of: input, count: count) }
    #endif
    return Loops.peak(of: input, count: count)
  }

  /// The same of one or two channels: 0 where there is none.
  @_noLocks @_noAllocation
  package func peak(of left: Samples?, _ right: Samples?, count: Int) -> UInt32 {
    guard let left, let right else { return (left ?? right).map { peak(of: $0, count: count) } ?? 0 }
    #if canImport(WideLoops)
      if areWide { return WideLoops.Loops.peak(of: left, right, count: count) }
    #endif
    return Loops.peak(of: left, right, count: count)
  }
}
