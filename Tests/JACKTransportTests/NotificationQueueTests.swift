import Dispatch
import Glibc
import Synchronization
import Testing

@testable import JACKTransport

@Suite struct `Notifications on their way` {
  private func canBeRead(_ queue: NotificationQueue) -> Bool {
    var entry = pollfd(fd: queue.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  @Test func `the descriptor tells that there are some, until they are taken`() throws {
    let queue = try NotificationQueue()
    #expect(!canBeRead(queue))
    queue.post(.xrun, time: 1)
    queue.post(.periodChanged(64), time: 2)
    #expect(canBeRead(queue))
    #expect(
      queue.drain() == [
        TimedNotification(time: 1, notification: .xrun), TimedNotification(time: 2, notification: .periodChanged(64)),
      ])
    #expect(!canBeRead(queue))
    #expect(queue.drain() == [])
    queue.post(.xrun, time: 3)
    #expect(canBeRead(queue))
  }

  @Test func `reorderings in a row are one`() throws {
    let queue = try NotificationQueue()
    for time: UInt64 in 1...3 { queue.post(.graphReordered, time: time) }
    queue.post(.xrun, time: 4)
    queue.post(.graphReordered, time: 5)
    #expect(queue.drain().map(\.notification) == [.graphReordered, .xrun, .graphReordered])
  }

  @Test func `too many are told as missed, but the end of the server is never lost`() throws {
    let queue = try NotificationQueue(limit: 2)
    for name in ["a", "b", "c", "d"] { queue.post(.clientRegistered(name), time: 0) }
    queue.post(.serverGone(reason: "killed"), time: 0)
    #expect(
      queue.drain().map(\.notification) == [
        .clientRegistered("a"), .clientRegistered("b"), .missed, .serverGone(reason: "killed"),
      ])
    queue.post(.clientRegistered("e"), time: 0)
    #expect(queue.drain().map(\.notification) == [.clientRegistered("e")])
  }

  private final class Marks: Sendable {
    let hasBegun = DispatchSemaphore(value: 0)
    let isDone = Atomic(false)
  }

  /// libjack ends the thread that tells them whenever a client is closed.
  @Test func `who is ended in the midst of telling one ends after it`() {
    let marks = Marks()
    var thread = pthread_t()
    let begin: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
      guard let argument else { return nil }
      System.withoutCancellation {
        let marks = Unmanaged<Marks>.fromOpaque(argument).takeUnretainedValue()
        marks.hasBegun.signal()
        // Here threads are ended.
        usleep(50_000)
        marks.isDone.store(true, ordering: .releasing)
      }
      return nil
    }
    withExtendedLifetime(marks) {
      #expect(pthread_create(&thread, nil, begin, Unmanaged.passUnretained(marks).toOpaque()) == 0)
      marks.hasBegun.wait()
      pthread_cancel(thread)
      pthread_join(thread, nil)
    }
    let isDone = marks.isDone.load(ordering: .acquiring)
    #expect(isDone)
  }
}
