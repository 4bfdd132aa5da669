import Foundation
import JACKProbe

/// The thread of a process that runs once in each cycle, and the time that it has spent on a processor.
struct AudioThread {
  private let path: String

  /// Finds it: the one that was let run as often as there were cycles within a while.
  ///
  /// - Parameter cycles: How many there were so far.
  init(ofProcess id: Int32, cycles: () -> Double) throws {
    let tasks = "/proc/\(id)/task"
    func runs() -> [String: UInt64] {
      var runs: [String: UInt64] = [:]
      for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
        runs[task] = Self.words("\(tasks)/\(task)/schedstat").last
      }
      return runs
    }
    let before = (runs: runs(), cycles: cycles())
    Thread.sleep(forTimeInterval: 0.3)
    let after = (runs: runs(), cycles: cycles())
    func difference(_ task: String) -> Double {
      abs(Double((after.runs[task] ?? 0) - (before.runs[task] ?? 0)) - (after.cycles - before.cycles))
    }
    guard let task = after.runs.keys.min(by: { difference($0) < difference($1) }) else {
      throw ProbeError("process \(id) has no threads")
    }
    path = "\(tasks)/\(task)/schedstat"
  }

  /// Nanoseconds on a processor so far.
  func time() throws -> UInt64 {
    guard let time = Self.words(path).first else { throw ProbeError("the audio thread has ended") }
    return time
  }

  /// Time on a processor, time of waiting for one, and how often it was let run.
  private static func words(_ path: String) -> [UInt64] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
    return text.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0) }
  }
}
