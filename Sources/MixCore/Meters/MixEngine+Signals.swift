import Synchronization

// Signals that duck (D1) and signals that activate (policy §9).

extension MixEngine {
  /// Listens for signals that duck, up to a frame, and returns the first frame at which one begins or ends, or that
  /// frame. The detectors of all are then at or behind what is returned, or know their next change.
  @_noLocks @_noAllocation
  func listenForDuckSignals(until limit: UInt64) -> UInt64 {
    var first = limit
    forEachMember(of: state.pointee.watchedStrips) { index in
      let strip = state.pointee.strips + index
      if !strip.pointee.ducksBySignal { return }
      if strip.pointee.nextSignalChange == .max {
        let duck = strip.pointee.settings.duck
        let rule = SignalDetector.Rule(
          threshold: duck.threshold, onset: 0, hold: duck.hold, sampleRate: state.pointee.sampleRate)
        if let change = strip.pointee.duckSignal.scan(
          state.pointee.stripBuffers[index], from: state.pointee.frame, until: limit, by: rule)
        {
          strip.pointee.nextSignalChange = change
        }
      }
      first = min(first, strip.pointee.nextSignalChange)
    }
    return first
  }

  /// Lets the signals that begin or end at a frame duck, or duck no more.
  @_noLocks @_noAllocation
  func applyDuckSignals(at frame: UInt64) {
    var isChanged = false
    forEachMember(of: state.pointee.watchedStrips) { index in
      let strip = state.pointee.strips + index
      if strip.pointee.nextSignalChange > frame { return }
      strip.pointee.nextSignalChange = .max
      strip.pointee.hasSignal = strip.pointee.duckSignal.isPresent
      let settings = strip.pointee.settings
      noteDucker(
        index, formerRoutes: settings.routes, formerDuck: settings.duck, formerPriority: settings.priority, at: frame)
      isChanged = true
    }
    if isChanged { retargetDucks(at: frame) }
  }

  /// Listens for signals that activate, and tells the control side of all signals.
  @_noLocks @_noAllocation
  func publishSignals(end: UInt64) {
    forEachMember(of: state.pointee.watchedStrips) { index in
      let strip = state.pointee.strips + index
      let activation = strip.pointee.settings.activation
      if strip.pointee.isActivatedBySignal && !state.pointee.isOversized {
        let rule = SignalDetector.Rule(
          threshold: activation.threshold, onset: activation.onset, hold: activation.hold,
          sampleRate: state.pointee.sampleRate)
        while strip.pointee.activationSignal.scan(
          state.pointee.stripBuffers[index], from: state.pointee.frame, until: end, by: rule) != nil
        {}
      }
      let meter = state.pointee.stripMeters + index
      meter.pointee.activationSignal.store(strip.pointee.activationSignal.isPresent ? 1 : 0, ordering: .relaxed)
      meter.pointee.duckSignal.store(strip.pointee.hasSignal ? 1 : 0, ordering: .relaxed)
    }
  }

  /// Notes after a change of its settings whether a strip is watched. What begins to be watched begins without a signal.
  @_noLocks @_noAllocation
  func noteWatch(of index: Int, at frame: UInt64) {
    let strip = state.pointee.strips + index
    let settings = strip.pointee.settings
    let ducksBySignal = settings.isOpen && settings.duck.waitsForSignal && settings.duck.isAllowed
    let isActivated = settings.isOpen && settings.activation.isWatched
    if ducksBySignal != strip.pointee.ducksBySignal {
      strip.pointee.ducksBySignal = ducksBySignal
      strip.pointee.duckSignal.restart(at: frame)
      strip.pointee.nextSignalChange = .max
      strip.pointee.hasSignal = false
      state.pointee.stripMeters[index].duckSignal.store(0, ordering: .relaxed)
    }
    if isActivated != strip.pointee.isActivatedBySignal {
      strip.pointee.isActivatedBySignal = isActivated
      strip.pointee.activationSignal.restart(at: frame)
      state.pointee.stripMeters[index].activationSignal.store(0, ordering: .relaxed)
    }
    if ducksBySignal || isActivated {
      insert(index, into: state.pointee.watchedStrips)
    } else {
      remove(index, from: state.pointee.watchedStrips)
    }
  }
}
