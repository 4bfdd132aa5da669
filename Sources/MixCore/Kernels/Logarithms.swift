/// Decibels on the audio thread, which calls no C library: plain arithmetic, the same on every processor. Wait-free.
enum Logarithms {
  /// The logarithm to base 2 of a positive number that is no denormal, to 1e-8.
  @_noLocks @_noAllocation
  static func log2(_ value: Double) -> Double {
    let bits = value.bitPattern
    var exponent = Int(truncatingIfNeeded: (bits >> 52) & 0x7ff) &- 1023
    var mantissa = Double(bitPattern: (bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000)
    if mantissa > 1.4142135623730951 {
      mantissa *= 0.5
      exponent &+= 1
    }
    // ln m = 2 artanh((m − 1) / (m + 1))
    let ratio = (mantissa - 1) / (mantissa + 1)
    let square = ratio * ratio
    let series = 1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square * (1.0 / 9))))
    return Double(exponent) + 2 * ratio * series * 1.4426950408889634
  }

  /// 2 to a power of −1000…1000, to 1e-8 of it; exactly 1 at 0.
  @_noLocks @_noAllocation
  static func exp2(_ power: Double) -> Double {
    let whole = Int(power < 0 ? power - 0.5 : power + 0.5)
    let rest = (power - Double(whole)) * 0.6931471805599453
    let upper = 1.0 / 24 + rest * (1.0 / 120 + rest * (1.0 / 720 + rest * (1.0 / 5040)))
    let series = 1 + rest * (1 + rest * (0.5 + rest * (1.0 / 6 + rest * upper)))
    return series * Double(bitPattern: UInt64(whole &+ 1023) << 52)
  }

  /// The decibels of a ratio of energies, at least −200.
  @_noLocks @_noAllocation
  static func decibels(energy: Double) -> Double {
    energy > 1e-20 ? log2(energy) * 3.010299956639812 : -200
  }

  /// The ratio of energies of some decibels.
  @_noLocks @_noAllocation
  static func energy(decibels: Double) -> Double { exp2(decibels / 3.010299956639812) }

  /// The position on the cubic fader whose gain is some decibels; exactly 1 at 0 dB.
  @_noLocks @_noAllocation
  static func position(decibels: Double) -> Float { Float(exp2(decibels / 18.061799739838872)) }

  /// The decibels of a position on the cubic fader.
  @_noLocks @_noAllocation
  static func decibels(position: Float) -> Double { decibels(energy: Double(position)) * 6 }
}
