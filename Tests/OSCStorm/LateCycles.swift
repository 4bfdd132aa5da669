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
  private(set) var isAlone = false

  init() {}

  init(from before: StormRig.Count, to after: StormRig.Count, isAlone: Bool) {
    own = after.ownXruns - before.ownXruns
    excused = after.excusedXruns - before.excusedXruns
    all = after.xruns - before.xruns
    stalls = after.stalls - before.stalls
    self.isAlone = isAlone
  }

  /// What should not be so; empty if all is well.
  var faults: [String] {
    // On a machine that is busy with others, some of the cycles that it loses were just with the daemon. Where it has nothing
    // else to do, in each of them it has to have stood still.
    guard isAlone ? own > excused : own * 4 > all else { return [] }
    return ["the daemon's audio thread was late \(own) times of \(all), in \(excused) of which the machine stood still"]
  }
}
