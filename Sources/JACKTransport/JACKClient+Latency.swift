/// A way of sound through Eider: what comes in at some ports goes out at others.
public struct LatencyPath: Hashable {
  /// Inputs of Eider's.
  public let sources: [OwnPort]
  /// Outputs of Eider's.
  public let destinations: [OwnPort]
  /// Frames that the sound takes within Eider, beyond the cycle that it comes in.
  public let frames: Int

  public init(from sources: [OwnPort], to destinations: [OwnPort], frames: Int) {
    self.sources = sources
    self.destinations = destinations
    self.frames = frames
  }
}

extension JACKClient {
  /// Says which ways sound goes through Eider now. From them, and from the latencies of the ports beyond, follow those of
  /// one's own ports; a port on no way has none.
  public func setPaths(_ paths: [LatencyPath]) {
    guard !isServerGone, !isClosed else { return }
    listener.setPaths(paths)
    // Each change of the graph has the server ask, and so does the start of the cycles.
    if isActive { Libjack.recomputeLatencies(handle) }
  }
}
