#if canImport(Glibc)
  import Glibc

  /// Levels in decibels. Control thread only: these call the C library.
  enum Decibels {
    /// The position on the cubic fader whose gain is some decibels: the cube root of 10^(dB/20). Exactly 1 at 0 dB.
    static func position(_ decibels: Float) -> Float { Float(pow(10, Double(decibels) / 60)) }

    /// The factor of an amplitude. Exactly 1 at 0 dB.
    static func gain(_ decibels: Float) -> Float { Float(pow(10, Double(decibels) / 20)) }

    /// The decibels of an amplitude, at least `floor`.
    static func of(gain: Float, floor: Float) -> Float {
      gain > 0 ? max(floor, Float(20 * log10(Double(gain)))) : floor
    }
  }
#endif
