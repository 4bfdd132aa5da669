/// The momentary loudness of one or two channels: the mean square of the K-weighted samples of the last 400 ms, both
/// channels added (ITU-R BS.1770-5), renewed every 10 ms. Audio thread only; wait-free.
struct LoudnessMeter {
  /// The filter, and the sum of the squares of the block that is under way.
  var filter = KWeighting.State()
  /// Whether nothing has come since it was let rest.
  var isResting = true
  /// The mean squares of the last blocks.
  private(set) var window = EnergyWindow()
  /// The mean square over the window, silence before the first block.
  private(set) var momentary: Float = 0

  @_noLocks @_noAllocation
  init() {}

  /// Lets the filter rest between two blocks: where nothing sounds any more, nothing is filtered.
  @_noLocks @_noAllocation
  mutating func rest() {
    isResting = true
    filter = KWeighting.State()
  }

  /// Ends a block.
  ///
  /// - Parameter frames: How many frames a block has.
  @_noLocks @_noAllocation
  mutating func endBlock(frames: Int) {
    window.append((filter.energy[0] + filter.energy[1]) / Double(frames))
    filter.energy = SIMD2(0, 0)
    momentary = Float(window.sum(ofLast: EnergyWindow.length) / Double(EnergyWindow.length))
  }
}

#if canImport(Glibc)
  import Glibc

  extension LoudnessMeter {
    /// LUFS of a mean square, at least −120. Control thread only: calls the C library.
    static func loudness(meanSquare: Float) -> Float {
      meanSquare > 0 ? max(-120, Float(-0.691 + 10 * log10(Double(meanSquare)))) : -120
    }
  }
#endif
