import Foundation
import JACKProbe

/// Samples to play.
enum Sound {
  /// Noise that is the same for the same seed, within ±peak.
  static func noise(_ count: Int, peak: Float, seed: UInt32) -> [Float] {
    var state = seed &* 2_654_435_761 | 1
    return (0..<count).map { _ in
      // Marsaglia's xorshift of 32 bits.
      state ^= state << 13
      state ^= state >> 17
      state ^= state << 5
      return (Float(state >> 8) / Float(1 << 23) - 1) * peak
    }
  }

  /// One value.
  static func level(_ value: Float, _ count: Int) -> [Float] { [Float](repeating: value, count: count) }

  /// Silence.
  static func silence(_ count: Int) -> [Float] { level(0, count) }
}

/// What happened to the gain of a known level: where it rested, and how it went from there to there.
struct GainHistory {
  /// One way from a rest to the next.
  struct Change {
    /// Offset of the last frame of the rest before.
    let start: Int
    /// Offset of the first frame of the rest after.
    let end: Int
    /// Gains.
    let from: Double
    let to: Double
    /// The furthest that a frame's position lies off the straight line between the two, as positions of a cubic fader.
    let deviation: Double
    /// The largest step between neighbouring gains.
    let largestStep: Double

    var length: Int { end - start }

    /// The largest step that a straight line between the positions can take.
    var steepestStep: Double {
      let (low, high) = (cbrt(min(from, to)), cbrt(max(from, to)))
      let step = (high - low) / Double(length)
      return pow(high, 3) - pow(high - step, 3)
    }
  }

  let gains: [Double]
  let changes: [Change]

  /// Of what was recorded while a level was played.
  init(_ samples: some Sequence<Float>, level: Float) {
    let gains = samples.map { Double($0) / Double(level) }
    self.gains = gains
    var changes: [Change] = []
    // A rest is as long as 16 frames of the same gain: no ramp of these tests moves so slowly.
    let rest = 16
    var index = 1
    while index < gains.count {
      guard gains[index] != gains[index - 1] else {
        index += 1
        continue
      }
      let start = index - 1
      var last = index
      while index < gains.count, index - last < rest {
        if gains[index] != gains[index - 1] { last = index }
        index += 1
      }
      changes.append(Self.change(gains, from: start, to: last))
    }
    self.changes = changes
  }

  private static func change(_ gains: [Double], from start: Int, to end: Int) -> Change {
    let (first, last) = (cbrt(gains[start]), cbrt(gains[end]))
    var deviation = 0.0
    var largest = 0.0
    for index in start...end {
      let line = first + (last - first) * Double(index - start) / Double(end - start)
      deviation = max(deviation, abs(cbrt(gains[index]) - line))
      if index > start { largest = max(largest, abs(gains[index] - gains[index - 1])) }
    }
    return Change(
      start: start, end: end, from: gains[start], to: gains[end], deviation: deviation, largestStep: largest)
  }
}

extension Double {
  /// A gain in dB.
  var decibels: Double { 20 * log10(self) }
}

extension ProbeRecording {
  /// Whether something is so for all offsets of a range for which the server ran a cycle.
  func isCovered(_ range: ClosedRange<Int>, _ isSo: (Int) -> Bool) -> Bool {
    range.allSatisfy { offset in gaps.contains { $0.contains(offset) } || isSo(offset) }
  }
}
