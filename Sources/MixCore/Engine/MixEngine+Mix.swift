import Synchronization

// The mix itself.

extension MixEngine {
  /// Zeros in every output of the cycle.
  @_noLocks @_noAllocation
  func clearOutputs() {
    let frames = state.pointee.frames
    var index = 0
    while index < state.pointee.capacity.outputRoutes {
      let output = state.pointee.outputs + index
      var channel = 0
      while channel < output.pointee.channels {
        if let buffer = output.pointee.buffers[channel] { buffer.update(repeating: 0, count: frames) }
        channel &+= 1
      }
      index &+= 1
    }
    forEachMember(of: state.pointee.sendingStrips) { index in
      let sends = state.pointee.strips[index].sends
      if let buffer = sends.first { buffer.update(repeating: 0, count: frames) }
      if let buffer = sends.second { buffer.update(repeating: 0, count: frames) }
    }
  }

  /// Looks for samples that are no finite numbers before anything else sees them.
  @_noLocks @_noAllocation
  func inspectInputs() {
    if state.pointee.isOversized { return }
    let frames = state.pointee.frames
    forEachMember(of: state.pointee.listenedStrips) { index in
      let strip = state.pointee.strips + index
      strip.pointee.isScrubbed = !isFinite(strip.pointee.inputs, frames)
      if strip.pointee.isScrubbed {
        let bad = countBadSamples(in: strip.pointee.inputs, frames)
        state.pointee.stripMeters[index].badSamples.wrappingAdd(bad, ordering: .relaxed)
      }
    }
    var index = 0
    while index < state.pointee.capacity.inputRoutes {
      let input = state.pointee.inputs + index
      input.pointee.isScrubbed = !isFinite(input.pointee.buffers, frames)
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func isFinite(_ buffers: BufferPair, _ frames: Int) -> Bool {
    var peak: UInt32 = 0
    if let buffer = buffers.first { peak = MixKernels.peak(of: buffer, count: frames) }
    if let buffer = buffers.second { peak = max(peak, MixKernels.peak(of: buffer, count: frames)) }
    return peak < MixKernels.infinity
  }

  @_noLocks @_noAllocation
  private func countBadSamples(in buffers: BufferPair, _ frames: Int) -> UInt64 {
    var bad = 0
    if let buffer = buffers.first { bad = MixKernels.scrub(buffer, into: state.pointee.scrubbed, count: frames) }
    if let buffer = buffers.second { bad &+= MixKernels.scrub(buffer, into: state.pointee.scrubbed, count: frames) }
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
      _ = MixKernels.scrub(buffer, into: state.pointee.scrubbed, count: count)
    }
    if let buffer = part.second {
      let second = state.pointee.scrubbed + state.pointee.capacity.framesPerCycle
      part.second = second
      _ = MixKernels.scrub(buffer, into: second, count: count)
    }
    return part
  }

  /// Mixes the frames between two changes.
  @_noLocks @_noAllocation
  func mix(from frame: UInt64, to end: UInt64) {
    forEachBit(of: state.pointee.availableRoutes) { route in
      forEachMember(of: liveStrips(onRoute: route)) { mix(strip: $0, onRoute: route, from: frame, to: end) }
    }
    forEachMember(of: state.pointee.sendingStrips) { mixMicrophone(of: $0, from: frame, to: end) }
  }

  /// Mixes one strip into one route.
  @_noLocks @_noAllocation
  private func mix(strip index: Int, onRoute route: Int, from frame: UInt64, to end: UInt64) {
    let outputs = outputBuffers(ofRoute: route)
    let peak = render(
      index, onRoute: route, isDucked: true, from: frame, to: end, into: outputs, at: state.pointee.frame)
    state.pointee.stripMeters[index].peak.raise(to: peak)
    if let stem = stem(ofStrip: index, onRoute: route) {
      _ = render(index, onRoute: route, isDucked: true, from: frame, to: end, into: stem, at: state.pointee.frame)
    }
    if isClosed(index, onRoute: route, at: end) { silence(index, onRoute: route) }
  }

  /// Adds one strip, as it sounds on a route, to two channels, segment by segment: in each every ramp either rests or
  /// moves all along.
  ///
  /// - Parameters:
  ///   - isDucked: Whether it is as ducked as it is there, or not at all.
  ///   - outputs: The channels of the route; of a route of one channel only the first counts.
  ///   - origin: The frame of their first sample.
  /// - Returns: The bit pattern of the greatest amplitude.
  @_noLocks @_noAllocation
  func render(
    _ index: Int, onRoute route: Int, isDucked: Bool, from frame: UInt64, to end: UInt64, into outputs: BufferPair,
    at origin: UInt64
  ) -> UInt32 {
    let strip = state.pointee.strips + index
    let pair = pair(index, route)
    var peak: UInt32 = 0
    var start = frame
    while start < end && !isClosed(index, onRoute: route, at: start) {
      var stop = end
      var curve = GainCurve()
      curve.multiply(by: strip.pointee.volume, at: start, until: &stop)
      curve.multiply(by: pair.pointee.master, at: start, until: &stop)
      curve.multiply(by: state.pointee.outputs[route].trim, at: start, until: &stop)
      curve.multiply(by: state.pointee.hostGate, at: start, until: &stop)
      curve.multiply(by: pair.pointee.gate, at: start, until: &stop)
      if isDucked { curve.multiply(by: pair.pointee.duck, at: start, until: &stop) }
      let isStereoMix = strip.pointee.settings.channels > 1 || state.pointee.outputs[route].channels > 1
      var left = curve
      var right = curve
      if isStereoMix {
        left.multiply(by: strip.pointee.left, at: start, until: &stop)
        right.multiply(by: strip.pointee.right, at: start, until: &stop)
      }
      if !left.isSilent || !right.isSilent {
        let count = Int(truncatingIfNeeded: stop &- start)
        let part = samples(
          strip.pointee.inputs, isScrubbed: strip.pointee.isScrubbed,
          from: Int(truncatingIfNeeded: start &- state.pointee.frame), count: count)
        let added = add(
          part, channels: Int(strip.pointee.settings.channels), to: outputs,
          channels: state.pointee.outputs[route].channels, from: Int(truncatingIfNeeded: start &- origin),
          count: count, left: left, right: right)
        peak = max(peak, added)
      }
      start = stop
    }
    return peak
  }

  /// The first two buffers of a route; what the shell has not given goes nowhere.
  @_noLocks @_noAllocation
  private func outputBuffers(ofRoute route: Int) -> BufferPair {
    let output = state.pointee.outputs + route
    let scratch = state.pointee.scratch
    var pair = BufferPair(scratch, scratch + state.pointee.capacity.framesPerCycle)
    if output.pointee.channels > 0, let buffer = output.pointee.buffers[0] { pair.first = buffer }
    if output.pointee.channels > 1, let buffer = output.pointee.buffers[1] { pair.second = buffer }
    return pair
  }

  /// Adds one or two channels to one or two: one goes to both, two fold down to one at −3 dB each.
  @_noLocks @_noAllocation
  func add(
    _ input: BufferPair, channels: Int, to output: BufferPair, channels outputChannels: Int, from first: Int,
    count: Int, left: GainCurve, right: GainCurve
  ) -> UInt32 {
    guard let outputLeft = output.first, let outputRight = output.second else { return 0 }
    let inputRight = channels > 1 ? input.second : input.first
    var peak: UInt32 = 0
    if outputChannels > 1 {
      if let samples = input.first {
        peak = MixKernels.add(samples, to: outputLeft + first, count: count, curve: left, scale: 1)
      }
      if let samples = inputRight {
        peak = max(peak, MixKernels.add(samples, to: outputRight + first, count: count, curve: right, scale: 1))
      }
    } else if channels > 1 {
      let half: Float = 0.70710678
      if let samples = input.first {
        peak = MixKernels.add(samples, to: outputLeft + first, count: count, curve: left, scale: half)
      }
      if let samples = inputRight {
        peak = max(peak, MixKernels.add(samples, to: outputLeft + first, count: count, curve: right, scale: half))
      }
    } else if let samples = input.first {
      peak = MixKernels.add(samples, to: outputLeft + first, count: count, curve: left, scale: 1)
    }
    return peak
  }
}
