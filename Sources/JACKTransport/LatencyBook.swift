/// The ways of sound through Eider, and what follows for the latencies of its ports.
struct LatencyBook {
  /// A way, by the handles of its ports.
  struct Path: Hashable {
    var sources: [UInt]
    var destinations: [UInt]
    let frames: UInt32
  }

  private(set) var paths: [Path] = []
  /// The ports that have ever been on a way, and still exist.
  private(set) var ports: Set<UInt> = []

  /// Replaces all ways.
  mutating func set(_ paths: [Path]) {
    self.paths = paths
    for path in paths { ports.formUnion(path.sources + path.destinations) }
  }

  /// A port goes: its handle may be another's next.
  mutating func forget(_ port: UInt) {
    guard ports.remove(port) != nil else { return }
    for index in paths.indices {
      paths[index].sources.removeAll { $0 == port }
      paths[index].destinations.removeAll { $0 == port }
    }
  }

  /// The latencies of one's own ports on one side, from those of the others: of outputs since sound was captured
  /// (`isCapture`), of inputs until it is played.
  ///
  /// - Parameter latency: what the server knows of a port on the other side by its connections.
  func latencies(isCapture: Bool, _ latency: (UInt) -> ClosedRange<UInt32>) -> [UInt: ClosedRange<UInt32>] {
    var result: [UInt: ClosedRange<UInt32>] = [:]
    for path in paths {
      let (near, far) = isCapture ? (path.destinations, path.sources) : (path.sources, path.destinations)
      guard let range = far.map(latency).reduce(nil, Self.hull) else { continue }
      let delayed = range.lowerBound &+ path.frames...range.upperBound &+ path.frames
      for port in near { result[port] = Self.hull(result[port], delayed) }
    }
    return result
  }

  private static func hull(_ first: ClosedRange<UInt32>?, _ second: ClosedRange<UInt32>) -> ClosedRange<UInt32> {
    first.map { min($0.lowerBound, second.lowerBound)...max($0.upperBound, second.upperBound) } ?? second
  }
}
