import Synchronization

/// What became of a publication.
public enum Publication: Hashable, Sendable {
  /// It is on its way, with this number: in force once `acknowledgedSequence` has reached it.
  case published(sequence: UInt64)
  /// There is no room for so many timed changes. Nothing was published and nothing is lost: what has changed is
  /// published with the next one that succeeds.
  case timelineFull
}

/// The control side's half of a mixer: what is wanted of it. Control thread only.
///
/// Change strips, routes and the host as plain values, as many as make one event, then publish them as one: the audio
/// thread sees all or nothing of it. A publication that is replaced before it was seen loses nothing.
public final class MixPlanner {
  private let memory: MixMemory
  private var wantedStrips: [StripPlan]
  private var wantedOutputs: [OutputRoutePlan]
  private var wantedInputs: [InputRoutePlan]
  private var wantedHost = HostPlan()

  /// What has changed since the last publication.
  private var changedStrips: BitSet
  private var changedOutputs: UInt64 = 0
  private var changedInputs: UInt64 = 0
  private var hasHostChanged = true

  /// What was published without a frame: what a slot that was not written for a while has to catch up with.
  private let base: PlanSlot
  /// What each slot lacks of `base`.
  private var missingStrips: [BitSet]
  private var missingOutputs: [UInt64] = [0, 0, 0]
  private var missingInputs: [UInt64] = [0, 0, 0]

  private var writing = PlanExchange.firstWriting
  private var timelineWrite: UInt64 = 0
  private var lastFrame: UInt64 = 0

  /// The number of the last publication; 0 before the first.
  public private(set) var publishedSequence: UInt64 = 0
  public var capacity: MixCapacity { memory.capacity }

  init(memory: MixMemory) {
    self.memory = memory
    let capacity = memory.capacity
    wantedStrips = Array(repeating: StripPlan(), count: capacity.strips)
    wantedOutputs = Array(repeating: OutputRoutePlan(), count: capacity.outputRoutes)
    wantedInputs = Array(repeating: InputRoutePlan(), count: capacity.inputRoutes)
    changedStrips = BitSet(words: capacity.stripWords)
    missingStrips = Array(repeating: BitSet(words: capacity.stripWords), count: 3)
    base = memory.base
  }

  /// What is wanted of a strip. The index must be one of the capacity's.
  public subscript(strip index: Int) -> StripPlan {
    get { wantedStrips[index] }
    _modify {
      changedStrips.insert(index)
      yield &wantedStrips[index]
    }
  }

  /// What is wanted of an output route. The index must be one of the capacity's.
  public subscript(output index: Int) -> OutputRoutePlan {
    get { wantedOutputs[index] }
    _modify {
      changedOutputs |= 1 << UInt64(index)
      yield &wantedOutputs[index]
    }
  }

  /// What is wanted of an input route. The index must be one of the capacity's.
  public subscript(input index: Int) -> InputRoutePlan {
    get { wantedInputs[index] }
    _modify {
      changedInputs |= 1 << UInt64(index)
      yield &wantedInputs[index]
    }
  }

  /// What is wanted of the host.
  public var host: HostPlan {
    get { wantedHost }
    _modify {
      hasHostChanged = true
      yield &wantedHost
    }
  }

  /// The newest publication that is wholly in force in the audio thread.
  public var acknowledgedSequence: UInt64 { memory.shared.pointee.acknowledged.load(ordering: .acquiring) }

  /// Publishes everything that has changed since the last time; where nothing has, the last publication stands.
  ///
  /// - Parameter frame: The first frame that the changes count for, or `nil` for the next cycle. Publications keep their
  ///   order: one that names an earlier frame than one before it, or none, while that one is still waiting, comes into
  ///   force right after it. A frame in the past is the next cycle. On a frame of its own a ramp still has the old value;
  ///   without one it starts from the last frame that was heard, so that the next cycle begins with its first step.
  @discardableResult
  public func publish(at frame: UInt64? = nil) -> Publication {
    guard changeCount > 0 else { return .published(sequence: publishedSequence) }
    let read = memory.shared.pointee.timelineRead.load(ordering: .acquiring)
    if frame == nil && read == timelineWrite {
      updateBase(sequence: publishedSequence + 1)
    } else {
      let free = memory.capacity.timedChanges - Int(timelineWrite - read)
      guard changeCount <= free else { return .timelineFull }
      lastFrame = max(lastFrame, frame ?? 0)
      extendTimeline(sequence: publishedSequence + 1)
    }
    publishedSequence += 1
    clearChanges()
    offerSlot()
    return .published(sequence: publishedSequence)
  }
}

extension MixPlanner {
  private var changeCount: Int {
    changedStrips.count + changedOutputs.nonzeroBitCount + changedInputs.nonzeroBitCount + (hasHostChanged ? 1 : 0)
  }

  private func clearChanges() {
    changedStrips.removeAll()
    changedOutputs = 0
    changedInputs = 0
    hasHostChanged = false
  }

  /// Takes the changes over into what every slot will get.
  private func updateBase(sequence: UInt64) {
    let capacity = memory.capacity
    for index in changedStrips {
      base.strips[index] = StripSettings(wantedStrips[index], capacity: capacity)
      base.stripVersions[index] = sequence
    }
    for index in SetBits(changedOutputs) {
      base.outputs[index] = OutputRouteSettings(wantedOutputs[index], longestLookAhead: memory.longestLookAhead)
      base.outputVersions[index] = sequence
    }
    for index in SetBits(changedInputs) {
      base.inputs[index] = InputRouteSettings(wantedInputs[index])
      base.inputVersions[index] = sequence
    }
    for slot in 0..<3 {
      missingStrips[slot].formUnion(changedStrips)
      missingOutputs[slot] |= changedOutputs
      missingInputs[slot] |= changedInputs
    }
    let header = memory.baseHeader
    if hasHostChanged {
      header.pointee.host = HostSettings(wantedHost)
      header.pointee.hostVersion = sequence
    }
    if changedOutputs != 0 { header.pointee.outputsVersion = sequence }
    if changedInputs != 0 { header.pointee.inputsVersion = sequence }
  }

  /// Puts the changes into the timeline, at `lastFrame`.
  private func extendTimeline(sequence: UInt64) {
    let capacity = memory.capacity
    func append(_ subject: TimedChange.Subject, _ index: Int, _ fill: (inout TimedChange) -> Void) {
      let place = memory.timeline + Int(timelineWrite % UInt64(capacity.timedChanges))
      place.pointee.frame = lastFrame
      place.pointee.sequence = sequence
      place.pointee.subject = subject
      place.pointee.index = Int32(index)
      fill(&place.pointee)
      timelineWrite += 1
    }
    if hasHostChanged { append(.host, 0) { $0.host = HostSettings(wantedHost) } }
    for index in SetBits(changedInputs) {
      append(.input, index) { $0.input = InputRouteSettings(wantedInputs[index]) }
    }
    for index in SetBits(changedOutputs) {
      append(.output, index) {
        $0.output = OutputRouteSettings(wantedOutputs[index], longestLookAhead: memory.longestLookAhead)
      }
    }
    for index in changedStrips {
      append(.strip, index) { $0.strip = StripSettings(wantedStrips[index], capacity: capacity) }
    }
  }

  /// Brings the slot that is being written up to date and offers it.
  private func offerSlot() {
    let slot = memory.slots + writing
    for index in missingStrips[writing] {
      let version = base.stripVersions[index]
      slot.pointee.strips[index] = base.strips[index]
      slot.pointee.stripVersions[index] = version
      slot.pointee.groupVersions[index / 64] = max(slot.pointee.groupVersions[index / 64], version)
    }
    for index in SetBits(missingOutputs[writing]) {
      slot.pointee.outputs[index] = base.outputs[index]
      slot.pointee.outputVersions[index] = base.outputVersions[index]
    }
    for index in SetBits(missingInputs[writing]) {
      slot.pointee.inputs[index] = base.inputs[index]
      slot.pointee.inputVersions[index] = base.inputVersions[index]
    }
    missingStrips[writing].removeAll()
    missingOutputs[writing] = 0
    missingInputs[writing] = 0
    let header = memory.baseHeader.pointee
    slot.pointee.host = header.host
    slot.pointee.hostVersion = header.hostVersion
    slot.pointee.outputsVersion = header.outputsVersion
    slot.pointee.inputsVersion = header.inputsVersion
    slot.pointee.sequence = publishedSequence
    slot.pointee.timelineEnd = timelineWrite
    writing = memory.shared.pointee.exchange.publish(writing)
  }
}
