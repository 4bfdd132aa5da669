import Synchronization

/// One of the three places where a whole plan can stand.
struct PlanSlot {
  /// The publication that this is.
  var sequence: UInt64 = 0
  /// How many timed changes have ever been put into the timeline up to this publication.
  var timelineEnd: UInt64 = 0
  var host = HostSettings()
  /// The publication by which each thing here was last changed.
  var hostVersion: UInt64 = 0
  var outputsVersion: UInt64 = 0
  var inputsVersion: UInt64 = 0
  /// The newest version among each 64 strips.
  let groupVersions: UnsafeMutablePointer<UInt64>
  let stripVersions: UnsafeMutablePointer<UInt64>
  let strips: UnsafeMutablePointer<StripSettings>
  let outputVersions: UnsafeMutablePointer<UInt64>
  let outputs: UnsafeMutablePointer<OutputRouteSettings>
  let inputVersions: UnsafeMutablePointer<UInt64>
  let inputs: UnsafeMutablePointer<InputRouteSettings>
}

/// Hands whole plans from the control thread to the audio thread: three slots and one atomic word.
///
/// Of the slots the control thread writes one, the audio thread reads another, and the third is on offer. Publishing
/// and taking exchange one's own slot for the offered one. The newest plan wins; wait-free on both sides.
struct PlanExchange: ~Copyable {
  /// The slots that each side has at first.
  static var firstWriting: Int { 0 }
  static var firstReading: Int {
    @_noLocks @_noAllocation get { 2 }
  }

  /// Index of the slot on offer, plus 4 while the audio thread has not seen it.
  private let offer = Atomic<UInt8>(1)

  /// Offers the slot that was written, and returns another to write. Control thread only; wait-free.
  func publish(_ slot: Int) -> Int {
    Int(offer.exchange(UInt8(slot) | 4, ordering: .acquiringAndReleasing) & 3)
  }

  /// Gives a slot back for the newest plan, if there is one that was not seen yet; else returns the slot itself.
  /// Audio thread only; wait-free.
  @_noLocks @_noAllocation
  func take(insteadOf slot: Int) -> Int {
    if offer.load(ordering: .relaxed) & 4 == 0 { return slot }
    return Int(offer.exchange(UInt8(truncatingIfNeeded: slot), ordering: .acquiringAndReleasing) & 3)
  }
}

/// A change that waits for its frame: the whole new settings of one thing.
struct TimedChange {
  enum Subject: UInt8 { case strip, output, input, host }

  var frame: UInt64 = 0
  /// The publication that it belongs to.
  var sequence: UInt64 = 0
  var subject = Subject.host
  var index: Int32 = 0
  var strip = StripSettings()
  var output = OutputRouteSettings()
  var input = InputRouteSettings()
  var host = HostSettings()
}

/// What both threads see of each other, word by word.
struct SharedWords: ~Copyable {
  let exchange = PlanExchange()

  // Written by the audio thread, read by the control thread.

  /// Timed changes ever taken out of the timeline.
  let timelineRead = Atomic<UInt64>(0)
  /// The newest publication that is wholly in force.
  let acknowledged = Atomic<UInt64>(0)
  /// The first frame after the last cycle.
  let frame = Atomic<UInt64>(0)
  let cycles = Atomic<UInt64>(0)
  /// Cycles that were longer than prepared, and silent therefore.
  let oversizedCycles = Atomic<UInt64>(0)
  /// Timed changes whose frame had passed when they were first seen.
  let lateChanges = Atomic<UInt64>(0)
}
