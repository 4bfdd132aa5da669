import Synchronization

// Loudness is measured only where somebody asks for it, two pairs of channels at a time.

extension MixEngine {
  /// Frames of scratch that each channel has while loudness is measured.
  static var loudnessChunk: Int {
    @_noLocks @_noAllocation get { 256 }
  }

  /// Whether anything is measured now.
  var measuresLoudness: Bool {
    @_noLocks @_noAllocation get { state.pointee.metersInUse > 0 }
  }

  /// The end of the block of loudness in which a frame lies: blocks lie on the clock, whatever the periods are.
  @_noLocks @_noAllocation
  func endOfBlock(after frame: UInt64) -> UInt64 {
    let length = UInt64(state.pointee.framesPerBlock)
    return (frame / length &+ 1) &* length
  }

  /// Notes after a change of its settings whether a strip is measured.
  @_noLocks @_noAllocation
  func noteLoudness(ofStrip index: Int) {
    let settings = state.pointee.strips[index].settings
    let isMeasured = settings.isOpen && settings.measuresLoudness
    let bit: UInt64 = 1 << UInt64(index % 64)
    if isMeasured == (state.pointee.measuredStrips[index / 64] & bit != 0) { return }
    if isMeasured {
      insert(index, into: state.pointee.measuredStrips)
      state.pointee.metersInUse &+= 1
    } else {
      remove(index, from: state.pointee.measuredStrips)
      state.pointee.metersInUse &-= 1
    }
    state.pointee.stripLoudness[index] = LoudnessMeter()
    state.pointee.stripMeters[index].meanSquare.store(0, ordering: .relaxed)
  }

  /// Notes after a change of its settings whether a route is measured.
  @_noLocks @_noAllocation
  func noteLoudness(ofOutput index: Int) {
    let settings = state.pointee.outputs[index].settings
    let isMeasured = settings.isAvailable && settings.measuresLoudness
    let bit: UInt64 = 1 << UInt64(index)
    if isMeasured == (state.pointee.measuredRoutes & bit != 0) { return }
    state.pointee.measuredRoutes ^= bit
    state.pointee.metersInUse &+= isMeasured ? 1 : -1
    state.pointee.outputLoudness[index] = LoudnessMeter()
    state.pointee.outputMeters[index].meanSquare.store(0, ordering: .relaxed)
  }

  /// Measures what sounds in the frames between two changes, which lie in one block; to be called before they are mixed.
  @_noLocks @_noAllocation
  func measureInputs(from frame: UInt64, to end: UInt64) {
    forEachChunk(from: frame, to: end) { start, stop in
      measureStrips(from: start, to: stop)
      measureMargins(from: start, to: stop)
    }
  }

  /// Measures what leaves in these frames, and ends the block; to be called when they are finished.
  @_noLocks @_noAllocation
  func measureOutputs(from frame: UInt64, to end: UInt64) {
    if state.pointee.measuredRoutes != 0 {
      forEachChunk(from: frame, to: end) { measureRoutes(from: $0, to: $1) }
    }
    if end % UInt64(state.pointee.framesPerBlock) == 0 {
      endBlocks()
      stepMargins(at: end)
    }
  }

  @_noLocks @_noAllocation
  private func forEachChunk(from frame: UInt64, to end: UInt64, _ body: (UInt64, UInt64) -> Void) {
    var start = frame
    while start < end {
      let stop = min(end, start &+ UInt64(Self.loudnessChunk))
      body(start, stop)
      start = stop
    }
  }

  /// Each measured strip as it sounds, after all gains, on the first route where it does.
  @_noLocks @_noAllocation
  private func measureStrips(from frame: UInt64, to end: UInt64) {
    let count = Int(truncatingIfNeeded: end &- frame)
    var waiting = -1
    forEachMember(of: state.pointee.measuredStrips) { index in
      let routes = state.pointee.strips[index].liveRoutes
      let meter = state.pointee.stripLoudness + index
      if routes == 0 && meter.pointee.isResting { return }
      let lane = clearLoudnessPair(waiting < 0 ? 0 : 1, count: count)
      if routes != 0 {
        meter.pointee.isResting = false
        _ = render(
          index, onRoute: routes.trailingZeroBitCount, isDucked: true, from: frame, to: end, into: lane, at: frame)
      }
      if waiting < 0 {
        waiting = index
      } else {
        weigh(state.pointee.stripLoudness + waiting, state.pointee.stripLoudness + index, count: count)
        waiting = -1
      }
    }
    if waiting >= 0 { weigh(state.pointee.stripLoudness + waiting, nil, count: count) }
  }

  /// Each measured route as it leaves.
  @_noLocks @_noAllocation
  private func measureRoutes(from frame: UInt64, to end: UInt64) {
    let count = Int(truncatingIfNeeded: end &- frame)
    let first = Int(truncatingIfNeeded: frame &- state.pointee.frame)
    var waiting = -1
    forEachBit(of: state.pointee.measuredRoutes & state.pointee.availableRoutes) { route in
      let output = state.pointee.outputs + route
      let lane = clearLoudnessPair(waiting < 0 ? 0 : 1, count: count)
      if output.pointee.channels > 0, let source = output.pointee.buffers[0], let target = lane.first {
        Loops.copy(source + first, to: target, count: count)
      }
      if output.pointee.channels > 1, let source = output.pointee.buffers[1], let target = lane.second {
        Loops.copy(source + first, to: target, count: count)
      }
      if waiting < 0 {
        waiting = route
      } else {
        weigh(state.pointee.outputLoudness + waiting, state.pointee.outputLoudness + route, count: count)
        waiting = -1
      }
    }
    if waiting >= 0 { weigh(state.pointee.outputLoudness + waiting, nil, count: count) }
  }

  /// One of the two pairs of channels that are weighed at once, with zeros in it.
  @_noLocks @_noAllocation
  func clearLoudnessPair(_ pair: Int, count: Int) -> BufferPair {
    let first = state.pointee.loudnessScratch + 2 &* pair &* Self.loudnessChunk
    let second = first + Self.loudnessChunk
    first.update(repeating: 0, count: count)
    second.update(repeating: 0, count: count)
    return BufferPair(first, second)
  }

  /// Filters the two pairs of channels, or the first alone, into their meters.
  @_noLocks @_noAllocation
  func weigh(_ first: UnsafeMutablePointer<LoudnessMeter>, _ second: UnsafeMutablePointer<LoudnessMeter>?, count: Int) {
    let scratch = state.pointee.loudnessScratch
    guard let second else {
      _ = clearLoudnessPair(1, count: count)
      var nobody = KWeighting.State()
      state.pointee.weighting.process(
        scratch, stride: Self.loudnessChunk, count: count, &first.pointee.filter, &nobody)
      return
    }
    state.pointee.weighting.process(
      scratch, stride: Self.loudnessChunk, count: count, &first.pointee.filter, &second.pointee.filter)
  }

  @_noLocks @_noAllocation
  private func endBlocks() {
    let frames = state.pointee.framesPerBlock
    forEachMember(of: state.pointee.measuredStrips) { index in
      state.pointee.stripLoudness[index].endBlock(frames: frames)
      if state.pointee.strips[index].liveRoutes == 0 { state.pointee.stripLoudness[index].rest() }
      let meanSquare = state.pointee.stripLoudness[index].momentary
      state.pointee.stripMeters[index].meanSquare.store(meanSquare.bitPattern, ordering: .relaxed)
    }
    forEachBit(of: state.pointee.measuredRoutes) { route in
      state.pointee.outputLoudness[route].endBlock(frames: frames)
      let meanSquare = state.pointee.outputLoudness[route].momentary
      state.pointee.outputMeters[route].meanSquare.store(meanSquare.bitPattern, ordering: .relaxed)
    }
  }
}
