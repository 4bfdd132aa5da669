import Synchronization

// What is done to a route after everything is mixed, and what is told about it.

extension MixEngine {
  /// Finishes every route: replaces sums that have left the range of numbers, measures the peak and repeats the pair on
  /// the other ports.
  @_noLocks @_noAllocation
  func finishOutputs() {
    if state.pointee.isOversized { return }
    forEachBit(of: state.pointee.availableRoutes) { route in
      let output = state.pointee.outputs + route
      let channels = output.pointee.channels
      var peak: UInt32 = 0
      var channel = 0
      while channel < min(channels, 2) {
        if let buffer = output.pointee.buffers[channel] { peak = max(peak, finish(buffer)) }
        channel &+= 1
      }
      while channel < channels {
        if let source = output.pointee.buffers[channel % 2], let buffer = output.pointee.buffers[channel] {
          MixKernels.copy(source, to: buffer, count: state.pointee.frames)
        }
        channel &+= 1
      }
      state.pointee.outputMeters[route].peak.raise(to: peak)
    }
  }

  @_noLocks @_noAllocation
  private func finish(_ buffer: UnsafeMutablePointer<Float>) -> UInt32 {
    let frames = state.pointee.frames
    let peak = MixKernels.peak(of: buffer, count: frames)
    if peak < MixKernels.infinity { return peak }
    _ = MixKernels.scrub(buffer, into: buffer, count: frames)
    return MixKernels.peak(of: buffer, count: frames)
  }

  /// Tells the control side the present gain of what sounds.
  @_noLocks @_noAllocation
  func publishMeters(end: UInt64) {
    forEachMember(of: state.pointee.liveStrips) { index in
      let meter = state.pointee.stripMeters + index
      let strip = state.pointee.strips + index
      let route = strip.pointee.liveRoutes.trailingZeroBitCount
      let pair = pair(index, route)
      var position = strip.pointee.volume.value(at: end) * pair.pointee.master.value(at: end)
      position *= state.pointee.outputs[route].trim.value(at: end) * state.pointee.hostGate.value(at: end)
      position *= pair.pointee.gate.value(at: end) * pair.pointee.duck.value(at: end)
      position *= max(strip.pointee.left.value(at: end), strip.pointee.right.value(at: end))
      meter.pointee.gain.store((position * position * position).bitPattern, ordering: .relaxed)
      meter.pointee.duck.store(pair.pointee.duck.value(at: end).bitPattern, ordering: .relaxed)
    }
  }
}
