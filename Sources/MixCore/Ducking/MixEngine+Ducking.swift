// Who ducks, and whom (policy §6).

extension MixEngine {
  /// Notes a strip as ducker or as none after its settings have changed, and the routes where that matters.
  @_noLocks @_noAllocation
  func noteDucker(
    _ index: Int, formerRoutes: UInt64, formerDuck: DuckSettings, formerPriority: Int16, at frame: UInt64
  ) {
    let strip = state.pointee.strips + index
    let settings = strip.pointee.settings
    let bit: UInt64 = 1 << UInt64(index % 64)
    let did = state.pointee.duckingStrips[index / 64] & bit != 0
    let does =
      settings.isOpen && settings.duck.isOfDuckerClass && settings.duck.isAllowed
      && (!settings.duck.waitsForSignal || strip.pointee.hasSignal)
    if does {
      insert(index, into: state.pointee.duckingStrips)
    } else {
      remove(index, from: state.pointee.duckingStrips)
    }
    noteMargins(of: index)
    markMargins(of: index, areDucking: does, at: frame)
    if did == does
      && (!does
        || (formerRoutes == settings.routes && formerPriority == settings.priority
          && formerDuck.depth == settings.duck.depth && formerDuck.attack == settings.duck.attack
          && formerDuck.release == settings.duck.release && formerDuck.keepsMargin == settings.duck.keepsMargin))
    {
      return
    }
    if did { state.pointee.changedDuckers |= formerRoutes }
    if does { state.pointee.changedDuckers |= settings.routes }
  }

  /// Looks again who ducks on the routes where that has changed, and moves everybody there to the new depth.
  @_noLocks @_noAllocation
  func retargetDucks(at frame: UInt64) {
    let routes = state.pointee.changedDuckers
    if routes == 0 { return }
    state.pointee.changedDuckers = 0
    noteChange()
    forEachBit(of: routes) { state.pointee.duckTables[$0].removeAll() }
    forEachMember(of: state.pointee.duckingStrips) { index in
      let settings = state.pointee.strips[index].settings
      forEachBit(of: settings.routes & routes) { route in
        let margin = marginDuck(of: index, onRoute: route)
        state.pointee.duckTables[route].insert(
          ducker: index, priority: settings.priority, depth: margin?.pointee.depth ?? settings.duck.depth,
          isGliding: margin != nil)
      }
    }
    forEachBit(of: routes) { route in
      state.pointee.duckTables[route].finish()
      forEachMember(of: liveStrips(onRoute: route)) { index in
        if isClosed(index, onRoute: route, at: frame) { return }
        moveDuck(of: index, onRoute: route, at: frame)
      }
    }
  }

  /// Ramps the duck of a strip on a route from where it is to what the duckers there want: down with the attack of the
  /// one that has the say now, up with the release of the one that had it. One that glides is followed from block to
  /// block, but never in greater steps than these times allow.
  @_noLocks @_noAllocation
  func moveDuck(of index: Int, onRoute route: Int, at frame: UInt64) {
    let settings = state.pointee.strips[index].settings
    let pair = pair(index, route)
    let deepest = state.pointee.duckTables[route].deepest(for: settings)
    let now = pair.pointee.duck.value(at: frame)
    let isDown = deepest.depth < now
    var fade = pair.pointee.release
    if deepest.ducker >= 0 {
      let ducker = state.pointee.strips[Int(deepest.ducker)].settings.duck
      if isDown { fade = ducker.attack }
      if deepest.isGliding {
        let longest = Float(isDown ? ducker.attack : ducker.release)
        fade = max(UInt32(truncatingIfNeeded: state.pointee.framesPerBlock), UInt32(longest * abs(deepest.depth - now)))
      }
      pair.pointee.release = ducker.release
    }
    if deepest.depth == pair.pointee.duck.target { return }
    pair.pointee.duck.move(to: deepest.depth, at: frame, over: fade)
  }

  /// Puts the duck of a strip that is not heard on a route at once where it belongs: who starts during a duck starts
  /// ducked (D4).
  @_noLocks @_noAllocation
  func snapDuck(of index: Int, onRoute route: Int) {
    let deepest = state.pointee.duckTables[route].deepest(for: state.pointee.strips[index].settings)
    let pair = pair(index, route)
    pair.pointee.duck.snap(to: deepest.depth)
    if deepest.ducker >= 0 {
      pair.pointee.release = state.pointee.strips[Int(deepest.ducker)].settings.duck.release
    }
  }
}
