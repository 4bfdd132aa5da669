/// Who ducks whom on one route, by priority. Audio thread only.
///
/// Whom a ducker ducks depends on nothing but priority and class (D2), so that the deepest duck for every priority is
/// found once when the duckers change, and looked up for each strip: duckers + strips, never duckers × strips.
struct DuckTable {
  /// The deepest duck of all duckers of at least a priority, and whose it is.
  struct Entry {
    /// A position.
    var depth: Float = 1
    /// Index of the strip that ducks, or −1.
    var ducker: Int32 = -1
    /// Whether the depth follows a margin of loudness.
    var isGliding = false
  }

  /// For priorities −100…100, and one more for "above them all".
  private var entries = InlineArray<202, Entry>(repeating: Entry())
  private(set) var isEmpty = true

  /// Forgets all duckers.
  @_noLocks @_noAllocation
  mutating func removeAll() {
    if isEmpty { return }
    for index in 0..<202 { entries[index] = Entry() }
    isEmpty = true
  }

  /// Adds a ducker; `finish` must follow the last one.
  @_noLocks @_noAllocation
  mutating func insert(ducker: Int, priority: Int16, depth: Float, isGliding: Bool) {
    let index = Int(priority) &+ 100
    isEmpty = false
    if entries[index].ducker >= 0 && entries[index].depth <= depth { return }
    entries[index] = Entry(depth: depth, ducker: Int32(truncatingIfNeeded: ducker), isGliding: isGliding)
  }

  /// Lets the duckers of a higher priority count for the lower ones.
  @_noLocks @_noAllocation
  mutating func finish() {
    if isEmpty { return }
    var index = 200
    while index >= 0 {
      let above = entries[index &+ 1]
      let own = entries[index]
      if above.ducker >= 0 && (own.ducker < 0 || above.depth < own.depth) { entries[index] = above }
      index &-= 1
    }
  }

  /// The deepest duck that a strip has to suffer (D2, D3).
  @_noLocks @_noAllocation
  func deepest(for settings: StripSettings) -> Entry {
    if isEmpty || settings.isCall { return Entry() }
    return entries[Int(settings.priority) &+ (settings.duck.isOfDuckerClass ? 101 : 100)]
  }
}
