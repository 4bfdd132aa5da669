import Foundation
import MixCore

/// One stereo session of one period, which is mixed again and again.
struct Session {
  private let count = 64
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private let outputLeft: UnsafeMutablePointer<Float>
  private let outputRight: UnsafeMutablePointer<Float>
  private let resting: Float = 0.9
  private let factor: Loops.MovingFactor = (from: 0.1, step: 1e-6, offset: 5)
  private let gains: (Float, Float) = (0.01, 0.02)

  /// Sets memory aside, which stays as long as the program.
  init() {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 4 * count)
    for index in 0..<4 * count { samples[index] = sin(Float(index)) * 0.001 }
    (left, right) = (samples, samples + count)
    (outputLeft, outputRight) = (samples + 2 * count, samples + 3 * count)
  }

  /// What is measured.
  enum Kind: CaseIterable { case moving, still, baselineMoving, baselineStill, movingInC, stillInC }

  /// Mixes the session once.
  func mix(_ kind: Kind, _ reference: Reference) -> UInt32 {
    switch kind {
    case .moving: moving(.best)
    case .still: still(.best)
    case .baselineMoving: moving(MixKernels(areWide: false))
    case .baselineStill: still(MixKernels(areWide: false))
    case .movingInC:
      reference.addMoving(
        left, right, outputLeft, outputRight, Int32(count), resting, factor.from, factor.step, factor.offset)
    case .stillInC: reference.addResting(left, right, outputLeft, outputRight, Int32(count), gains.0, gains.1)
    }
  }

  private func moving(_ kernels: MixKernels) -> UInt32 {
    kernels.addPair(left, right, to: outputLeft, outputRight, count: count, resting: resting, factor: factor)
  }

  private func still(_ kernels: MixKernels) -> UInt32 {
    kernels.addPair(left, right, to: outputLeft, outputRight, count: count, gains: gains)
  }
}

/// Nanoseconds of each: the 10th percentile of many short runs, one after the other in turn, so that what disturbs them
/// disturbs all.
func costs(of session: Session, beside reference: Reference) -> [Session.Kind: Double] {
  let calls = 200
  let clock = ContinuousClock()
  var runs: [Session.Kind: [Double]] = [:]
  for _ in 0..<2000 {
    for kind in Session.Kind.allCases {
      // The sum keeps the compiler from leaving out what nobody looks at.
      var peaks: UInt32 = 0
      let time = clock.measure { for _ in 0..<calls { peaks &+= session.mix(kind, reference) } }
      precondition(peaks != 0, "nothing was mixed")
      runs[kind, default: []].append(Double(time.components.attoseconds) / 1e9 / Double(calls))
    }
  }
  return runs.mapValues { $0.sorted()[$0.count / 10] }
}
