import Synchronization

// What is done to a route after everything is mixed, and what is told about it.

extension MixEngine {
  /// Finishes the frames between two changes on every route: replaces sums that have left the range of numbers, limits,
  /// measures the peak and repeats the pair on the other ports.
  @_noLocks @_noAllocation @inline(__always)
  func finishOutputs(from frame: UInt64, to end: UInt64) {
    let first = Int(truncatingIfNeeded: frame &- state.pointee.frame)
    let count = Int(truncatingIfNeeded: end &- frame)
    forEachBit(of: state.pointee.availableRoutes) { route in
      let output = state.pointee.outputs + route
      let channels = output.pointee.channels
      if channels == 0 { return }
      let left = output.pointee.buffers[0].map { $0 + first }
      let right = channels > 1 ? output.pointee.buffers[1].map { $0 + first } : nil
      var peak = state.pointee.kernels.peak(of: left, right, count: count)
      if peak >= Loops.infinity {
        repair(route: route, from: frame, to: end)
        peak = scrub(left, right, count: count)
      }
      if let first = left ?? right,
        output.pointee.limiter.process(first, left == nil ? nil : right, count: count, peak: peak)
      {
        peak = state.pointee.kernels.peak(of: left, right, count: count)
      }
      let meter = state.pointee.outputMeters + route
      meter.pointee.peak.raise(to: peak)
      meter.pointee.limiterGain.store(output.pointee.limiter.gain.bitPattern, ordering: .relaxed)
      var channel = 2
      while channel < channels {
        if let source = channel % 2 == 0 ? left : right, let buffer = output.pointee.buffers[channel] {
          Loops.copy(source, to: buffer + first, count: count)
        }
        channel &+= 1
      }
    }
  }

  /// Replaces what is no finite number, and returns the bit pattern of the greatest amplitude.
  @_noLocks @_noAllocation @inline(never)
  private func scrub(
    _ left: UnsafeMutablePointer<Float>?, _ right: UnsafeMutablePointer<Float>?, count: Int
  ) -> UInt32 {
    let peak = state.pointee.kernels.peak(of: left, right, count: count)
    if peak < Loops.infinity { return peak }
    if let left { _ = Loops.scrub(left, into: left, count: count) }
    if let right { _ = Loops.scrub(right, into: right, count: count) }
    return state.pointee.kernels.peak(of: left, right, count: count)
  }

  /// Tells the control side the gain that a strip has on a route at a frame.
  @_noLocks @_noAllocation @inline(never)
  func publishGain(ofStrip index: Int, onRoute route: Int, at frame: UInt64) {
    let strip = state.pointee.strips + index
    let pair = pair(index, route)
    var position = strip.pointee.volume.value(at: frame) * pair.pointee.master.value(at: frame)
    position *= state.pointee.outputs[route].trim.value(at: frame) * state.pointee.hostGate.value(at: frame)
    position *= pair.pointee.gate.value(at: frame) * pair.pointee.duck.value(at: frame)
    position *= max(strip.pointee.left.value(at: frame), strip.pointee.right.value(at: frame))
    state.pointee.stripLevels[index].gain.store((position * position * position).bitPattern, ordering: .relaxed)
    state.pointee.stripMeters[index].duck.store(pair.pointee.duck.value(at: frame).bitPattern, ordering: .relaxed)
  }
}
