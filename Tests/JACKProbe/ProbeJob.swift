import Foundation
import Synchronization

/// Something that a probe client plays, records, or both, from one frame on.
public final class ProbeJob: @unchecked Sendable {
  // Unsafe: the audio thread writes `takes` up to `filled` and sets `runs` up to `runCount`, others read only that far.
  let played: [UnsafeMutableBufferPointer<Float>]
  let repeats: Bool
  let takes: [UnsafeMutableBufferPointer<Float>]
  let frames: Int
  private let start: Atomic<Int>
  private let filled = Atomic(0)
  private let runs = UnsafeMutableBufferPointer<Range<Int>>.allocate(capacity: 4096)
  private let runCount = Atomic(0)

  init(play: [[Float]], repeats: Bool, record frames: Int, inputs: Int, at frame: Int?) {
    played = play.map { samples in
      let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: samples.count)
      _ = buffer.initialize(from: samples)
      return buffer
    }
    self.repeats = repeats
    takes = (0..<(frames > 0 ? inputs : 0)).map { _ in
      let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: frames)
      buffer.initialize(repeating: 0)
      return buffer
    }
    self.frames = frames
    start = Atomic(frame ?? -1)
  }

  deinit {
    for buffer in played + takes { buffer.deallocate() }
    runs.deallocate()
  }

  /// The frame of the first sample, if it is decided.
  var firstFrame: Int? {
    let frame = start.load(ordering: .acquiring)
    return frame < 0 ? nil : frame
  }

  /// The JACK frame of the first sample: waits until the server has come there.
  public func begin(within seconds: Double = 30) throws -> Int {
    guard eventually(within: seconds, { firstFrame != nil }), let frame = firstFrame else {
      throw ProbeError("the server runs no cycles")
    }
    return frame
  }

  /// All that is to be recorded: waits until it is.
  public func recording(within seconds: Double = 120) throws -> ProbeRecording {
    guard eventually(within: seconds, { filled.load(ordering: .acquiring) >= frames }) else {
      throw ProbeError("recorded \(filled.load(ordering: .acquiring)) of \(frames) frames in \(seconds) s")
    }
    _ = try begin()
    return recording(of: frames)
  }

  /// What is recorded by now.
  public var soFar: ProbeRecording { recording(of: filled.load(ordering: .acquiring)) }

  private func recording(of count: Int) -> ProbeRecording {
    var gaps: [Range<Int>] = []
    var next = 0
    for run in (0..<runCount.load(ordering: .acquiring)).map({ runs[$0].clamped(to: 0..<count) }) where !run.isEmpty {
      if run.lowerBound > next { gaps.append(next..<run.lowerBound) }
      next = run.upperBound
    }
    if next < count { gaps.append(next..<count) }
    return ProbeRecording(firstFrame: firstFrame ?? 0, channels: takes.map { Array($0.prefix(count)) }, gaps: gaps)
  }

  // MARK: Audio thread

  /// One cycle: adds what is played to the outputs, writes down the inputs.
  func run(
    cycle frame: Int, frames count: Int, outputs: [UnsafeMutablePointer<Float>?],
    inputs: [UnsafeMutablePointer<Float>?]
  ) {
    if start.load(ordering: .relaxed) < 0 { start.store(frame, ordering: .releasing) }
    let offset = frame - start.load(ordering: .relaxed)
    for (buffer, output) in zip(played, outputs) where !buffer.isEmpty {
      guard let output else { continue }
      for index in max(0, -offset)..<max(count, 0, -offset) {
        let place = offset + index
        if place < buffer.count {
          output[index] += buffer[place]
        } else if repeats {
          output[index] += buffer[place % buffer.count]
        }
      }
    }
    guard offset + count > 0 else { return }
    guard offset < frames else {
      // The cycle of the last frame may be one that the server has left out.
      filled.store(frames, ordering: .releasing)
      return
    }
    let span = max(offset, 0)..<min(offset + count, frames)
    for (buffer, input) in zip(takes, inputs) {
      guard let input else { continue }
      for place in span { buffer[place] = input[place - offset] }
    }
    note(span)
    filled.store(span.upperBound, ordering: .releasing)
  }

  private func note(_ span: Range<Int>) {
    let count = runCount.load(ordering: .relaxed)
    if count > 0, runs[count - 1].upperBound == span.lowerBound {
      runs[count - 1] = runs[count - 1].lowerBound..<span.upperBound
    } else if count < runs.count {
      runs[count] = span
      runCount.store(count + 1, ordering: .releasing)
    }
  }
}

/// What a probe client heard.
public struct ProbeRecording: Sendable {
  /// The JACK frame of the first sample.
  public let firstFrame: Int
  /// By input, a sample for each frame.
  public let channels: [[Float]]
  /// Offsets for which the server ran no cycle (after an xrun); the samples there are 0.
  public let gaps: [Range<Int>]

  /// The samples of an input from a JACK frame on.
  public func samples(_ channel: Int, from frame: Int) -> ArraySlice<Float> {
    channels[channel][(frame - firstFrame)...]
  }
}
