import Synchronization

// Ducking by a margin of loudness (D5): what the voice and all that it ducks sound like on each route decides.

/// One ducker on one route. Audio thread only.
struct MarginDuck {
  /// Index of the strip that ducks, or −1 where this place is free.
  var ducker: Int32 = -1
  var route: Int32 = 0
  /// The ducker as it sounds on the route.
  var voice = LoudnessMeter()
  /// All that it ducks there together, before this.
  var others = LoudnessMeter()
  var control = MarginControl()
  /// A position: how far the others are turned down.
  var depth: Float = 1
  var isDucking = false
  /// When it last ducked no more.
  var end: UInt64 = 0

  @_noLocks @_noAllocation
  init() {}
}

extension MixEngine {
  /// Duckers on routes for which loudness can be measured at once. Those beyond turn the others down to their `depth`.
  static var marginCapacity: Int {
    @_noLocks @_noAllocation get { 64 }
  }

  /// The place of a ducker on a route, if it has one.
  @_noLocks @_noAllocation
  func marginDuck(of ducker: Int, onRoute route: Int) -> UnsafeMutablePointer<MarginDuck>? {
    if !state.pointee.strips[ducker].settings.duck.keepsMargin { return nil }
    var rest = state.pointee.ownedMargins
    while rest != 0 {
      let place = state.pointee.margins + rest.trailingZeroBitCount
      if place.pointee.ducker == Int32(truncatingIfNeeded: ducker) && place.pointee.route == route { return place }
      rest &= rest &- 1
    }
    return nil
  }

  /// Notes after a change of its settings where the loudness of a ducker is measured: as long as it may duck. Its place
  /// is kept for the next time, if nobody else needs it.
  @_noLocks @_noAllocation
  func noteMargins(of index: Int) {
    let settings = state.pointee.strips[index].settings
    let isMargin = settings.isOpen && settings.duck.isOfDuckerClass && settings.duck.keepsMargin
    let bit: UInt64 = 1 << UInt64(index % 64)
    if !isMargin && state.pointee.marginStrips[index / 64] & bit == 0 { return }
    if isMargin {
      insert(index, into: state.pointee.marginStrips)
    } else {
      remove(index, from: state.pointee.marginStrips)
    }
    var missing = isMargin && settings.duck.isAllowed ? settings.routes : 0
    forEachBit(of: state.pointee.ownedMargins) { place in
      let margin = state.pointee.margins + place
      if margin.pointee.ducker != Int32(truncatingIfNeeded: index) { return }
      let route: UInt64 = 1 << UInt64(margin.pointee.route)
      setMargin(place, isActive: missing & route != 0)
      missing &= ~route
      if !isMargin || settings.routes & route == 0 { state.pointee.ownedMargins &= ~(1 << UInt64(place)) }
    }
    forEachBit(of: missing) { claimMargin(for: index, onRoute: $0) }
    if !isMargin { state.pointee.stripMeters[index].marginReduction.store(0, ordering: .relaxed) }
  }

  @_noLocks @_noAllocation
  private func claimMargin(for index: Int, onRoute route: Int) {
    let free = ~state.pointee.ownedMargins
    let idle = ~state.pointee.activeMargins
    if idle == 0 { return }
    let place = (free != 0 ? free : idle).trailingZeroBitCount
    state.pointee.ownedMargins |= 1 << UInt64(place)
    let margin = state.pointee.margins + place
    margin.pointee = MarginDuck()
    margin.pointee.ducker = Int32(truncatingIfNeeded: index)
    margin.pointee.route = Int32(truncatingIfNeeded: route)
    setMargin(place, isActive: true)
  }

  @_noLocks @_noAllocation
  private func setMargin(_ place: Int, isActive: Bool) {
    let bit: UInt64 = 1 << UInt64(place)
    if isActive == (state.pointee.activeMargins & bit != 0) { return }
    state.pointee.activeMargins ^= bit
    state.pointee.metersInUse &+= isActive ? 1 : -1
    state.pointee.margins[place].voice = LoudnessMeter()
    state.pointee.margins[place].others = LoudnessMeter()
  }

  /// Begins and ends the ducking of a strip by margin. It begins where the last one has left the others.
  @_noLocks @_noAllocation
  func markMargins(of index: Int, areDucking: Bool, at frame: UInt64) {
    forEachBit(of: state.pointee.ownedMargins) { place in
      let margin = state.pointee.margins + place
      if margin.pointee.ducker != Int32(truncatingIfNeeded: index) || margin.pointee.isDucking == areDucking { return }
      margin.pointee.isDucking = areDucking
      if !areDucking {
        margin.pointee.end = frame
        return
      }
      let release = Float(state.pointee.strips[index].settings.duck.release)
      let passed = min(1, Float(frame &- margin.pointee.end) / release)
      let depth = margin.pointee.depth + (1 - margin.pointee.depth) * passed
      margin.pointee.depth = depth
      margin.pointee.control.begin(at: Logarithms.decibels(position: depth))
    }
  }

  /// Measures voices and what they duck, in frames of one block that are not mixed yet.
  @_noLocks @_noAllocation
  func measureMargins(from frame: UInt64, to end: UInt64) {
    let count = Int(truncatingIfNeeded: end &- frame)
    forEachBit(of: state.pointee.activeMargins) { place in
      let margin = state.pointee.margins + place
      let (ducker, route) = (Int(margin.pointee.ducker), Int(margin.pointee.route))
      let voice = clearLoudnessPair(0, count: count)
      let others = clearLoudnessPair(1, count: count)
      _ = render(ducker, onRoute: route, isDucked: true, from: frame, to: end, into: voice, at: frame)
      let settings = state.pointee.strips[ducker].settings
      forEachMember(of: liveStrips(onRoute: route)) { index in
        if index == ducker || !state.pointee.strips[index].settings.isDucked(by: settings) { return }
        _ = render(index, onRoute: route, isDucked: false, from: frame, to: end, into: others, at: frame)
      }
      weigh(&margin.pointee.voice, &margin.pointee.others, count: count)
    }
  }

  /// Ends a block: decides anew, and moves everybody to what was decided.
  @_noLocks @_noAllocation
  func stepMargins(at frame: UInt64) {
    if state.pointee.activeMargins == 0 { return }
    let frames = state.pointee.framesPerBlock
    forEachBit(of: state.pointee.activeMargins) { place in
      let margin = state.pointee.margins + place
      let (ducker, route) = (Int(margin.pointee.ducker), Int(margin.pointee.route))
      margin.pointee.voice.endBlock(frames: frames)
      margin.pointee.others.endBlock(frames: frames)
      let strip = state.pointee.strips + ducker
      let position =
        strip.pointee.volume.value(at: frame) * pair(ducker, route).pointee.master.value(at: frame)
        * state.pointee.outputs[route].trim.value(at: frame)
      margin.pointee.control.step(
        voice: margin.pointee.voice, others: margin.pointee.others, volume: Double(position * position * position),
        isDucking: margin.pointee.isDucking,
        by: MarginControl.Rule(strip.pointee.settings.duck, framesPerBlock: frames))
      if !margin.pointee.isDucking { return }
      let depth = Logarithms.position(decibels: margin.pointee.control.level)
      if depth == margin.pointee.depth { return }
      margin.pointee.depth = depth
      state.pointee.changedDuckers |= 1 << UInt64(route)
    }
    retargetDucks(at: frame)
    publishMargins()
  }

  /// Tells the control side what each of these duckers asks for: the deepest over its routes.
  @_noLocks @_noAllocation
  private func publishMargins() {
    forEachMember(of: state.pointee.marginStrips) { index in
      var deepest = 0.0
      forEachBit(of: state.pointee.activeMargins) { place in
        let margin = state.pointee.margins + place
        if margin.pointee.ducker == Int32(truncatingIfNeeded: index) && margin.pointee.isDucking {
          deepest = min(deepest, margin.pointee.control.level)
        }
      }
      state.pointee.stripMeters[index].marginReduction.store(Float(deepest).bitPattern, ordering: .relaxed)
    }
  }
}
