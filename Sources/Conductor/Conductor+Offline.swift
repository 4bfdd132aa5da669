import AddressSpace
import SessionPolicy

// What an offline rendering asks for beside what a daemon does: events that take effect on their frame at once, and what
// came of each of their messages.
extension Conductor {
  /// Applies messages as one event that takes effect exactly on a frame.
  ///
  /// Events have to be performed in the order of their frames, shortly before these (`MixPlanner.publish`). What the host
  /// does by itself before has to be done first (`performOwnEvents`).
  /// - Parameters:
  ///   - seconds: the same on the clock of the policy.
  ///   - frame: the first frame that the event counts for.
  /// - Returns: what each message was answered, in their order.
  public func perform(
    _ messages: [Message], from reader: ReaderID, at seconds: Double, onFrame frame: UInt64
  ) -> [[Reply]] {
    var replies: [[Reply]] = []
    performEvent(at: seconds) {
      replies = messages.map { dispatch($0, from: reader) }
    }
    publish(atFrame: frame)
    return replies
  }

  /// Does what the host does by itself by a time, so that it takes effect exactly on a frame.
  public func performOwnEvents(until seconds: Double, onFrame frame: UInt64) {
    performOwnEvents(until: seconds)
    if control.isGliding { moveGlides(to: seconds) }
    publish(atFrame: frame)
  }

  /// When the host does something by itself next, in seconds.
  public var nextOwnTime: Double? { nextOwnEvent }

  /// What an address reads at a time, or why it cannot be read. That is no event.
  public func read(_ address: String, for reader: ReaderID, at seconds: Double) -> [Reply] {
    var copy = control
    copy.moveGlides(to: seconds)
    return AddressTable.apply(Message(address), to: &copy, environment: measurements, reader: reader)
  }

  /// The strips of the mixer that may sound, and the names of the sessions whose they are.
  public var strips: [(session: String, index: Int)] { stage?.strips ?? [] }

  /// Whether an event may come of what the mixer hears (§9, D1).
  public var hearsSignals: Bool { stage != nil && listensForSignals }

  /// The peak of a session since this reader last asked, after all its gains: dBFS, at least −120.
  public func peak(of session: SessionID, reader: ReaderID) -> Double {
    measurements.peak(of: session, reader: reader)
  }

  /// By how much a session is turned down now for others: dB, at most 0.
  public func reduction(of session: SessionID) -> Double { measurements.reduction(of: session) }
}
