import Foundation
import JACKProbe
import Synchronization

/// Records piece after piece and compares each with what was played, so that an hour needs no more room than a second.
final class MusicJudge: @unchecked Sendable {
  // Unchecked for the probe client, of which the thread that listens uses what any thread may.
  private let noise: [Float]
  private let start: Int
  private let margin: Int
  private let desk: ProbeClient
  private let state = Mutex(State())

  private struct State {
    var compared = 0
    var wrong = 0
    var isOver = false
    var failure: (any Error)?
  }

  /// - Parameters:
  ///   - noise: what is played over and over.
  ///   - start: from which frame on.
  ///   - margin: how many frames beside a gap are left out.
  init(noise: [Float], start: Int, margin: Int, desk: ProbeClient) {
    (self.noise, self.start, self.margin, self.desk) = (noise, start, margin, desk)
  }

  var compared: Int { state.withLock { $0.compared } }
  var wrong: Int { state.withLock { $0.wrong } }

  /// Listens while something happens.
  func listen<Result>(_ body: () throws -> Result) throws -> Result {
    let thread = Thread { [self] in
      do { try follow() } catch { state.withLock { $0.failure = error } }
      state.withLock { $0.isOver = true }
    }
    thread.start()
    let result = Swift.Result { try body() }
    thread.cancel()
    guard eventually(within: 240, { state.withLock { $0.isOver } }) else {
      throw ProbeError("the server runs no cycles any more")
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
    return try result.get()
  }

  private func follow() throws {
    let size = noise.count
    var next = start
    while true {
      let job = desk.start(record: size, at: next)
      defer { desk.stop(job) }
      let isLast = Thread.current.isCancelled
      let recording = try job.recording(within: 180)
      judge(recording, at: next)
      if isLast { return }
      next += size
      // Late by more than the recording's own length: what was missed meanwhile is not judged.
      if desk.heard > next { next += (desk.heard - next + size - 1) / size * size }
    }
  }

  private func judge(_ recording: ProbeRecording, at frame: Int) {
    let heard = recording.channels[0]
    let origin = frame - start
    var wrong = 0
    var compared = 0
    var gaps = recording.gaps[...]
    for index in heard.indices {
      while let gap = gaps.first, gap.upperBound + margin <= index { gaps.removeFirst() }
      if let gap = gaps.first, index >= gap.lowerBound - margin { continue }
      compared += 1
      if heard[index] != noise[(origin + index) % noise.count] { wrong += 1 }
    }
    state.withLock {
      $0.compared += compared
      $0.wrong += wrong
    }
  }
}
