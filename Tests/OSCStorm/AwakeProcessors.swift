import CSendBatch
import Foundation
import Glibc
import Synchronization

/// Keeps the processors from falling asleep: on each a thread that goes behind all others and never sleeps.
///
/// Where a processor has nothing to do, a virtual machine gives it back to its host, and may have to wait milliseconds to get
/// it again: a time that is none of those who are measured. A studio turns the sleep of its processors off for the same reason.
public final class AwakeProcessors: Sendable {
  private let isOver = Atomic<Bool>(false)

  /// They are kept awake from now on.
  public init() {
    for processor in 0..<ProcessInfo.processInfo.activeProcessorCount {
      let thread = Thread { [self] in
        guard Self.retire(to: processor) else { return }
        while !isOver.load(ordering: .relaxed) {}
      }
      thread.start()
    }
  }

  /// They may sleep again.
  public func stop() { isOver.store(true, ordering: .relaxed) }

  /// The calling thread runs on one processor only, and there when nobody else does; false where that is not to be had.
  /// `sched_setaffinity`, `sched_setscheduler`
  private static func retire(to processor: Int) -> Bool {
    var mask: UInt = 1 << UInt(processor)
    _ = probe_sched_setaffinity(0, UInt(MemoryLayout<UInt>.size), &mask)
    var parameter = sched_param(sched_priority: 0)
    return sched_setscheduler(0, probe_sched_idle, &parameter) == 0
  }
}
