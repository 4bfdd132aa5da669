import Foundation
import JACKProbe

/// The thread of a process that runs once in each cycle, and the time that it has spent on a processor.
struct AudioThread {
  private let path: String

  /// Finds it: the one that was let run most often within a while, and not seldom, as any may be while the server stands
  /// still.
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
    for _ in 0..<10 {
      let before = (runs: runs(), cycles: cycles())
      Thread.sleep(forTimeInterval: 0.3)
      let counts = runs().map { (task: $0.key, count: $0.value - (before.runs[$0.key] ?? 0)) }
      if let busiest = counts.max(by: { $0.count < $1.count }),
        Double(busiest.count) > max(20, 0.8 * (cycles() - before.cycles))
      {
        path = "\(tasks)/\(busiest.task)/schedstat"
        return
      }
    }
    throw ProbeError("no thread of process \(id) runs in each cycle")
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
