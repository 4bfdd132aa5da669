import Dispatch
import Testing

@testable import JACKTransport

@Suite struct `Metadata that stand still` {
  @Test func `hold up nobody, and are there again when they go on`() {
    let thread = MetadataThread(patience: .milliseconds(20))
    #expect(thread.perform { 1 } == 1)
    // Somebody has died with the locks of the database in his hands: the call does not return.
    let lock = DispatchSemaphore(value: 0)
    #expect(
      thread.perform {
        lock.wait()
        return 2
      } == nil)
    #expect(thread.isStuck)
    // Whoever comes later is not even made to wait: this would take an hour.
    for _ in 0..<180_000 where thread.perform({ 3 }) != nil { Issue.record("it was done in between") }
    lock.signal()
    thread.finish()
    #expect(!thread.isStuck)
    #expect(thread.perform { 4 } == 4)
  }

  /// What it would touch then has been taken away.
  @Test func `what was given up for good does not go on when it could`() {
    let thread = MetadataThread(patience: .milliseconds(20))
    #expect(!thread.abandon())
    let (lock, hasGoneOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let work: @Sendable () -> Void = {
      lock.wait()
      hasGoneOn.signal()
    }
    #expect(thread.perform(work) == nil)
    #expect(thread.abandon())
    lock.signal()
    #expect(hasGoneOn.wait(timeout: .now() + .milliseconds(300)) == .timedOut)
    #expect(thread.perform { 5 } == nil)
    // Another is not concerned.
    #expect(MetadataThread().perform { 6 } == 6)
  }
}
