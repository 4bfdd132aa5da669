import Dispatch
import Glibc
import Synchronization

/// Does what concerns JACK's metadata on a thread of its own, one thing after the other.
///
/// libjack keeps metadata in a database that all programs of a user share, with locks in shared memory. Where a program dies
/// or stands still while it reads or writes, everybody else who does stands still as well, perhaps for ever. Sound, wires
/// and messages must not wait for names: whoever asks here waits for a moment only, and as long as the database stands
/// still not at all.
final class MetadataThread: Sendable {
  /// How long anybody waits.
  private let patience: DispatchTimeInterval
  private let queue = DispatchQueue(label: "metadata")
  /// Whether something that was given up has not come to its end yet.
  private let stuck = Atomic<Bool>(false)
  /// The thread that is at something now, and whether it is never to come back from it.
  private let place = Mutex(Place())

  private struct Place {
    var thread: pthread_t?
    var isAbandoned = false
  }

  /// - Parameter patience: how long anybody waits for an answer.
  init(patience: DispatchTimeInterval = .milliseconds(250)) { self.patience = patience }

  /// Whether the database stands still: what is asked now is answered at once, with nil. Any thread.
  var isStuck: Bool { stuck.load(ordering: .acquiring) }

  /// Does something and returns what comes of it; nil if it does not come to an end, which it may yet do. Control thread
  /// only.
  func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Value? {
    guard !isStuck else { return nil }
    let answer = Answer<Value>()
    queue.async { [self] in
      place.withLock { $0.thread = pthread_self() }
      let value = System.whileParkable(work)
      guard !leave() else { System.parkThread() }
      answer.give(value)
      if answer.isLate { stuck.store(false, ordering: .releasing) }
    }
    if let value = answer.wait(patience) { return value }
    stuck.store(true, ordering: .releasing)
    if !answer.giveUp() { stuck.store(false, ordering: .releasing) }
    return nil
  }

  /// Takes note that something has come to its end; says whether nobody wants it any more.
  private func leave() -> Bool {
    place.withLock { place in
      place.thread = nil
      return place.isAbandoned
    }
  }

  /// Gives up what does not come to its end, for good: its thread does not move any more, whatever becomes of the database,
  /// so that what it uses may be taken away. `finish` does not return then. Control thread only.
  ///
  /// - Returns: Whether there was something that stood still; otherwise nothing is changed.
  func abandon() -> Bool {
    guard isStuck else { return false }
    return place.withLock { place in
      guard let thread = place.thread else { return false }
      place.isAbandoned = true
      System.park(thread)
      return true
    }
  }

  /// Waits until nothing is under way any more, however long that takes. Not for the control thread.
  func finish() { queue.sync {} }
}

/// What comes of something on another thread, or too late.
private final class Answer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case given(Value)
    case givenUp
  }

  private let state = Mutex(State.open)
  private let isThere = DispatchSemaphore(value: 0)

  func give(_ value: Value) {
    state.withLock { if case .open = $0 { $0 = .given(value) } }
    isThere.signal()
  }

  func wait(_ patience: DispatchTimeInterval) -> Value? {
    guard isThere.wait(timeout: .now() + patience) == .success else { return nil }
    return state.withLock { if case .given(let value) = $0 { value } else { nil } }
  }

  /// Waits no more; says whether nothing had come by then.
  func giveUp() -> Bool {
    state.withLock { state in
      guard case .open = state else { return false }
      state = .givenUp
      return true
    }
  }

  var isLate: Bool { state.withLock { if case .givenUp = $0 { true } else { false } } }
}
