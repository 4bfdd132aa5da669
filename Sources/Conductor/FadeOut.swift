/// When something that fades out has fallen silent: so many frames after the publication that lets it do so is in force,
/// whenever that is. A timed change takes its time to come into force, and a server that lags behind the clock takes more.
/// Control thread only.
struct FadeOut {
  /// The first publication that lets it fade out.
  let publication: UInt64
  /// How many frames it takes, at most.
  let length: UInt64
  /// From this frame on it is silent.
  private var end: UInt64?

  init(publication: UInt64, length: Int) {
    self.publication = publication
    self.length = UInt64(length)
  }

  /// Whether it is over.
  ///
  /// - Parameters:
  ///   - frame: how far the mixer is.
  ///   - inForce: the newest publication that was in force by then.
  mutating func isOver(at frame: UInt64, inForce: UInt64) -> Bool {
    if end == nil, publication <= inForce { end = frame + length }
    return end.map { $0 <= frame } ?? false
  }
}
