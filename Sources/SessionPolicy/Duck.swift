/// When a session that may duck others does so (policy D1).
public enum DuckTrigger: String, CaseIterable, Sendable {
  case playing, active, signal
}

/// How far the others are turned down (policy D5).
public enum DuckStyle: String, CaseIterable, Sendable {
  /// By a fixed depth.
  case fixed
  /// By just as much as makes the ducker louder than all of them together by its margin.
  case margin
}

/// How a session ducks others, when it does (policy D5).
public struct DuckParameters: Hashable, Sendable {
  public var trigger = DuckTrigger.playing
  public var style = DuckStyle.fixed
  /// dB, −60…0.
  public var depth = -14.0
  /// Milliseconds, 1…5000.
  public var attack = 100.0
  /// Milliseconds, 0…10000: how long a signal counts as present after it was last above the threshold.
  public var hold = 500.0
  /// Milliseconds, 1…10000.
  public var release = 800.0
  /// dBFS, −80…0.
  public var threshold = -45.0
  /// LU, 0…40.
  public var margin = 10.0
  /// dB, −60…0: the deepest duck that `margin` may ask for.
  public var maxDepth = -40.0

  public init() {}
}
