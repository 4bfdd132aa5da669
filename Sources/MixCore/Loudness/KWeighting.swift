/// The filter of ITU-R BS.1770-5, annex 1: a shelf for the head, then a high-pass.
///
/// The recommendation gives coefficients for 48 kHz only; for other rates they are made from the analogue filters that
/// these come from, as libebur128 does. `Double`, for the high-pass lies so low that `Float` would hear its own noise.
struct KWeighting {
  /// One pair of channels in the filter.
  struct State {
    var shelf1 = SIMD2<Double>(0, 0)
    var shelf2 = SIMD2<Double>(0, 0)
    var high1 = SIMD2<Double>(0, 0)
    var high2 = SIMD2<Double>(0, 0)
    /// The sum of the squares that came out.
    var energy = SIMD2<Double>(0, 0)

    @_noLocks @_noAllocation
    init() {}
  }

  // Numerators `b`, denominators `a`; that of the high-pass is 1, −2, 1 above.
  private let shelfB0: Double
  private let shelfB1: Double
  private let shelfB2: Double
  private let shelfA1: Double
  private let shelfA2: Double
  private let highA1: Double
  private let highA2: Double

  /// Filters two pairs of channels at once and adds up their squares. Wait-free.
  ///
  /// - Parameter samples: Four channels, `stride` apart, of `count` frames: the two of the first pair, the two of the
  ///   second.
  @_noLocks @_noAllocation
  func process(_ samples: UnsafePointer<Float>, stride: Int, count: Int, _ first: inout State, _ second: inout State) {
    var shelf1 = SIMD4(lowHalf: first.shelf1, highHalf: second.shelf1)
    var shelf2 = SIMD4(lowHalf: first.shelf2, highHalf: second.shelf2)
    var high1 = SIMD4(lowHalf: first.high1, highHalf: second.high1)
    var high2 = SIMD4(lowHalf: first.high2, highHalf: second.high2)
    var energy = SIMD4(lowHalf: first.energy, highHalf: second.energy)
    let channel1 = samples
    let channel2 = samples + stride
    let channel3 = samples + 2 &* stride
    let channel4 = samples + 3 &* stride
    var index = 0
    while index < count {
      let input = SIMD4<Double>(
        Double(channel1[index]), Double(channel2[index]), Double(channel3[index]), Double(channel4[index]))
      let shelved = input * shelfB0 + shelf1
      shelf1 = input * shelfB1 - shelved * shelfA1 + shelf2
      shelf2 = input * shelfB2 - shelved * shelfA2
      let output = shelved + high1
      high1 = high2 - (shelved + shelved) - output * highA1
      high2 = shelved - output * highA2
      energy += output * output
      index &+= 1
    }
    first.shelf1 = shelf1.lowHalf
    first.shelf2 = shelf2.lowHalf
    first.high1 = high1.lowHalf
    first.high2 = high2.lowHalf
    first.energy = energy.lowHalf
    second.shelf1 = shelf1.highHalf
    second.shelf2 = shelf2.highHalf
    second.high1 = high1.highHalf
    second.high2 = high2.highHalf
    second.energy = energy.highHalf
  }
}

#if canImport(Glibc)
  import Glibc

  extension KWeighting {
    /// Control thread only: calls the C library.
    init(sampleRate: Double) {
      let shelfQ = 0.7071752369554196
      let shelf = tan(.pi * 1681.974450955533 / sampleRate)
      let top = pow(10, 3.999843853973347 / 20)
      let middle = pow(top, 0.4996667741545416)
      let shelfA0 = 1 + shelf / shelfQ + shelf * shelf
      shelfB0 = (top + middle * shelf / shelfQ + shelf * shelf) / shelfA0
      shelfB1 = 2 * (shelf * shelf - top) / shelfA0
      shelfB2 = (top - middle * shelf / shelfQ + shelf * shelf) / shelfA0
      shelfA1 = 2 * (shelf * shelf - 1) / shelfA0
      shelfA2 = (1 - shelf / shelfQ + shelf * shelf) / shelfA0
      let highQ = 0.5003270373238773
      let high = tan(.pi * 38.13547087602444 / sampleRate)
      let highA0 = 1 + high / highQ + high * high
      highA1 = 2 * (high * high - 1) / highA0
      highA2 = (1 - high / highQ + high * high) / highA0
    }
  }
#endif
