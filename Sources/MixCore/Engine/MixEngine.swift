import Synchronization

/// The audio thread's half of a mixer. Audio thread only; every function is wait-free.
///
/// A cycle is: `beginCycle`, then `setBuffers` (or a buffer for each port that it asks for), then `process`.
///
/// ```swift
/// engine.beginCycle(startFrame: frame, frames: frames)
/// engine.setBuffers { jack_port_get_buffer($0, frames) }
/// engine.process()
/// ```
///
/// Samples are non-interleaved `Float`, 1 is full scale. What the engine writes does not depend on the lengths of the
/// cycles. Denormals must be flushed by the thread that it runs on (`FloatingPointMode.flushDenormals`).
public struct MixEngine: @unchecked Sendable {
  // A bare pointer, for a class would be counted. The `Mixer` owns what it points to.
  let state: UnsafeMutablePointer<EngineState>

  /// Unmakes `opaque`.
  ///
  /// - Parameter opaque: What `opaque` of another engine was.
  @_noLocks @_noAllocation
  public init(opaque: UnsafeMutableRawPointer) {
    state = opaque.assumingMemoryBound(to: EngineState.self)
  }

  init(state: UnsafeMutablePointer<EngineState>) { self.state = state }

  /// The engine as one pointer, for the argument of a C callback.
  public var opaque: UnsafeMutableRawPointer { UnsafeMutableRawPointer(state) }

  /// Takes the newest plan and lists the ports whose buffers this cycle needs: the inputs of what sounds, moves or is
  /// watched, and every output.
  ///
  /// - Parameters:
  ///   - startFrame: The time of the first frame. It may jump ahead (after an xrun); it does not go back: what lies before
  ///     the end of the last cycle counts as that end.
  ///   - frames: The length. A cycle longer than the capacity's is silent, and counted.
  /// - Returns: How many ports there are.
  @discardableResult
  @_noLocks @_noAllocation
  public func beginCycle(startFrame: UInt64, frames: Int) -> Int {
    state.pointee.frame = max(startFrame, state.pointee.frame &+ UInt64(bitPattern: Int64(state.pointee.frames)))
    state.pointee.frames = max(frames, 0)
    state.pointee.isOversized = frames > state.pointee.capacity.framesPerCycle
    state.pointee.hasBuffers = false
    takePlan()
    let hasTimedChange = hasTimedChangeInCycle
    if hasTimedChange || state.pointee.listedChanges != state.pointee.changes { renewLists(hasTimedChange) }
    return state.pointee.portCount
  }

  /// The handle of a port that this cycle needs. The index must be below what `beginCycle` returned.
  @_noLocks @_noAllocation
  public func port(at index: Int) -> UnsafeMutableRawPointer? {
    guard index >= 0 && index < state.pointee.portCount else { return nil }
    return UnsafeMutableRawPointer(bitPattern: state.pointee.ports[index])
  }

  /// Gives the buffer of a port for this cycle: as many samples as the cycle has frames. Without one an input is
  /// silent and an output is not written.
  @_noLocks @_noAllocation
  public func setBuffer(_ buffer: UnsafeMutablePointer<Float>?, at index: Int) {
    guard index >= 0 && index < state.pointee.portCount else { return }
    if !state.pointee.hasBuffers { setBuffers { _ in nil } }
    state.pointee.buffers[index]?.pointee = buffer
  }

  /// Gives the buffers of all ports that this cycle needs.
  ///
  /// - Parameter buffer: The buffer of the port with a handle, as `setBuffer` takes it; called once for each port.
  @_noLocks @_noAllocation
  public func setBuffers(_ buffer: (UnsafeMutableRawPointer) -> UnsafeMutablePointer<Float>?) {
    let (ports, places) = (state.pointee.ports, state.pointee.buffers)
    let count = state.pointee.portCount
    var index = 0
    while index < count {
      if let port = UnsafeMutableRawPointer(bitPattern: ports[index]) { places[index]?.pointee = buffer(port) }
      index &+= 1
    }
    state.pointee.hasBuffers = true
  }

  /// Mixes the cycle into the buffers of the outputs and tells the control side how far it is.
  @_noLocks @_noAllocation
  public func process() {
    // Those of the last cycle may be gone.
    if !state.pointee.hasBuffers { setBuffers { _ in nil } }
    clearOutputs()
    let end = state.pointee.frame &+ UInt64(bitPattern: Int64(state.pointee.frames))
    if state.pointee.isEven && !state.pointee.isOversized {
      mixRoutes(from: state.pointee.frame, to: end)
      finishOutputs(from: state.pointee.frame, to: end)
      endStrips(at: end)
    } else {
      processInParts(until: end)
    }
    report(end: end)
  }
}

extension MixEngine {
  /// Mixes a cycle in which something may begin or end at a frame of its own: part by part, from each such frame to the
  /// next.
  @_noLocks @_noAllocation @inline(never)
  private func processInParts(until end: UInt64) {
    inspectInputs()
    var frame = state.pointee.frame
    repeat {
      applyTimedChanges(until: frame)
      applyDuckSignals(at: frame)
      var next = min(end, nextTimedChange)
      if !state.pointee.isOversized { next = max(frame, listenForDuckSignals(until: next)) }
      if measuresLoudness { next = max(frame, min(next, endOfBlock(after: frame))) }
      if !state.pointee.isOversized && next > frame {
        if measuresLoudness { measureInputs(from: frame, to: next) }
        mixRoutes(from: frame, to: next)
        mixMicrophones(from: frame, to: next)
        finishOutputs(from: frame, to: next)
        endStrips(at: next)
        if measuresLoudness { measureOutputs(from: frame, to: next) }
      }
      frame = next
    } while frame < end
    publishSignals(end: end)
  }

  /// Tells the control side what is in force.
  @_noLocks @_noAllocation
  private func report(end: UInt64) {
    let shared = state.pointee.shared
    if state.pointee.isOversized { shared.pointee.oversizedCycles.advance(by: 1) }
    shared.pointee.cycles.advance(by: 1)
    shared.pointee.frame.store(end, ordering: .releasing)
    // Last, for from here on the control side may take away what this cycle still had.
    shared.pointee.acknowledged.store(sequenceInForce, ordering: .releasing)
  }

  /// The newest publication that is wholly in force: all of them, or those before the first that still waits.
  private var sequenceInForce: UInt64 {
    @_noLocks @_noAllocation get {
      let slot = state.pointee.slots + state.pointee.reading
      if state.pointee.timelineRead == slot.pointee.timelineEnd { return slot.pointee.sequence }
      return timedChange(state.pointee.timelineRead).pointee.sequence &- 1
    }
  }
}
