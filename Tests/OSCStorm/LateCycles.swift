/// Cycles that a server has lost, and whether that was the daemon's own fault.
public struct LateCycles: Sendable {
  /// How often the server had to give up the daemon's audio thread while that was running.
  public var own = 0
  /// How often of these the machine stood still just then.
  public var excused = 0
  /// How often it was late with a cycle, whoever was to blame.
  public var all = 0
  /// How often one of the machine's processors stood still meanwhile.
  public var stalls = 0
  /// Whether the machine has nothing else to do.
  public var isAlone = false

  public init() {}

  /// Counts late cycles of the daemon's own, with which the machine stood still.
  ///
  /// - Parameters:
  ///   - own: when the server told of each, in seconds.
  ///   - stalls: when the machine stood still, in seconds.
  ///   - cycle: how long a cycle is, in seconds. A machine that stood still is to blame for the one that was lost, and for that
  ///     before it, which may have begun late; and it takes some milliseconds until the server has told of it.
  public static func excused(_ own: [Double], by stalls: [ClosedRange<Double>], cycle: Double) -> Int {
    let blame = 0.01 + 2 * cycle
    return own.count { told in stalls.contains { $0.overlaps(told - blame...told) } }
  }

  init(from before: StormRig.Count, to after: StormRig.Count, isAlone: Bool) {
    own = after.ownXruns - before.ownXruns
    excused = after.excusedXruns - before.excusedXruns
    all = after.xruns - before.xruns
    stalls = after.stalls - before.stalls
    self.isAlone = isAlone
  }

  /// What should not be so; empty if all is well.
  public var faults: [String] {
    // On a machine that is busy with others, some of the cycles that it loses were just with the daemon. Where it has nothing
    // else to do, it has to have stood still in each of them, and each time costs one at most.
    guard own * 4 > all || isAlone && own > min(excused, stalls) else { return [] }
    return [
      "the daemon's audio thread was late \(own) times of \(all), in \(excused) of which the machine stood still, "
        + "as it did \(stalls) times"
    ]
  }
}
