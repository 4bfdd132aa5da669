// Microphone sends (policy §11).

extension MixEngine {
  /// Whether the microphone of a strip is open or moves in this cycle.
  @_noLocks @_noAllocation
  func isMicrophoneLive(_ strip: UnsafeMutablePointer<StripState>) -> Bool {
    strip.pointee.microphone.target != 0 || strip.pointee.microphone.isMoving(at: state.pointee.frame)
  }

  /// Lets the microphones hear the first available input: they cross over to it, or take it at once if none is open.
  @_noLocks @_noAllocation
  func selectInput(at frame: UInt64) {
    var isHeard = false
    forEachMember(of: state.pointee.sendingStrips) { index in
      let microphone = state.pointee.strips[index].microphone
      if microphone.target != 0 || microphone.isMoving(at: frame) { isHeard = true }
    }
    var isFound = false
    var index = 0
    while index < state.pointee.capacity.inputRoutes {
      let input = state.pointee.inputs + index
      if !input.pointee.settings.isAvailable {
        input.pointee.selection.snap(to: 0)
      } else {
        input.pointee.selection.move(
          to: isFound ? 0 : 1, at: frame, over: isHeard ? state.pointee.host.inputFade : 0)
        isFound = true
      }
      index &+= 1
    }
  }

  /// Mixes what the microphones hear into the sends.
  @_noLocks @_noAllocation
  func mixMicrophones(from frame: UInt64, to end: UInt64) {
    forEachMember(of: state.pointee.sendingStrips) { mixMicrophone(of: $0, from: frame, to: end) }
  }

  /// Mixes what the microphone of a strip hears into its send.
  @_noLocks @_noAllocation
  private func mixMicrophone(of index: Int, from frame: UInt64, to end: UInt64) {
    let strip = state.pointee.strips + index
    if strip.pointee.microphone.target == 0 && !strip.pointee.microphone.isMoving(at: frame) { return }
    let channels = Int(strip.pointee.settings.channels)
    let scratch = state.pointee.scratch
    var sends = strip.pointee.sends
    if sends.first == nil { sends.first = scratch }
    if sends.second == nil { sends.second = scratch + state.pointee.capacity.framesPerCycle }
    var route = 0
    while route < state.pointee.capacity.inputRoutes {
      let input = state.pointee.inputs + route
      var start = frame
      while start < end && (input.pointee.selection.target != 0 || input.pointee.selection.isMoving(at: start)) {
        var stop = end
        var curve = GainCurve()
        curve.multiply(by: strip.pointee.microphone, at: start, until: &stop)
        curve.multiply(by: input.pointee.trim, at: start, until: &stop)
        curve.multiply(by: state.pointee.hostGate, at: start, until: &stop)
        curve.multiply(by: input.pointee.selection, at: start, until: &stop)
        if !curve.isSilent {
          let first = Int(truncatingIfNeeded: start &- state.pointee.frame)
          let count = Int(truncatingIfNeeded: stop &- start)
          let part = samples(
            input.pointee.buffers, isScrubbed: input.pointee.isScrubbed, from: first, count: count)
          _ = add(
            part, channels: Int(input.pointee.settings.channels), to: sends, channels: channels, from: first,
            count: count, left: curve, right: curve)
        }
        start = stop
      }
      route &+= 1
    }
  }
}
