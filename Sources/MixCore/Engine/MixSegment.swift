import Synchronization

/// The gains of a stereo strip on a stereo route between two changes of its ramps: kept from cycle to cycle, so that what
/// goes on as it did costs little more than its samples. Audio thread only.
///
/// Only the simple cases are kept, which are nearly all there are: everything rests, or one ramp moves that concerns both
/// channels alike. The others are put together anew in each cycle.
struct MixSegment {
  /// `EngineState.changes` when this was put together: with another it counts for nothing.
  var changes: UInt64 = 0
  /// The first frame, from which `factor` counts.
  var start: UInt64 = 0
  /// The frame after the last: where the ramp ends, or the end of time.
  var end: UInt64 = 0
  /// The gains of the channels, or the resting part of the position if a ramp moves.
  var left: Float = 0
  var right: Float = 0
  /// The ramp that moves.
  var factor: Loops.MovingFactor = (0, 0, 0)
  var isMoving = false
  /// Whether that ramp is the duck.
  var isDucking = false
  /// Whether this is the route whose gain the meter of the strip shows.
  var isShown = false
  /// Whether it does already.
  var isPublished = false
}

/// What all strips of a route share while the frames between two changes are mixed. A value of its own: the compiler then
/// knows that no sample that is written changes it, and keeps it in registers.
struct MixSpan {
  /// The first frame, and the one after the last.
  let frame: UInt64
  let end: UInt64
  /// Where the first frame is in the buffers of the cycle, and how many there are.
  let first: Int
  let count: Int
  let route: Int
  /// The two channels of the route, from the first frame on.
  let outputLeft: UnsafeMutablePointer<Float>
  let outputRight: UnsafeMutablePointer<Float>
  /// `EngineState.changes`.
  let changes: UInt64
  /// By strip.
  let segments: UnsafeMutablePointer<MixSegment>
  let inputs: UnsafeMutablePointer<BufferPair>
  let levels: UnsafeMutablePointer<StripLevelWords>
  let kernels: MixKernels

  /// The span of a route between two frames, as things are.
  ///
  /// - Parameters:
  ///   - outputLeft: The channels of the route, from the first frame of the cycle on.
  @_noLocks @_noAllocation
  init(
    of engine: MixEngine, route: Int, from frame: UInt64, to end: UInt64,
    _ outputLeft: UnsafeMutablePointer<Float>, _ outputRight: UnsafeMutablePointer<Float>
  ) {
    let state = engine.state
    self.frame = frame
    self.end = end
    self.route = route
    first = Int(truncatingIfNeeded: frame &- state.pointee.frame)
    count = Int(truncatingIfNeeded: end &- frame)
    self.outputLeft = outputLeft + first
    self.outputRight = outputRight + first
    changes = state.pointee.changes
    segments = engine.segment(0, route)
    inputs = state.pointee.stripBuffers
    levels = state.pointee.stripLevels
    kernels = state.pointee.kernels
  }
}

extension MixEngine {
  /// Lets everything that was put together before be put together anew: to be called whenever a ramp, a set of strips
  /// or a port has changed.
  @_noLocks @_noAllocation
  func noteChange() { state.pointee.changes &+= 1 }

  @_noLocks @_noAllocation
  func segment(_ strip: Int, _ route: Int) -> UnsafeMutablePointer<MixSegment> {
    state.pointee.segments + (route &* state.pointee.capacity.strips &+ strip)
  }

  /// The gains of both channels of a strip on a route from a frame on.
  ///
  /// - Parameters:
  ///   - isDucked: Whether it is as ducked as it is there, or not at all.
  ///   - end: Moved to where the first of its ramps ends, if that is earlier.
  @_noLocks @_noAllocation
  func curves(
    ofStrip index: Int, onRoute route: Int, isDucked: Bool, at frame: UInt64, until end: inout UInt64
  ) -> (left: GainCurve, right: GainCurve) {
    let strip = state.pointee.strips + index
    let pair = pair(index, route)
    var left = GainCurve()
    left.multiply(by: strip.pointee.volume, at: frame, until: &end)
    left.multiply(by: pair.pointee.master, at: frame, until: &end)
    left.multiply(by: state.pointee.outputs[route].trim, at: frame, until: &end)
    left.multiply(by: state.pointee.hostGate, at: frame, until: &end)
    left.multiply(by: pair.pointee.gate, at: frame, until: &end)
    if isDucked { left.multiply(by: pair.pointee.duck, at: frame, until: &end) }
    var right = left
    if strip.pointee.settings.channels > 1 || state.pointee.outputs[route].channels > 1 {
      left.multiply(by: strip.pointee.left, at: frame, until: &end)
      right.multiply(by: strip.pointee.right, at: frame, until: &end)
    }
    return (left, right)
  }

  /// Puts the segment of a strip on a route together that holds from a frame on, if it is simple enough to be kept.
  ///
  /// - Returns: Whether it is kept.
  @_noLocks @_noAllocation @inline(never)
  func keepSegment(ofStrip index: Int, onRoute route: Int, from frame: UInt64) -> Bool {
    let strip = state.pointee.strips + index
    let isStereo = strip.pointee.settings.channels > 1 && state.pointee.outputs[route].channels > 1
    if !isStereo || state.pointee.stems != nil || isMember(index, of: state.pointee.suspectStrips) { return false }
    if isClosed(index, onRoute: route, at: frame) { return false }
    var end = UInt64.max
    let (left, right) = curves(ofStrip: index, onRoute: route, isDucked: true, at: frame, until: &end)
    if left.movingCount > 1 || right.movingCount != left.movingCount { return false }
    var segment = MixSegment()
    segment.changes = state.pointee.changes
    segment.start = frame
    segment.end = end
    segment.isShown = strip.pointee.liveRoutes.trailingZeroBitCount == route
    if left.movingCount == 0 {
      segment.left = left.resting * left.resting * left.resting
      segment.right = right.resting * right.resting * right.resting
    } else {
      let isShared = !strip.pointee.left.isMoving(at: frame) && left.resting == right.resting
      if !isShared { return false }
      segment.left = left.resting
      segment.right = right.resting
      segment.factor = left.movingFactor(0)
      segment.isMoving = true
      segment.isDucking = pair(index, route).pointee.duck.isMoving(at: frame)
    }
    self.segment(index, route).pointee = segment
    return true
  }

  /// Adds a strip as its segment says to the two channels of a route.
  ///
  /// - Parameters:
  ///   - inputLeft: The channels of the strip, from the first frame of the span on.
  @_noLocks @_noAllocation @inline(__always)
  func mix(
    _ segment: UnsafeMutablePointer<MixSegment>, ofStrip index: Int, _ inputLeft: UnsafePointer<Float>,
    _ inputRight: UnsafePointer<Float>, in span: MixSpan
  ) {
    if segment.pointee.isMoving {
      var factor = segment.pointee.factor
      factor.offset &+= Int32(truncatingIfNeeded: span.frame &- segment.pointee.start)
      if segment.pointee.left != 0 {
        let peak = span.kernels.addPair(
          inputLeft, inputRight, to: span.outputLeft, span.outputRight, count: span.count,
          resting: segment.pointee.left, factor: factor)
        raisePeak(ofStrip: index, to: peak, in: span)
      }
      if !segment.pointee.isShown { return }
      if span.end == segment.pointee.end || segment.pointee.isDucking || !segment.pointee.isPublished {
        publishGain(ofStrip: index, onRoute: span.route, at: span.end)
        segment.pointee.isPublished = true
      } else {
        let frames = Float(factor.offset &+ Int32(truncatingIfNeeded: span.count))
        let position = segment.pointee.left * (factor.from + factor.step * frames)
        span.levels[index].gain.store((position * position * position).bitPattern, ordering: .relaxed)
      }
    } else {
      let gains = (segment.pointee.left, segment.pointee.right)
      if gains.0 != 0 || gains.1 != 0 {
        let peak = span.kernels.addPair(
          inputLeft, inputRight, to: span.outputLeft, span.outputRight, count: span.count, gains: gains)
        raisePeak(ofStrip: index, to: peak, in: span)
      }
      if !segment.pointee.isShown || segment.pointee.isPublished { return }
      publishGain(ofStrip: index, onRoute: span.route, at: span.end)
      segment.pointee.isPublished = true
    }
  }
}
