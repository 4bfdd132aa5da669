/// The innermost loops over samples. Lengths and alignments are free; wait-free.
///
/// They are plain loops that the compiler turns into vectors: this file is compiled twice, here for every processor of
/// an architecture, and in `WideLoops` for x86-64 with AVX2. Nothing is contracted to fused multiply-add and nothing is
/// added up in another order, so that both give the same results, bit by bit.
///
/// Those that add return the bit pattern of the greatest amplitude that was added. Without their sign bit patterns
/// compare as the amplitudes do, infinities and NaN on top; as signed integers, for every processor has these.
package enum Loops {
  package typealias Samples = UnsafePointer<Float>
  package typealias Output = UnsafeMutablePointer<Float>
  /// A moving factor of a gain, from the first frame of a segment on: the position `from + step × (offset + i)` at frame
  /// `i`. A tuple, for it has to be the same type wherever this file is compiled.
  package typealias MovingFactor = (from: Float, step: Float, offset: Int32)

  /// The bit pattern of infinity: what is as great or greater is no finite number.
  package static var infinity: UInt32 {
    @_noLocks @_noAllocation get { 0x7f80_0000 }
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func magnitude(_ sample: Float) -> Int32 { Int32(bitPattern: sample.bitPattern & 0x7fff_ffff) }

  /// Adds two channels to two others, each with a gain that rests.
  @_noLocks @_noAllocation @inline(never)
  package static func addPair(
    _ left: Samples, _ right: Samples, to outputLeft: Output, _ outputRight: Output, count: Int, gains: (Float, Float)
  ) -> UInt32 {
    let (gainLeft, gainRight) = (Block(repeating: gains.0), Block(repeating: gains.1))
    var blockPeak = BlockPeak()
    var index = 0
    let end = count & ~(Block.scalarCount &- 1)
    while index < end {
      blockPeak.raise(by: add(block(left, index) * gainLeft, to: outputLeft, index))
      blockPeak.raise(by: add(block(right, index) * gainRight, to: outputRight, index))
      index &+= Block.scalarCount
    }
    var peak = blockPeak.greatest
    if index < count {
      peak = max(peak, accumulate(left + index, in: outputLeft + index, count: count &- index, gain: gains.0))
      peak = max(peak, accumulate(right + index, in: outputRight + index, count: count &- index, gain: gains.1))
    }
    return UInt32(bitPattern: peak)
  }

  /// Adds two channels to two others with the cube of a position of which one factor moves.
  @_noLocks @_noAllocation @inline(never)
  package static func addPair(
    _ left: Samples, _ right: Samples, to outputLeft: Output, _ outputRight: Output, count: Int, resting: Float,
    factor: MovingFactor
  ) -> UInt32 {
    let (from, step, offset) = factor
    var offsets = BlockOfIntegers(repeating: offset) &+ BlockOfIntegers(0, 1, 2, 3, 4, 5, 6, 7)
    var blockPeak = BlockPeak()
    var index = 0
    let end = count & ~(Block.scalarCount &- 1)
    while index < end {
      let position = resting * (from + step * Block(offsets))
      let gain = position * position * position
      blockPeak.raise(by: add(block(left, index) * gain, to: outputLeft, index))
      blockPeak.raise(by: add(block(right, index) * gain, to: outputRight, index))
      offsets = offsets &+ Int32(Block.scalarCount)
      index &+= Block.scalarCount
    }
    var peak = blockPeak.greatest
    if index < count {
      peak = max(
        peak,
        accumulateRest(
          left, right, in: outputLeft, outputRight, from: index, to: count, resting: resting, factor: factor))
    }
    return UInt32(bitPattern: peak)
  }

  /// The last frames, which are fewer than a block.
  @_noLocks @_noAllocation @inline(never)
  private static func accumulateRest(
    _ left: Samples, _ right: Samples, in outputLeft: Output, _ outputRight: Output, from first: Int, to end: Int,
    resting: Float, factor: MovingFactor
  ) -> Int32 {
    let (from, step, offset) = factor
    var peak: Int32 = 0
    var index = first
    while index < end {
      let position = resting * (from + step * Float(offset &+ Int32(truncatingIfNeeded: index)))
      let gain = position * position * position
      let (addedLeft, addedRight) = (left[index] * gain, right[index] * gain)
      outputLeft[index] += addedLeft
      outputRight[index] += addedRight
      peak = max(peak, max(magnitude(addedLeft), magnitude(addedRight)))
      index &+= 1
    }
    return peak
  }

  /// Adds with a gain that rests.
  @_noLocks @_noAllocation @inline(never)
  package static func add(_ input: Samples, to output: Output, count: Int, gain: Float) -> UInt32 {
    UInt32(bitPattern: accumulate(input, in: output, count: count, gain: gain))
  }

  @_noLocks @_noAllocation @inline(never)
  private static func accumulate(_ input: Samples, in output: Output, count: Int, gain: Float) -> Int32 {
    var peak: Int32 = 0
    var index = 0
    while index < count {
      let added = input[index] * gain
      output[index] += added
      peak = max(peak, magnitude(added))
      index &+= 1
    }
    return peak
  }

  /// Adds with a gain for each sample.
  @_noLocks @_noAllocation @inline(never)
  package static func add(_ input: Samples, to output: Output, count: Int, gains: Samples) -> UInt32 {
    var peak: Int32 = 0
    var index = 0
    while index < count {
      let added = input[index] * gains[index]
      output[index] += added
      peak = max(peak, magnitude(added))
      index &+= 1
    }
    return UInt32(bitPattern: peak)
  }

  /// The gains of a curve of which one factor or several move: the cube of the product of positions, times a factor. The
  /// product is taken in the order of the factors.
  @_noLocks @_noAllocation @inline(never)
  package static func setGains(
    _ gains: Output, count: Int, resting: Float, factors: UnsafePointer<MovingFactor>, factorCount: Int, scale: Float
  ) {
    gains.update(repeating: resting, count: count)
    var place = 0
    while place < factorCount {
      let (from, step, offset) = factors[place]
      var index: Int32 = 0
      let end = Int32(truncatingIfNeeded: count)
      while index < end {
        gains[Int(index)] *= from + step * Float(offset &+ index)
        index &+= 1
      }
      place &+= 1
    }
    var index = 0
    while index < count {
      let position = gains[index]
      gains[index] = position * position * position * scale
      index &+= 1
    }
  }

  /// The bit pattern of the greatest amplitude: `infinity` or more if a sample is no finite number.
  @_noLocks @_noAllocation @inline(never)
  package static func peak(of input: Samples, count: Int) -> UInt32 {
    var peak: Int32 = 0
    var index = 0
    while index < count {
      peak = max(peak, magnitude(input[index]))
      index &+= 1
    }
    return UInt32(bitPattern: peak)
  }

  /// The same of two channels.
  @_noLocks @_noAllocation @inline(never)
  package static func peak(of left: Samples, _ right: Samples, count: Int) -> UInt32 {
    var blockPeak = BlockPeak()
    var index = 0
    let end = count & ~(Block.scalarCount &- 1)
    while index < end {
      blockPeak.raise(by: block(left, index))
      blockPeak.raise(by: block(right, index))
      index &+= Block.scalarCount
    }
    var peak = blockPeak.greatest
    while index < count {
      peak = max(peak, max(magnitude(left[index]), magnitude(right[index])))
      index &+= 1
    }
    return UInt32(bitPattern: peak)
  }

  /// Copies. The buffers may be the same.
  @_noLocks @_noAllocation @inline(never)
  package static func copy(_ input: Samples, to output: Output, count: Int) {
    var index = 0
    while index < count {
      output[index] = input[index]
      index &+= 1
    }
  }

  /// Copies with 0 in place of what is no finite number, and returns how many samples that were.
  @_noLocks @_noAllocation @inline(never)
  package static func scrub(_ input: Samples, into output: Output, count: Int) -> Int {
    var bad = 0
    var index = 0
    while index < count {
      let isBad = input[index].bitPattern & 0x7fff_ffff >= infinity
      output[index] = isBad ? 0 : input[index]
      bad &+= isBad ? 1 : 0
      index &+= 1
    }
    return bad
  }
}

// Eight samples at once, for the loops that most of the time is spent in. Written out, because the compiler's own
// vectors ask first whether any two of four buffers overlap, which takes as long as a third of a period of 64 frames.
extension Loops {
  private typealias Block = SIMD8<Float>
  private typealias BlockOfIntegers = SIMD8<Int32>

  /// The greatest amplitude in each of the places of a block.
  private struct BlockPeak {
    private var places = BlockOfIntegers(repeating: 0)

    @_noLocks @_noAllocation @inline(__always)
    mutating func raise(by samples: Block) {
      let amplitudes = unsafeBitCast(samples, to: BlockOfIntegers.self) & 0x7fff_ffff
      places.replace(with: amplitudes, where: amplitudes .> places)
    }

    var greatest: Int32 {
      @_noLocks @_noAllocation @inline(__always) get {
        var peak = places[0]
        var place = 1
        while place < Block.scalarCount {
          peak = max(peak, places[place])
          place &+= 1
        }
        return peak
      }
    }
  }

  // Samples lie at any multiple of their own size, not at one of a block's.

  @_noLocks @_noAllocation @inline(__always)
  private static func block(_ samples: Samples, _ index: Int) -> Block {
    UnsafeRawPointer(samples + index).loadUnaligned(as: Block.self)
  }

  /// Adds a block to one that is there, and returns what was added.
  @_noLocks @_noAllocation @inline(__always)
  private static func add(_ added: Block, to output: Output, _ index: Int) -> Block {
    UnsafeMutableRawPointer(output + index).storeBytes(of: block(output, index) + added, as: Block.self)
    return added
  }
}
