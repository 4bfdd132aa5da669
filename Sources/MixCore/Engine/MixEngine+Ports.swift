// Which buffers a cycle needs, and where they are noted.

extension MixEngine {
  /// Lists the ports of all outputs and microphone sends, and of the inputs that are needed, and notes whether cycles
  /// like this one are even. As long as nothing changes both stay as they are.
  ///
  /// - Parameter hasTimedChange: Whether there is a timed change in this cycle.
  @_noLocks @_noAllocation @inline(never)
  func renewLists(_ hasTimedChange: Bool) {
    if hasTimedChange { adoptPortsOfTimedChanges() }
    state.pointee.portCount = 0
    state.pointee.portedRoutes = 0
    var index = 0
    while index < state.pointee.capacity.outputRoutes {
      let output = state.pointee.outputs + index
      output.pointee.channels = Int(output.pointee.settings.channels)
      if output.pointee.channels > 0 { state.pointee.portedRoutes |= 1 << UInt64(index) }
      var channel = 0
      while channel < output.pointee.channels {
        append(output.pointee.settings.ports[channel], notedAt: output.pointee.buffers + channel)
        channel &+= 1
      }
      index &+= 1
    }
    collectInputRoutes(areHeard: collectSends())
    collectInputs()
    // Whether microphones are heard is another thing from cycle to cycle, and what a timed change brings is one cycle's.
    let mayDiffer = hasTimedChange || !isEmpty(state.pointee.sendingStrips)
    state.pointee.listedChanges = mayDiffer ? 0 : state.pointee.changes
    state.pointee.isEven =
      !mayDiffer && !measuresLoudness && state.pointee.stems == nil && isEmpty(state.pointee.watchedStrips)
      && isEmpty(state.pointee.suspectStrips)
  }

  /// Every send is written in every cycle, for a port that is not written repeats what it had. Returns whether a
  /// microphone may be open in this cycle.
  @_noLocks @_noAllocation
  private func collectSends() -> Bool {
    var isHeard = hasTimedChangeInCycle
    forEachMember(of: state.pointee.sendingStrips) { index in
      let strip = state.pointee.strips + index
      append(strip.pointee.settings.sends, channels: strip.pointee.settings.channels, notedAt: &strip.pointee.sends)
      if isMicrophoneLive(strip) { isHeard = true }
    }
    return isHeard
  }

  @_noLocks @_noAllocation
  private func collectInputRoutes(areHeard: Bool) {
    state.pointee.heardInputs = 0
    var index = 0
    while index < state.pointee.capacity.inputRoutes {
      let input = state.pointee.inputs + index
      let channels = areHeard ? input.pointee.settings.channels : 0
      append(input.pointee.settings.ports, channels: channels, notedAt: &input.pointee.buffers)
      if channels > 0 { state.pointee.heardInputs |= 1 << UInt64(index) }
      index &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func collectInputs() {
    let listened = state.pointee.listenedStrips
    var word = 0
    while word < state.pointee.wordsInUse {
      listened[word] = state.pointee.liveStrips[word] | state.pointee.watchedStrips[word]
      word &+= 1
    }
    forEachTimedChangeInCycle { change in
      let index = Int(change.pointee.index)
      switch change.pointee.subject {
      case .strip: insert(index, into: listened)
      case .output: listen(toStripsOpenOn: change.pointee.output.isAvailable ? 1 << UInt64(index) : 0)
      case .input, .host: break
      }
    }
    forEachMember(of: listened) { index in
      let strip = state.pointee.strips + index
      append(
        strip.pointee.settings.inputs, channels: strip.pointee.settings.channels,
        notedAt: state.pointee.stripBuffers + index)
    }
  }

  /// What is wanted on a route that comes in this cycle is heard from that frame on.
  @_noLocks @_noAllocation
  private func listen(toStripsOpenOn routes: UInt64) {
    if routes == 0 { return }
    var strip = 0
    while strip < state.pointee.capacity.strips {
      if state.pointee.strips[strip].settings.openRoutes & routes != 0 {
        insert(strip, into: state.pointee.listenedStrips)
      }
      strip &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func append(_ ports: PortPair, channels: UInt8, notedAt pair: UnsafeMutablePointer<BufferPair>) {
    pair.pointee = BufferPair()
    let first = UnsafeMutableRawPointer(pair).assumingMemoryBound(to: UnsafeMutablePointer<Float>?.self)
    if channels > 0 { append(ports.first, notedAt: first) }
    if channels > 1 { append(ports.second, notedAt: first + 1) }
  }

  @_noLocks @_noAllocation
  private func append(_ handle: UInt, notedAt place: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>) {
    place.pointee = nil
    let count = state.pointee.portCount
    if handle == 0 || count >= state.pointee.portCapacity { return }
    state.pointee.ports[count] = handle
    state.pointee.buffers[count] = place
    state.pointee.portCount = count &+ 1
  }

  /// What a timed change of this cycle brings to something that has no ports yet is needed from the first frame on.
  @_noLocks @_noAllocation
  func adoptPortsOfTimedChanges() {
    forEachTimedChangeInCycle { change in
      let index = Int(change.pointee.index)
      switch change.pointee.subject {
      case .strip:
        noteUse(ofStrip: index)
        let strip = state.pointee.strips + index
        if !strip.pointee.settings.isOpen { strip.pointee.settings.channels = change.pointee.strip.channels }
        if strip.pointee.settings.inputs.isEmpty { strip.pointee.settings.inputs = change.pointee.strip.inputs }
        if strip.pointee.settings.sends.isEmpty {
          strip.pointee.settings.sends = change.pointee.strip.sends
          noteSends(of: index)
        }
      case .output:
        let output = state.pointee.outputs + index
        if output.pointee.settings.channels > 0 { return }
        output.pointee.settings.channels = change.pointee.output.channels
        output.pointee.settings.ports = change.pointee.output.ports
      case .input:
        let input = state.pointee.inputs + index
        if input.pointee.settings.channels > 0 { return }
        input.pointee.settings.channels = change.pointee.input.channels
        input.pointee.settings.ports = change.pointee.input.ports
      case .host: return
      }
    }
  }
}

extension MixEngine {
  /// Calls a closure with each member of a set of strips, lowest first.
  @_noLocks @_noAllocation
  func forEachMember(of set: UnsafeMutablePointer<UInt64>, _ body: (Int) -> Void) {
    var word = 0
    while word < state.pointee.wordsInUse {
      if set[word] != 0 { forEachBit(of: set[word]) { body(word &* 64 &+ $0) } }
      word &+= 1
    }
  }

  @_noLocks @_noAllocation
  func isEmpty(_ set: UnsafeMutablePointer<UInt64>) -> Bool {
    var word = 0
    while word < state.pointee.wordsInUse {
      if set[word] != 0 { return false }
      word &+= 1
    }
    return true
  }

  @_noLocks @_noAllocation
  func isMember(_ strip: Int, of set: UnsafeMutablePointer<UInt64>) -> Bool {
    set[strip / 64] & (1 << UInt64(strip % 64)) != 0
  }

  /// Notes that there is something to be known of a strip: sets are searched so far, and no farther.
  @_noLocks @_noAllocation
  func noteUse(ofStrip index: Int) { state.pointee.wordsInUse = max(state.pointee.wordsInUse, index / 64 &+ 1) }

  @_noLocks @_noAllocation
  func insert(_ strip: Int, into set: UnsafeMutablePointer<UInt64>) { set[strip / 64] |= 1 << UInt64(strip % 64) }

  @_noLocks @_noAllocation
  func remove(_ strip: Int, from set: UnsafeMutablePointer<UInt64>) { set[strip / 64] &= ~(1 << UInt64(strip % 64)) }

  /// The strips that sound or move on a route.
  @_noLocks @_noAllocation
  func liveStrips(onRoute route: Int) -> UnsafeMutablePointer<UInt64> {
    state.pointee.liveOnRoute + route &* state.pointee.stripWords
  }

  @_noLocks @_noAllocation
  func pair(_ strip: Int, _ route: Int) -> UnsafeMutablePointer<PairState> {
    state.pointee.pairs + (route &* state.pointee.capacity.strips &+ strip)
  }
}

/// Calls a closure with the index of each set bit, lowest first.
@_noLocks @_noAllocation
func forEachBit(of word: UInt64, _ body: (Int) -> Void) {
  var rest = word
  while rest != 0 {
    body(rest.trailingZeroBitCount)
    rest &= rest &- 1
  }
}
