import Foundation
import Synchronization

/// Says how long the machine lets a thread wait that is to be woken: one like those of the programs under test.
final class WakeWatch: Sendable {
  private let worst = Atomic<Int64>(0)

  /// Watches from now on until it is forgotten.
  init() {
    Thread.detachNewThread { [weak self] in
      var last = ContinuousClock.now
      let pause = Duration.milliseconds(2)
      while let watch = self {
        Thread.sleep(forTimeInterval: 0.002)
        let now = ContinuousClock.now
        let delay = now - last - pause
        watch.worst.max(Int64(delay / .nanoseconds(1)), ordering: .relaxed)
        last = now
      }
    }
  }

  /// How long it has waited at most, beyond the time it had asked for.
  var latest: Duration { .nanoseconds(worst.load(ordering: .relaxed)) }
}
