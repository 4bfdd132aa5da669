import CPtrace
import Foundation
import JACKProbe

/// A single thread of a child process that is held up, as one that hangs, until it is released. Made and released on one
/// thread of the test.
final class StoppedThread {
  private let id: pid_t
  private var isReleased = false

  /// Stops the audio thread of a process: the one that waits and is woken most often.
  convenience init(audioOf process: Int32) throws {
    let before = try Self.waits(of: process)
    Thread.sleep(forTimeInterval: 0.5)
    let rates = try Self.waits(of: process).map { ($0, $1 - before[$0, default: $1]) }
    guard let busiest = rates.max(by: { $0.1 < $1.1 }), busiest.1 > 10 else {
      throw ProbeError("process \(process) has no audio thread")
    }
    try self.init(busiest.0)
  }

  /// Stops the thread that does all else: the one that a process begins with.
  convenience init(controlOf process: Int32) throws { try self.init(process) }

  private init(_ thread: pid_t) throws {
    id = thread
    guard eider_ptrace(Int32(eider_trace), id) == 0,
      eider_ptrace(Int32(eider_interrupt), id) == 0
    else { throw ProbeError("thread \(id) cannot be stopped: errno \(errno)") }
    var status: Int32 = 0
    waitpid(id, &status, __WALL)
  }

  /// How often each thread of a process has waited for something.
  private static func waits(of process: Int32) throws -> [pid_t: Int] {
    var counts: [pid_t: Int] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task") {
      // It may have ended meanwhile.
      guard let thread = pid_t(name),
        let text = try? String(contentsOfFile: "/proc/\(process)/task/\(name)/status", encoding: .utf8),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix("voluntary_ctxt_switches:") })
      else { continue }
      counts[thread] = line.split(separator: "\t").last.flatMap { Int($0) }
    }
    return counts
  }

  /// Lets it go on.
  func release() {
    guard !isReleased else { return }
    isReleased = true
    _ = eider_ptrace(Int32(eider_release), id)
  }

  deinit { release() }
}
