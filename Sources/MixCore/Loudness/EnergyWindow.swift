/// The mean energies of the last blocks of 10 ms, as many as a window of 400 ms has. Audio thread only; wait-free.
struct EnergyWindow {
  /// Blocks in a window.
  static var length: Int {
    @_noLocks @_noAllocation get { 40 }
  }

  private var blocks = InlineArray<40, Double>(repeating: 0)
  private var cursor = 0
  /// Blocks that have come, as far as they matter.
  private var filled = 0

  @_noLocks @_noAllocation
  init() {}

  @_noLocks @_noAllocation
  mutating func append(_ energy: Double) {
    blocks[cursor] = energy
    cursor = cursor &+ 1 == Self.length ? 0 : cursor &+ 1
    filled = min(filled &+ 1, Self.length)
  }

  /// The sum over the last blocks, added up anew each time, so that nothing remains of what was loud.
  @_noLocks @_noAllocation
  func sum(ofLast count: Int) -> Double {
    var sum = 0.0
    var index = cursor
    var rest = count
    while rest > 0 {
      index = index == 0 ? Self.length &- 1 : index &- 1
      sum += blocks[index]
      rest &-= 1
    }
    return sum
  }

  /// The mean over the last blocks, as far as they have come.
  @_noLocks @_noAllocation
  func mean(ofLast count: Int = EnergyWindow.length) -> Double {
    let count = min(count, filled)
    return count > 0 ? sum(ofLast: count) / Double(count) : 0
  }
}
