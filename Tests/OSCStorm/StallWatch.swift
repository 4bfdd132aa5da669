import CSendBatch
import Foundation
import Glibc
import Synchronization

/// Notices when the machine stands still: on each processor a thread that goes before all others and only sleeps is late.
///
/// A virtual machine is not always run, and then a cycle can end too late whatever the daemon does.
final class StallWatch: Sendable {
  /// Seconds that a thread sleeps, and by how much later than that it is woken where the processor stands still.
  private static let (sleep, stall) = (0.002, 0.002)

  private let stalls = Mutex<[ClosedRange<Double>]>([])
  private let isOver = Atomic<Bool>(false)

  init() {
    for processor in 0..<ProcessInfo.processInfo.activeProcessorCount {
      let thread = Thread { [self] in
        Self.take(processor)
        watch()
      }
      thread.start()
    }
  }

  /// How often one of the processors has stood still so far.
  var count: Int { stalls.withLock { $0.count } }

  /// When it was so, each in seconds of `Clock`.
  var all: [ClosedRange<Double>] { stalls.withLock { $0 } }

  func stop() { isOver.store(true, ordering: .relaxed) }

  private func watch() {
    while !isOver.load(ordering: .relaxed) {
      let due = Clock.seconds + Self.sleep
      Clock.sleep(until: due)
      let now = Clock.seconds
      if now > due + Self.stall { stalls.withLock { $0.append(due...now) } }
    }
  }

  /// The calling thread runs on one processor only, and before all others there. `sched_setaffinity`, `sched_setscheduler`
  private static func take(_ processor: Int) {
    var mask: UInt = 1 << UInt(processor)
    _ = probe_sched_setaffinity(0, UInt(MemoryLayout<UInt>.size), &mask)
    var parameter = sched_param(sched_priority: sched_get_priority_max(SCHED_FIFO))
    _ = sched_setscheduler(0, SCHED_FIFO, &parameter)
  }
}
