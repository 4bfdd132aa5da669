import Foundation
import Testing

@testable import MixCore

/// The formulas without any art: one sample after the other.
private func naive(_ input: ArraySlice<Float>, _ output: inout [Float], gain: (Int) -> Float) -> UInt32 {
  var peak: UInt32 = 0
  for (index, sample) in input.enumerated() {
    let added = sample * gain(index)
    output[index] += added
    peak = max(peak, abs(added).bitPattern)
  }
  return peak
}

@Suite("Kernels")
struct KernelTests {
  private let input = (0..<200).map { noise($0) }
  private let background = (0..<200).map { noise($0, seed: 9) }

  /// Ramps of which the first `moving` move at frame 1000 and all others rest.
  private func curve(moving: Int) -> GainCurve {
    var curve = GainCurve()
    var end = UInt64.max
    for index in 0..<7 {
      var ramp = Ramp(1 - Float(index) / 20)
      if index < moving { ramp.move(to: Float(index) / 9, at: 1000 - UInt64(index * 3), over: 700) }
      curve.multiply(by: ramp, at: 1000, until: &end)
    }
    #expect(end == (moving == 0 ? .max : 1700 - UInt64((moving - 1) * 3)))
    return curve
  }

  /// The loops for every processor, and the widest that this one can run.
  private static let widths = [MixKernels(areWide: false), MixKernels.best]

  @Test(
    "The fast loops give what the naive formula gives, bit by bit, at every length and offset",
    arguments: 0...7, widths)
  func everyLength(moving: Int, kernels: MixKernels) {
    let curve = curve(moving: moving)
    var gains = [Float](repeating: 0, count: 80)
    var mistakes = 0
    for scale in [1, Float(0.70710678)] {
      for offset in 0..<9 {
        for count in 0...80 {
          var expected = Array(background[offset..<offset + count])
          let expectedPeak = naive(input[offset..<offset + count], &expected) {
            curve.gain(at: Int32($0)) * scale
          }
          var output = background
          let peak = input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
              kernels.add(
                input.baseAddress! + offset, to: output.baseAddress! + offset, count: count, curve: curve, scale: scale,
                gains: &gains)
            }
          }
          let untouched = Array(background[..<offset]) + expected + Array(background[(offset + count)...])
          if output != untouched || peak != expectedPeak { mistakes += 1 }
        }
      }
    }
    #expect(mistakes == 0)
  }

  @Test(
    "Two channels at once give what each gives by the naive formula, bit by bit, at every length and offset",
    arguments: 0...1, widths)
  func everyPair(moving: Int, kernels: MixKernels) {
    let curve = curve(moving: moving)
    let other = input.map { $0 * 0.3 - 0.1 }
    var mistakes = 0
    for offset in 0..<9 {
      for count in 0...80 {
        var expected = (Array(background[offset..<offset + count]), Array(input[offset..<offset + count]))
        let gain = curve.gain(at: 0)
        let expectedPeak = max(
          naive(input[offset..<offset + count], &expected.0) { curve.gain(at: Int32($0)) },
          naive(other[offset..<offset + count], &expected.1) {
            moving == 0 ? gain / 2 : curve.gain(at: Int32($0))
          })
        var output = (background, input)
        let peak = input.withUnsafeBufferPointer { left in
          other.withUnsafeBufferPointer { right in
            output.0.withUnsafeMutableBufferPointer { outputLeft in
              output.1.withUnsafeMutableBufferPointer { outputRight in
                let (left, right) = (left.baseAddress! + offset, right.baseAddress! + offset)
                let (outputLeft, outputRight) = (outputLeft.baseAddress! + offset, outputRight.baseAddress! + offset)
                return moving == 0
                  ? kernels.addPair(
                    left, right, to: outputLeft, outputRight, count: count, gains: (gain, gain / 2))
                  : kernels.addPair(
                    left, right, to: outputLeft, outputRight, count: count, resting: curve.resting,
                    factor: curve.movingFactor(0))
              }
            }
          }
        }
        let untouched = (
          Array(background[..<offset]) + expected.0 + Array(background[(offset + count)...]),
          Array(input[..<offset]) + expected.1 + Array(input[(offset + count)...])
        )
        if output != untouched || peak != expectedPeak { mistakes += 1 }
      }
    }
    #expect(mistakes == 0)
  }

  @Test("On a processor that has AVX2 the wide loops are taken")
  func width() throws {
    let processor = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
    #if arch(x86_64)
      #expect(MixKernels.best.areWide == processor.contains(" avx2 "))
    #else
      #expect(!MixKernels.best.areWide)
    #endif
  }

  @Test(
    "The peak of a signal is its greatest amplitude, and shows what is no finite number", arguments: 0...40, widths)
  func peak(count: Int, kernels: MixKernels) {
    let silence = [Float](repeating: 0, count: 40)
    /// By itself, and as either channel of two.
    func peaks(_ samples: [Float]) -> Set<UInt32> {
      samples.withUnsafeBufferPointer { samples in
        silence.withUnsafeBufferPointer { silence in
          let (signal, silence) = (samples.baseAddress!, silence.baseAddress!)
          return [
            kernels.peak(of: signal, count: count), kernels.peak(of: signal, silence, count: count),
            kernels.peak(of: silence, signal, count: count), kernels.peak(of: nil, signal, count: count),
          ]
        }
      }
    }
    let samples = input.map { -$0 }
    #expect(peaks(samples) == [(samples[..<count].map { abs($0) }.max() ?? 0).bitPattern])
    var mistakes = 0
    for bad in [Float.nan, .infinity, -.infinity] where count > 0 {
      for place in 0..<count {
        var broken = samples
        broken[place] = bad
        if peaks(broken).contains(where: { $0 < Loops.infinity }) { mistakes += 1 }
      }
    }
    #expect(mistakes == 0)
  }
}
