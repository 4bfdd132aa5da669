import Synchronization

/// Carries notifications from libjack's thread to the control thread.
///
/// `post` is called on libjack's notification thread, `drain` on the control thread, which learns by `descriptor` that
/// there is something. It holds 65536 notifications; what comes then is lost, and told by `missed`.
final class NotificationQueue: Sendable {
  /// Can be read (`poll`) while there are notifications.
  let descriptor: Int32

  private let writing: Int32
  private let pending = Mutex<[TimedNotification]>([])
  private let limit: Int

  init(limit: Int = 65536) throws(SystemError) {
    (descriptor, writing) = try System.pipe()
    self.limit = limit
  }

  deinit {
    System.close(descriptor)
    System.close(writing)
  }

  /// Adds one at the end and announces it.
  func post(_ notification: JACKNotification, time: UInt64) {
    let isFirst = pending.withLock { pending in
      let isFirst = pending.isEmpty
      if pending.count < limit || notification.endsEverything {
        // A storm of reorderings says no more than one.
        if notification != .graphReordered || pending.last?.notification != .graphReordered {
          pending.append(TimedNotification(time: time, notification: notification))
        }
      } else if pending.last?.notification != .missed {
        pending.append(TimedNotification(time: time, notification: .missed))
      }
      return isFirst
    }
    if isFirst { announce() }
  }

  /// Has the control thread drain, though there may be nothing. Any thread.
  func announce() { System.poke(writing) }

  /// Takes all out, in their order.
  func drain() -> [TimedNotification] {
    _ = System.read(descriptor, limit: 64)
    return pending.withLock { pending in
      let all = pending
      pending = []
      return all
    }
  }
}

extension JACKNotification {
  /// Whether it must never be lost.
  var endsEverything: Bool {
    if case .serverGone = self { true } else { false }
  }
}
