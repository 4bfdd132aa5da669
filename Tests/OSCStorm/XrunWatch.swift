import Foundation
import Glibc
import JACKProbe
import Synchronization

/// Notices when a server gives the daemon's audio thread up while that is running: late for its own fault, if the machine has
/// not stood still. Whom the machine had not let run in time the server calls triggered.
final class XrunWatch: Sendable {
  private static let sign = "client = eider was not finished, state = Running"

  private let moments = Mutex<[Double]>([])
  private let isOver = Atomic<Bool>(false)

  /// - Throws: `CocoaError` where the server's output cannot be read.
  init(_ server: ProbeServer) throws {
    let file = try FileHandle(forReadingFrom: server.log)
    let thread = Thread { [self] in
      // Before all but audio, so that it reads what is told when it is told.
      var parameter = sched_param(sched_priority: sched_get_priority_min(SCHED_FIFO))
      _ = sched_setscheduler(0, SCHED_FIFO, &parameter)
      var line = ""
      while !isOver.load(ordering: .relaxed) {
        let now = Clock.seconds
        line += String(decoding: file.availableData, as: UTF8.self)
        while let end = line.firstIndex(of: "\n") {
          if line[..<end].contains(Self.sign) { moments.withLock { $0.append(now) } }
          line.removeSubrange(...end)
        }
        Clock.sleep(until: now + 0.001)
      }
    }
    thread.start()
  }

  /// When it was so, in seconds of `Clock`.
  var all: [Double] { moments.withLock { $0 } }

  func stop() { isOver.store(true, ordering: .relaxed) }
}
