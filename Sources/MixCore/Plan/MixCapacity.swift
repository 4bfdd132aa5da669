/// What a mixer has room for. It is fixed when the mixer is made, because all memory is set aside then.
public struct MixCapacity: Hashable, Sendable {
  /// Sessions that can be open at once, 1…1024.
  public var strips: Int
  /// Output routes, 1…64.
  public var outputRoutes: Int
  /// Input routes, 1…64.
  public var inputRoutes: Int
  /// The longest period in frames, 1…8192.
  public var framesPerCycle: Int
  /// Timed changes that can be waiting for their frame, 16…65536. A publication takes one for each strip and route
  /// that it changes.
  public var timedChanges: Int
  /// Whether the part of a strip on a route can be had by itself (`MixEngine.setStem`); only offline somebody wants it.
  public var hasStems: Bool

  /// The most ports that a route can have.
  public static let channelsPerRoute = 32

  /// A capacity. Values out of range are moved to the nearest one in it.
  public init(
    strips: Int = 1024, outputRoutes: Int = 64, inputRoutes: Int = 64, framesPerCycle: Int = 8192,
    timedChanges: Int = 4096, hasStems: Bool = false
  ) {
    self.hasStems = hasStems
    self.strips = min(max(strips, 1), 1024)
    self.outputRoutes = min(max(outputRoutes, 1), 64)
    self.inputRoutes = min(max(inputRoutes, 1), 64)
    self.framesPerCycle = min(max(framesPerCycle, 1), 8192)
    self.timedChanges = min(max(timedChanges, 16), 65536)
  }

  /// Words of 64 bits that hold one bit for each strip.
  var stripWords: Int { (strips + 63) / 64 }
}
