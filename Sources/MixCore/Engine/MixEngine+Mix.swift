import Synchronization

// The mix itself.

extension MixEngine {
  /// Zeros in every output of the cycle.
  @_noLocks @_noAllocation @inline(__always)
  func clearOutputs() {
    let frames = state.pointee.frames
    forEachBit(of: state.pointee.portedRoutes) { index in
      let output = state.pointee.outputs + index
      var channel = 0
      while channel < output.pointee.channels {
        if let buffer = output.pointee.buffers[channel] { buffer.update(repeating: 0, count: frames) }
        channel &+= 1
      }
    }
    if !state.pointee.isEven { clearSends() }
  }

  @_noLocks @_noAllocation @inline(never)
  private func clearSends() {
    let frames = state.pointee.frames
    forEachMember(of: state.pointee.sendingStrips) { index in
      let sends = state.pointee.strips[index].sends
      if let buffer = sends.first { buffer.update(repeating: 0, count: frames) }
      if let buffer = sends.second { buffer.update(repeating: 0, count: frames) }
    }
  }

  /// Mixes the frames between two changes on every route.
  @_noLocks @_noAllocation @inline(__always)
  func mixRoutes(from frame: UInt64, to end: UInt64) {
    state.pointee.inspectedRoutes = 0
    forEachBit(of: state.pointee.availableRoutes) { mix(route: $0, from: frame, to: end) }
  }

  /// Mixes everything that sounds on one route.
  @_noLocks @_noAllocation
  func mix(route: Int, from frame: UInt64, to end: UInt64) {
    let outputs = outputBuffers(ofRoute: route)
    guard let outputLeft = outputs.first, let outputRight = outputs.second else { return }
    let span = MixSpan(of: self, route: route, from: frame, to: end, outputLeft, outputRight)
    forEachMember(of: liveStrips(onRoute: route)) { index in
      let segment = span.segments + index
      let inputs = span.inputs[index]
      if segment.pointee.changes == span.changes || keepSegment(ofStrip: index, onRoute: route, from: frame),
        end <= segment.pointee.end, let left = inputs.first, let right = inputs.second
      {
        mix(segment, ofStrip: index, left + span.first, right + span.first, in: span)
        if end == segment.pointee.end { state.pointee.closingRoutes |= 1 << UInt64(route) }
      } else {
        mix(strip: index, onRoute: route, from: frame, to: end, into: outputs)
      }
    }
  }

  /// Mixes one strip into one route, whatever moves there.
  @_noLocks @_noAllocation @inline(never)
  private func mix(strip index: Int, onRoute route: Int, from frame: UInt64, to end: UInt64, into outputs: BufferPair) {
    segment(index, route).pointee.changes = 0
    let peak = render(
      index, onRoute: route, isDucked: true, from: frame, to: end, into: outputs, at: state.pointee.frame)
    raisePeak(ofStrip: index, onRoute: route, to: peak)
    if let stem = stem(ofStrip: index, onRoute: route) {
      _ = render(index, onRoute: route, isDucked: true, from: frame, to: end, into: stem, at: state.pointee.frame)
    }
    if state.pointee.strips[index].liveRoutes.trailingZeroBitCount == route {
      publishGain(ofStrip: index, onRoute: route, at: end)
    }
    state.pointee.closingRoutes |= 1 << UInt64(route)
  }

  /// Takes the strips from the routes whose gates have closed by a frame.
  @_noLocks @_noAllocation @inline(__always)
  func endStrips(at frame: UInt64) {
    if state.pointee.closingRoutes != 0 { endStrips(ofClosingRoutesAt: frame) }
  }

  @_noLocks @_noAllocation @inline(never)
  private func endStrips(ofClosingRoutesAt frame: UInt64) {
    let routes = state.pointee.closingRoutes
    state.pointee.closingRoutes = 0
    forEachBit(of: routes) { route in
      forEachMember(of: liveStrips(onRoute: route)) { index in
        if isClosed(index, onRoute: route, at: frame) { silence(index, onRoute: route) }
      }
    }
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
    var peak: UInt32 = 0
    var start = frame
    while start < end && !isClosed(index, onRoute: route, at: start) {
      var stop = end
      let (left, right) = curves(ofStrip: index, onRoute: route, isDucked: isDucked, at: start, until: &stop)
      if !left.isSilent || !right.isSilent {
        let count = Int(truncatingIfNeeded: stop &- start)
        let part = samples(
          state.pointee.stripBuffers[index], isScrubbed: strip.pointee.isScrubbed,
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
    if outputChannels > 1 {
      return max(
        add(input.first, to: outputLeft + first, count: count, curve: left, scale: 1),
        add(inputRight, to: outputRight + first, count: count, curve: right, scale: 1))
    }
    if channels == 1 { return add(input.first, to: outputLeft + first, count: count, curve: left, scale: 1) }
    let half: Float = 0.70710678
    return max(
      add(input.first, to: outputLeft + first, count: count, curve: left, scale: half),
      add(inputRight, to: outputLeft + first, count: count, curve: right, scale: half))
  }

  @_noLocks @_noAllocation
  private func add(
    _ input: UnsafeMutablePointer<Float>?, to output: UnsafeMutablePointer<Float>, count: Int, curve: GainCurve,
    scale: Float
  ) -> UInt32 {
    guard let input else { return 0 }
    return state.pointee.kernels.add(
      input, to: output, count: count, curve: curve, scale: scale, gains: state.pointee.gains)
  }
}
