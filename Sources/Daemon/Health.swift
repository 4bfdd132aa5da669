import JACKTransport

/// How the audio thread fares, over the last minute and over all servers so far. Control thread only.
struct Health {
  /// Seconds between two looks, and over how many of them cycles are judged.
  private static let (interval, window) = (1.0, 60)

  /// Reports of the present server, the newest last.
  private var reports: [CycleReport] = []
  private var lastLook = -Double.infinity
  /// Of the servers that are gone.
  private var former = (lateCycles: UInt64(0), lostFrames: UInt64(0), lateChanges: UInt64(0))
  /// How much of the time Eider's own cycles take, in per cent, over the last second.
  private(set) var load = 0.0
  /// What the system says of the audio thread.
  private(set) var thread = AudioThreadReport()

  /// Looks at what was counted, if it is time.
  mutating func look(at side: AudioSide, seconds: Double) {
    guard lastLook + Self.interval <= seconds else { return }
    let elapsed = (seconds - lastLook) * 1e9
    lastLook = seconds
    let report = side.client.takeCycleReport()
    if let last = reports.last { load = 100 * Double(report.busy - last.busy) / elapsed }
    reports.append(report)
    if reports.count > Self.window + 1 { reports.removeFirst() }
    thread = side.client.audioThread ?? thread
  }

  /// The server is gone: what was counted on it stays, what was measured does not.
  mutating func end(_ side: AudioSide) {
    let report = side.client.takeCycleReport()
    former.lateCycles += report.lateCycles
    former.lostFrames += report.lostFrames
    former.lateChanges += side.mixer.meters.lateChanges
    (reports, load, lastLook) = ([], 0, -.infinity)
    thread = AudioThreadReport()
  }

  /// Cycles that came too late, Eider being the late one.
  var lateCycles: UInt64 { former.lateCycles + (reports.last?.lateCycles ?? 0) }

  /// Frames that went by without a cycle of Eider's.
  var lostFrames: UInt64 { former.lostFrames + (reports.last?.lostFrames ?? 0) }

  /// Timed changes that came too late for their frame, up to now.
  func lateChanges(on side: AudioSide?) -> UInt64 { former.lateChanges + (side?.mixer.meters.lateChanges ?? 0) }

  /// What half of the cycles of the last minute stayed below, what 99 of 100 did, and the longest: microseconds.
  var cycleTime: (half: Double, most: Double, longest: Double) {
    guard let first = reports.first, let last = reports.last else { return (0, 0, 0) }
    func microseconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1000 }
    return (
      microseconds(last.length(below: 0.5, since: first)), microseconds(last.length(below: 0.99, since: first)),
      microseconds(reports.dropFirst().map(\.longest).max() ?? 0)
    )
  }
}
