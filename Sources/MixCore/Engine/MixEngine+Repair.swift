import Synchronization

// Samples that are no finite numbers. Nobody looks for them as long as the sums are finite, for then there were none: a
// sum that is not shows that a strip had some, and is mixed again without them. From then on that strip is looked at
// before it is mixed, until it has been clean for a second, so that the repair is paid once.

extension MixEngine {
  /// Looks for bad samples in what is read before it is mixed, in the strips that had some, and in the input routes.
  @_noLocks @_noAllocation
  func inspectInputs() {
    if state.pointee.isOversized { return }
    let looksAtAll = measuresLoudness || state.pointee.stems != nil
    var word = 0
    while word < state.pointee.wordsInUse {
      var strips = state.pointee.listenedStrips[word]
      if !looksAtAll { strips &= state.pointee.watchedStrips[word] | state.pointee.suspectStrips[word] }
      if strips != 0 { forEachBit(of: strips) { inspect(strip: word &* 64 &+ $0) } }
      word &+= 1
    }
    forEachBit(of: state.pointee.heardInputs) { index in
      let input = state.pointee.inputs + index
      input.pointee.isScrubbed = !isFinite(input.pointee.buffers)
    }
  }

  /// Notes whether a strip has bad samples in this cycle, and counts them.
  @_noLocks @_noAllocation
  private func inspect(strip index: Int) {
    let strip = state.pointee.strips + index
    let buffers = state.pointee.stripBuffers[index]
    if isFinite(buffers) {
      strip.pointee.isScrubbed = false
      if isMember(index, of: state.pointee.suspectStrips)
        && state.pointee.frame &- strip.pointee.lastBad > UInt64(state.pointee.sampleRate)
      {
        remove(index, from: state.pointee.suspectStrips)
        noteChange()
      }
      return
    }
    strip.pointee.isScrubbed = true
    strip.pointee.lastBad = state.pointee.frame
    if !isMember(index, of: state.pointee.suspectStrips) {
      insert(index, into: state.pointee.suspectStrips)
      noteChange()
    }
    state.pointee.stripMeters[index].badSamples.wrappingAdd(countBadSamples(in: buffers), ordering: .relaxed)
  }

  /// Mixes the frames between two changes again on a route whose sum is no finite number, without the bad samples.
  @_noLocks @_noAllocation @inline(never)
  func repair(route: Int, from frame: UInt64, to end: UInt64) {
    let bit: UInt64 = 1 << UInt64(route)
    if state.pointee.inspectedRoutes & bit != 0 { return }
    state.pointee.inspectedRoutes |= bit
    if measuresLoudness || state.pointee.stems != nil { return }
    forEachMember(of: liveStrips(onRoute: route)) { index in
      if !isMember(index, of: state.pointee.suspectStrips) && !isMember(index, of: state.pointee.watchedStrips) {
        inspect(strip: index)
      }
    }
    let first = Int(truncatingIfNeeded: frame &- state.pointee.frame)
    let count = Int(truncatingIfNeeded: end &- frame)
    let output = state.pointee.outputs + route
    var channel = 0
    while channel < min(output.pointee.channels, 2) {
      if let buffer = output.pointee.buffers[channel] { (buffer + first).update(repeating: 0, count: count) }
      channel &+= 1
    }
    mix(route: route, from: frame, to: end)
  }

  /// Whether the bad samples of a route are known, so that what is still no finite number has left the range of numbers.
  @_noLocks @_noAllocation
  private func isInspected(_ route: Int) -> Bool {
    measuresLoudness || state.pointee.stems != nil || state.pointee.inspectedRoutes & (1 << UInt64(route)) != 0
  }

  /// Keeps the greatest amplitude of a strip, unless bad samples may have made it.
  @_noLocks @_noAllocation @inline(__always)
  func raisePeak(ofStrip index: Int, onRoute route: Int, to peak: UInt32) {
    if peak >= Loops.infinity && !isInspected(route) { return }
    state.pointee.stripLevels[index].peak.raise(to: peak)
  }

  /// As above, for a strip that is mixed with others of its route.
  @_noLocks @_noAllocation @inline(__always)
  func raisePeak(ofStrip index: Int, to peak: UInt32, in span: MixSpan) {
    if peak >= Loops.infinity && !isInspected(span.route) { return }
    span.levels[index].peak.raise(to: peak)
  }

  @_noLocks @_noAllocation
  private func isFinite(_ buffers: BufferPair) -> Bool {
    state.pointee.kernels.peak(of: buffers.first, buffers.second, count: state.pointee.frames) < Loops.infinity
  }

  @_noLocks @_noAllocation
  private func countBadSamples(in buffers: BufferPair) -> UInt64 {
    let frames = state.pointee.frames
    var bad = 0
    if let buffer = buffers.first { bad = Loops.scrub(buffer, into: state.pointee.scrubbed, count: frames) }
    if let buffer = buffers.second { bad &+= Loops.scrub(buffer, into: state.pointee.scrubbed, count: frames) }
    return UInt64(bitPattern: Int64(bad))
  }

  /// The samples of a part of the cycle, without bad ones.
  @_noLocks @_noAllocation
  func samples(_ buffers: BufferPair, isScrubbed: Bool, from first: Int, count: Int) -> BufferPair {
    var part = BufferPair()
    if let buffer = buffers.first { part.first = buffer + first }
    if let buffer = buffers.second { part.second = buffer + first }
    if !isScrubbed { return part }
    if let buffer = part.first {
      part.first = state.pointee.scrubbed
      _ = Loops.scrub(buffer, into: state.pointee.scrubbed, count: count)
    }
    if let buffer = part.second {
      let second = state.pointee.scrubbed + state.pointee.capacity.framesPerCycle
      part.second = second
      _ = Loops.scrub(buffer, into: second, count: count)
    }
    return part
  }
}
