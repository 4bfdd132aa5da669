import AddressSpace

/// What the daemon says of itself, as clients read it.
extension Daemon {
  func value(of figure: DaemonFigure) -> [Argument] {
    let counters = osc.counters
    let health = audio.health
    return switch figure {
    case .xruns: [.int(Int32(clamping: audio.xruns))]
    case .load: [.float(Float(audio.side?.client.load ?? 0))]
    case .period: [.int(Int32(clamping: audio.period))]
    case .rate: [.int(Int32(clamping: audio.rate))]
    case .jack: [.string(audio.isRunning && !service.serverStandsStill ? "running" : "lost")]
    case .uptime: [.float(Float(seconds.rounded(.down)))]
    case .oscReceived: [.int(Int32(clamping: counters.messages))]
    case .oscRefused: [.int(Int32(clamping: refusedMessages))]
    case .oscMalformed: [.int(Int32(clamping: counters.malformed))]
    case .oscDropped: [.int(Int32(clamping: counters.dropped + counters.refused + counters.droppedClients))]
    case .snapshots: [.int(Int32(clamping: audio.side?.mixer.planner.publishedSequence ?? 0))]
    case .lateCycles: [.int(Int32(clamping: health.lateCycles))]
    case .lostFrames: [.int(Int32(clamping: health.lostFrames))]
    case .lateChanges: [.int(Int32(clamping: health.lateChanges(on: audio.side)))]
    case .ownLoad: [.float(Float(health.load))]
    case .cycleTime:
      [
        .float(Float(health.cycleTime.half)), .float(Float(health.cycleTime.most)),
        .float(Float(health.cycleTime.longest)),
      ]
    case .pageFaults:
      [.int(Int32(clamping: health.thread.minorFaults)), .int(Int32(clamping: health.thread.majorFaults))]
    case .contextSwitches:
      [.int(Int32(clamping: health.thread.waits)), .int(Int32(clamping: health.thread.preemptions))]
    }
  }
}
