import Foundation
import JACKProbe

/// The thread of a process that runs once in each cycle, and the time that it has spent on a processor.
struct AudioThread {
  private let path: String

  /// Finds it: the one that was let run most often within a while.
  init(ofProcess id: Int32) throws {
    let tasks = "/proc/\(id)/task"
    func runs() -> [String: UInt64] {
      var runs: [String: UInt64] = [:]
      for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
        runs[task] = Self.words("\(tasks)/\(task)/schedstat").last
      }
      return runs
    }
    let before = runs()
    Thread.sleep(forTimeInterval: 0.3)
    let busiest = runs().max { $0.value - (before[$0.key] ?? 0) < $1.value - (before[$1.key] ?? 0) }
    guard let busiest else { throw ProbeError("process \(id) has no threads") }
    path = "\(tasks)/\(busiest.key)/schedstat"
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
