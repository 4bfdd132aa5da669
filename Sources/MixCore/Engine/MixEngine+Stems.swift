// The parts of the sum, each by itself.

extension MixEngine {
  /// Says where the part of a strip on an output route goes, beside the route itself, from the next `process` on. It is
  /// added there after all gains of the strip and before what is done to the sum (the limiter). Wait-free.
  ///
  /// - Parameters:
  ///   - first: The left channel, or the only one of a route with one port: as many samples as a cycle has frames.
  ///   - second: The right channel.
  ///   - strip, route: Must be within a capacity with `hasStems`; else nothing happens.
  @_noLocks @_noAllocation
  public func setStem(
    _ first: UnsafeMutablePointer<Float>?, _ second: UnsafeMutablePointer<Float>?, ofStrip strip: Int,
    onRoute route: Int
  ) {
    let capacity = state.pointee.capacity
    guard let stems = state.pointee.stems, strip >= 0 && strip < capacity.strips else { return }
    guard route >= 0 && route < capacity.outputRoutes else { return }
    stems[route &* capacity.strips &+ strip] = BufferPair(first, second)
  }

  /// Where the part of a strip on a route goes, if somebody wants it.
  @_noLocks @_noAllocation
  func stem(ofStrip index: Int, onRoute route: Int) -> BufferPair? {
    guard let stems = state.pointee.stems else { return nil }
    var stem = stems[route &* state.pointee.capacity.strips &+ index]
    if stem.first == nil { return nil }
    // What has no place of its own goes where nobody looks.
    if stem.second == nil { stem.second = state.pointee.scratch }
    return stem
  }
}
