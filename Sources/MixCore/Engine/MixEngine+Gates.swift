import Synchronization

// What a change of the plan does to the gains of a strip.

extension MixEngine {
  /// Lets everything that was noted on a frame come into force together: first who ducks, then whoever is ducked, then
  /// what opens and closes.
  @_noLocks @_noAllocation
  func settle(at frame: UInt64) {
    retargetDucks(at: frame)
    let changed = state.pointee.changedStrips
    forEachMember(of: changed) { settle(strip: $0, at: frame) }
    var word = 0
    while word < state.pointee.stripWords {
      changed[word] = 0
      word &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func settle(strip index: Int, at frame: UInt64) {
    let strip = state.pointee.strips + index
    let settings = strip.pointee.settings
    if !settings.isOpen {
      forEachBit(of: strip.pointee.liveRoutes) { silence(index, onRoute: $0) }
      strip.pointee.microphone.snap(to: 0)
      return
    }
    if isSilent(index, at: frame) {
      // What nobody hears takes its targets at once.
      strip.pointee.volume.snap(to: settings.volume)
      strip.pointee.left.snap(to: settings.left)
      strip.pointee.right.snap(to: settings.right)
    } else {
      strip.pointee.volume.move(to: settings.volume, at: frame, over: settings.volumeFade)
      strip.pointee.left.move(to: settings.left, at: frame, over: settings.volumeFade)
      strip.pointee.right.move(to: settings.right, at: frame, over: settings.volumeFade)
      if strip.pointee.way != settings.way { restartLevels(of: index, at: frame) }
      if strip.pointee.gateWay != settings.gateWay { restartGates(of: index, at: frame) }
    }
    strip.pointee.way = settings.way
    strip.pointee.gateWay = settings.gateWay
    strip.pointee.microphone.move(
      to: settings.isMicrophoneOpen ? 1 : 0, at: frame, over: settings.microphoneFade)
    if !settings.isMicrophoneOpen { strip.pointee.microphone.hurry(at: frame, over: settings.microphoneFade) }
    let open = settings.openRoutes & state.pointee.availableRoutes
    forEachBit(of: open | strip.pointee.liveRoutes) { route in
      settle(strip: index, onRoute: route, isOpen: open & (1 << UInt64(route)) != 0, at: frame)
    }
  }

  @_noLocks @_noAllocation
  private func settle(strip index: Int, onRoute route: Int, isOpen: Bool, at frame: UInt64) {
    let strip = state.pointee.strips + index
    let pair = pair(index, route)
    let master = masterVolume(of: index, onRoute: route)
    if isClosed(index, onRoute: route, at: frame) {
      pair.pointee.gate.snap(to: 0)
      pair.pointee.master.snap(to: master)
      snapDuck(of: index, onRoute: route)
    } else {
      pair.pointee.master.move(to: master, at: frame, over: strip.pointee.settings.volumeFade)
      moveDuck(of: index, onRoute: route, at: frame)
    }
    pair.pointee.gate.move(to: isOpen ? 1 : 0, at: frame, over: strip.pointee.settings.gateFade)
    if !isOpen { pair.pointee.gate.hurry(at: frame, over: strip.pointee.settings.gateFade) }
    if isOpen {
      strip.pointee.liveRoutes |= 1 << UInt64(route)
      insert(index, into: state.pointee.liveStrips)
      insert(index, into: liveStrips(onRoute: route))
    }
  }

  /// Lets the levels that are on their way start anew.
  @_noLocks @_noAllocation
  private func restartLevels(of index: Int, at frame: UInt64) {
    let strip = state.pointee.strips + index
    let settings = strip.pointee.settings
    strip.pointee.volume.restart(to: settings.volume, at: frame, over: settings.volumeFade)
    strip.pointee.left.restart(to: settings.left, at: frame, over: settings.volumeFade)
    strip.pointee.right.restart(to: settings.right, at: frame, over: settings.volumeFade)
  }

  /// Lets the gates that are on their way to be open start anew.
  @_noLocks @_noAllocation
  private func restartGates(of index: Int, at frame: UInt64) {
    let settings = state.pointee.strips[index].settings
    forEachBit(of: state.pointee.strips[index].liveRoutes & settings.openRoutes) { route in
      pair(index, route).pointee.gate.restart(to: 1, at: frame, over: settings.gateFade)
    }
  }

  /// Takes a strip from a route, at once.
  @_noLocks @_noAllocation
  func silence(_ index: Int, onRoute route: Int) {
    let strip = state.pointee.strips + index
    noteChange()
    pair(index, route).pointee.gate.snap(to: 0)
    remove(index, from: liveStrips(onRoute: route))
    strip.pointee.liveRoutes &= ~(1 << UInt64(route))
    if strip.pointee.liveRoutes != 0 { return }
    remove(index, from: state.pointee.liveStrips)
    state.pointee.stripLevels[index].gain.store(0, ordering: .relaxed)
    state.pointee.stripMeters[index].duck.store(Float(1).bitPattern, ordering: .relaxed)
  }

  /// Whether the gate of a strip on a route is closed for good, until it is opened again.
  @_noLocks @_noAllocation
  func isClosed(_ index: Int, onRoute route: Int, at frame: UInt64) -> Bool {
    if state.pointee.strips[index].liveRoutes & (1 << UInt64(route)) == 0 { return true }
    let gate = pair(index, route).pointee.gate
    return gate.target == 0 && !gate.isMoving(at: frame)
  }

  @_noLocks @_noAllocation
  private func isSilent(_ index: Int, at frame: UInt64) -> Bool {
    var isSilent = true
    forEachBit(of: state.pointee.strips[index].liveRoutes) { route in
      if !isClosed(index, onRoute: route, at: frame) { isSilent = false }
    }
    return isSilent
  }

  /// The volume that governs a strip on a route: the ringer or the system volume there.
  @_noLocks @_noAllocation
  private func masterVolume(of index: Int, onRoute route: Int) -> Float {
    state.pointee.strips[index].settings.followsRinger
      ? state.pointee.host.ringer : state.pointee.outputs[route].settings.volume
  }

  /// Moves the governing volume of all strips that follow the ringer, or a system volume, on some routes.
  @_noLocks @_noAllocation
  func moveMasters(ofRinger: Bool, routes: UInt64, at frame: UInt64, over fade: UInt32, isRestart: Bool) {
    forEachBit(of: routes & state.pointee.availableRoutes) { route in
      forEachMember(of: liveStrips(onRoute: route)) { index in
        if state.pointee.strips[index].settings.followsRinger == ofRinger {
          let master = masterVolume(of: index, onRoute: route)
          if isRestart {
            pair(index, route).pointee.master.restart(to: master, at: frame, over: fade)
          } else {
            pair(index, route).pointee.master.move(to: master, at: frame, over: fade)
          }
        }
      }
    }
  }
}
