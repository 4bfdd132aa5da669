import Synchronization

// What is done to a route after everything is mixed, and what is told about it.

extension MixEngine {
  /// Finishes the frames between two changes on every route: replaces sums that have left the range of numbers, limits,
  /// measures the peak and repeats the pair on the other ports.
  @_noLocks @_noAllocation
  func finishOutputs(from frame: UInt64, to end: UInt64) {
    let first = Int(truncatingIfNeeded: frame &- state.pointee.frame)
    let count = Int(truncatingIfNeeded: end &- frame)
    forEachBit(of: state.pointee.availableRoutes) { route in
      let output = state.pointee.outputs + route
      let channels = output.pointee.channels
      if channels == 0 { return }
      let left = output.pointee.buffers[0].map { $0 + first }
      let right = channels > 1 ? output.pointee.buffers[1].map { $0 + first } : nil
      var peak = finish(left, right, count: count)
      if let first = left ?? right,
        output.pointee.limiter.process(first, left == nil ? nil : right, count: count, peak: peak)
      {
        peak = self.peak(left, right, count: count)
      }
      state.pointee.outputMeters[route].peak.raise(to: peak)
      var channel = 2
      while channel < channels {
        if let source = channel % 2 == 0 ? left : right, let buffer = output.pointee.buffers[channel] {
          MixKernels.copy(source, to: buffer + first, count: count)
        }
        channel &+= 1
      }
    }
  }

  /// Replaces what is no finite number, and returns the bit pattern of the greatest amplitude.
  @_noLocks @_noAllocation
  private func finish(
    _ left: UnsafeMutablePointer<Float>?, _ right: UnsafeMutablePointer<Float>?, count: Int
  ) -> UInt32 {
    let peak = peak(left, right, count: count)
    if peak < MixKernels.infinity { return peak }
    if let left { _ = MixKernels.scrub(left, into: left, count: count) }
    if let right { _ = MixKernels.scrub(right, into: right, count: count) }
    return self.peak(left, right, count: count)
  }

  @_noLocks @_noAllocation
  private func peak(
    _ left: UnsafeMutablePointer<Float>?, _ right: UnsafeMutablePointer<Float>?, count: Int
  ) -> UInt32 {
    var peak: UInt32 = 0
    if let left { peak = MixKernels.peak(of: left, count: count) }
    if let right { peak = max(peak, MixKernels.peak(of: right, count: count)) }
    return peak
  }

  /// Tells the control side the present gain of the limiters and of what sounds.
  @_noLocks @_noAllocation
  func publishMeters(end: UInt64) {
    forEachBit(of: state.pointee.availableRoutes) { route in
      let gain = state.pointee.outputs[route].limiter.gain
      state.pointee.outputMeters[route].limiterGain.store(gain.bitPattern, ordering: .relaxed)
    }
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
