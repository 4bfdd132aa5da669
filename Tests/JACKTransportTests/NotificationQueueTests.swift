import Glibc
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
}
