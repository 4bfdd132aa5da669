import Synchronization

// How the plan comes into force: what it says becomes the targets of ramps.

extension MixEngine {
  /// Takes the newest plan and applies what is new in it: every ramp starts from what was heard last, the frame before
  /// the cycle, so that the first frame of the cycle is its first step.
  @_noLocks @_noAllocation @inline(__always)
  func takePlan() {
    let index = state.pointee.shared.pointee.exchange.take(insteadOf: state.pointee.reading)
    if index != state.pointee.reading { takePlan(inSlot: index) }
  }

  @_noLocks @_noAllocation @inline(never)
  private func takePlan(inSlot index: Int) {
    state.pointee.reading = index
    noteChange()
    let slot = state.pointee.slots + index
    let seen = state.pointee.seenSequence
    let lastFrame = max(state.pointee.frame, 1) &- 1
    if slot.pointee.hostVersion > state.pointee.hostVersion {
      state.pointee.hostVersion = slot.pointee.hostVersion
      apply(slot.pointee.host, at: lastFrame)
    }
    if slot.pointee.inputsVersion > seen { takeInputs(of: slot, at: lastFrame) }
    if slot.pointee.outputsVersion > seen { takeOutputs(of: slot, at: lastFrame) }
    takeStrips(of: slot, newerThan: seen)
    state.pointee.seenSequence = slot.pointee.sequence
    settle(at: lastFrame)
  }

  @_noLocks @_noAllocation
  private func takeInputs(of slot: UnsafeMutablePointer<PlanSlot>, at frame: UInt64) {
    var index = 0
    while index < state.pointee.capacity.inputRoutes {
      let version = slot.pointee.inputVersions[index]
      if version > state.pointee.inputs[index].version {
        state.pointee.inputs[index].version = version
        apply(slot.pointee.inputs[index], toInput: index, at: frame)
      }
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func takeOutputs(of slot: UnsafeMutablePointer<PlanSlot>, at frame: UInt64) {
    var index = 0
    while index < state.pointee.capacity.outputRoutes {
      let version = slot.pointee.outputVersions[index]
      if version > state.pointee.outputs[index].version {
        state.pointee.outputs[index].version = version
        apply(slot.pointee.outputs[index], toOutput: index, at: frame)
      }
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func takeStrips(of slot: UnsafeMutablePointer<PlanSlot>, newerThan seen: UInt64) {
    var group = 0
    while group < state.pointee.stripWords {
      if slot.pointee.groupVersions[group] > seen {
        var index = group &* 64
        let end = min(index &+ 64, state.pointee.capacity.strips)
        while index < end {
          let version = slot.pointee.stripVersions[index]
          if version > state.pointee.strips[index].version {
            state.pointee.strips[index].version = version
            apply(slot.pointee.strips + index, toStrip: index, at: state.pointee.frame)
          }
          index &+= 1
        }
      }
      group &+= 1
    }
  }
}

// Timed changes.
extension MixEngine {
  @_noLocks @_noAllocation
  func timedChange(_ index: UInt64) -> UnsafeMutablePointer<TimedChange> {
    state.pointee.timeline + Int(index % UInt64(state.pointee.capacity.timedChanges))
  }

  private var timelineEnd: UInt64 {
    @_noLocks @_noAllocation get { state.pointee.slots[state.pointee.reading].timelineEnd }
  }

  /// The frame of the next timed change, or the end of time.
  var nextTimedChange: UInt64 {
    @_noLocks @_noAllocation @inline(__always) get {
      state.pointee.timelineRead == timelineEnd ? .max : timedChange(state.pointee.timelineRead).pointee.frame
    }
  }

  var hasTimedChangeInCycle: Bool {
    @_noLocks @_noAllocation @inline(__always) get {
      nextTimedChange < state.pointee.frame &+ UInt64(bitPattern: Int64(state.pointee.frames))
    }
  }

  /// Visits the timed changes that fall into this cycle, in order.
  @_noLocks @_noAllocation
  func forEachTimedChangeInCycle(_ body: (UnsafeMutablePointer<TimedChange>) -> Void) {
    let end = state.pointee.frame &+ UInt64(bitPattern: Int64(state.pointee.frames))
    var index = state.pointee.timelineRead
    while index != timelineEnd && timedChange(index).pointee.frame < end {
      body(timedChange(index))
      index &+= 1
    }
  }

  /// Applies the timed changes up to and at a frame.
  @_noLocks @_noAllocation
  func applyTimedChanges(until frame: UInt64) {
    if nextTimedChange > frame { return }
    noteChange()
    while nextTimedChange <= frame {
      let change = timedChange(state.pointee.timelineRead)
      if change.pointee.frame < state.pointee.frame {
        state.pointee.shared.pointee.lateChanges.advance(by: 1)
      }
      apply(change, at: frame)
      state.pointee.timelineRead &+= 1
    }
    settle(at: frame)
    state.pointee.shared.pointee.timelineRead.store(state.pointee.timelineRead, ordering: .releasing)
  }

  @_noLocks @_noAllocation
  private func apply(_ change: UnsafeMutablePointer<TimedChange>, at frame: UInt64) {
    let index = Int(change.pointee.index)
    let sequence = change.pointee.sequence
    switch change.pointee.subject {
    case .strip:
      state.pointee.strips[index].version = sequence
      withUnsafeMutablePointer(to: &change.pointee.strip) { apply($0, toStrip: index, at: frame) }
    case .output:
      state.pointee.outputs[index].version = sequence
      apply(change.pointee.output, toOutput: index, at: frame)
    case .input:
      state.pointee.inputs[index].version = sequence
      apply(change.pointee.input, toInput: index, at: frame)
    case .host:
      state.pointee.hostVersion = sequence
      apply(change.pointee.host, at: frame)
    }
  }
}

// One thing each.
extension MixEngine {
  @_noLocks @_noAllocation
  private func apply(_ settings: HostSettings, at frame: UInt64) {
    let isRestart = settings.ringerWay != state.pointee.host.ringerWay
    let hasRingerChanged = isRestart || settings.ringer != state.pointee.host.ringer
    state.pointee.host = settings
    state.pointee.hostGate.move(to: settings.isOpen ? 1 : 0, at: frame, over: settings.openFade)
    if hasRingerChanged {
      moveMasters(ofRinger: true, routes: .max, at: frame, over: settings.ringerFade, isRestart: isRestart)
    }
  }

  @_noLocks @_noAllocation
  private func apply(_ settings: InputRouteSettings, toInput index: Int, at frame: UInt64) {
    let input = state.pointee.inputs + index
    let wasAvailable = input.pointee.settings.isAvailable
    input.pointee.settings = settings
    if wasAvailable {
      input.pointee.trim.move(to: settings.trim, at: frame, over: settings.trimFade)
    } else {
      input.pointee.trim.snap(to: settings.trim)
    }
    if settings.isAvailable != wasAvailable { selectInput(at: frame) }
  }

  @_noLocks @_noAllocation
  private func apply(_ settings: OutputRouteSettings, toOutput index: Int, at frame: UInt64) {
    let output = state.pointee.outputs + index
    let old = output.pointee.settings
    output.pointee.settings = settings
    let bit: UInt64 = 1 << UInt64(index)
    setLimiter(ofOutput: index)
    noteLoudness(ofOutput: index)
    if settings.isAvailable == old.isAvailable {
      let isRestart = settings.way != old.way
      if isRestart {
        output.pointee.trim.restart(to: settings.trim, at: frame, over: settings.volumeFade)
      } else {
        output.pointee.trim.move(to: settings.trim, at: frame, over: settings.volumeFade)
      }
      if isRestart || settings.volume != old.volume {
        moveMasters(ofRinger: false, routes: bit, at: frame, over: settings.volumeFade, isRestart: isRestart)
      }
      return
    }
    output.pointee.trim.snap(to: settings.trim)
    if settings.isAvailable {
      state.pointee.availableRoutes |= bit
      var strip = 0
      while strip < state.pointee.capacity.strips {
        if state.pointee.strips[strip].settings.openRoutes & bit != 0 {
          insert(strip, into: state.pointee.changedStrips)
        }
        strip &+= 1
      }
    } else {
      // It is gone: nothing fades where nobody hears it.
      state.pointee.availableRoutes &= ~bit
      forEachMember(of: liveStrips(onRoute: index)) { silence($0, onRoute: index) }
    }
  }

  /// Sets the limiter; while a route is gone, what was in its delay goes too.
  @_noLocks @_noAllocation
  private func setLimiter(ofOutput index: Int) {
    let output = state.pointee.outputs + index
    let settings = output.pointee.settings
    output.pointee.limiter.set(ceiling: settings.ceiling, lookAhead: Int(settings.lookAhead))
    if !settings.isAvailable { output.pointee.limiter.restart() }
    let meter = state.pointee.outputMeters + index
    meter.pointee.latency.store(settings.lookAhead, ordering: .relaxed)
    if !settings.isAvailable { meter.pointee.limiterGain.store(Float(1).bitPattern, ordering: .relaxed) }
  }

  /// Notes what is wanted of a strip; `settle` makes it so.
  @_noLocks @_noAllocation
  private func apply(_ settings: UnsafeMutablePointer<StripSettings>, toStrip index: Int, at frame: UInt64) {
    noteUse(ofStrip: index)
    let strip = state.pointee.strips + index
    let formerRoutes = strip.pointee.settings.routes
    let formerDuck = strip.pointee.settings.duck
    let formerPriority = strip.pointee.settings.priority
    strip.pointee.settings = settings.pointee
    insert(index, into: state.pointee.changedStrips)
    noteSends(of: index)
    noteWatch(of: index, at: frame)
    noteLoudness(ofStrip: index)
    noteDucker(index, formerRoutes: formerRoutes, formerDuck: formerDuck, formerPriority: formerPriority, at: frame)
  }

  @_noLocks @_noAllocation
  func noteSends(of index: Int) {
    let strip = state.pointee.strips + index
    if strip.pointee.settings.sends.isEmpty {
      remove(index, from: state.pointee.sendingStrips)
      strip.pointee.sends = BufferPair()
    } else {
      insert(index, into: state.pointee.sendingStrips)
    }
  }
}
