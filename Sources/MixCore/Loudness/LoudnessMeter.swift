/// The momentary loudness of one or two channels: the mean square of the K-weighted samples of the last 400 ms, both
/// channels added (ITU-R BS.1770-5), renewed every 10 ms. Audio thread only; wait-free.
struct LoudnessMeter {
  /// Blocks of 10 ms in a window of 400 ms.
  static var blocksInWindow: Int {
    @_noLocks @_noAllocation get { 40 }
  }

  /// The filter, and the sum of the squares of the block that is under way.
  var filter = KWeighting.State()
  /// Whether nothing has come since it was let rest.
  var isResting = true
  /// The mean squares of the last blocks.
  private var blocks = InlineArray<40, Double>(repeating: 0)
  private var cursor = 0
  /// The mean square over the window, silence before the first block.
  private(set) var momentary: Float = 0
  /// Blocks that have ended since it began, as far as they matter.
  private var filled = 0

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
    blocks[cursor] = (filter.energy[0] + filter.energy[1]) / Double(frames)
    filter.energy = SIMD2(0, 0)
    cursor = cursor &+ 1 == Self.blocksInWindow ? 0 : cursor &+ 1
    filled = min(filled &+ 1, Self.blocksInWindow)
    // Added up anew each time, so that nothing remains of what was loud.
    momentary = Float(sum(ofLast: Self.blocksInWindow) / Double(Self.blocksInWindow))
  }

  /// The mean square over the last blocks, as far as it has heard them.
  @_noLocks @_noAllocation
  func mean(ofLast count: Int) -> Double {
    let count = min(count, filled)
    return count > 0 ? sum(ofLast: count) / Double(count) : 0
  }

  @_noLocks @_noAllocation
  private func sum(ofLast count: Int) -> Double {
    var sum = 0.0
    var index = cursor
    var rest = count
    while rest > 0 {
      index = index == 0 ? Self.blocksInWindow &- 1 : index &- 1
      sum += blocks[index]
      rest &-= 1
    }
    return sum
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
