/// A point in time as OSC writes it: the NTP format, a 64-bit fixed-point number of seconds since 1900-01-01 00:00
/// UTC with 32 bits of fraction (OSC 1.0, "OSC Time Tags").
///
/// NTP's 32 bits of seconds wrap in February 2036. As RFC 4330 §3 advises, a tag whose topmost bit is clear is taken
/// to lie after that wrap: tags cover 1968-01-20 to 2104-02-26.
public struct OSCTimeTag: Hashable, Sendable {
  /// The tag as it stands in a packet: seconds in the upper, 2⁻³² seconds in the lower half.
  public let rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// "Immediately": 63 zero bits and a one. It names no time.
  public static let immediate = OSCTimeTag(rawValue: 1)

  public var isImmediate: Bool { self == .immediate }

  /// Seconds from 1900-01-01 to 1970-01-01 (RFC 868).
  private static let secondsFrom1900To1970: Int64 = 2_208_988_800
  private static let fractionsPerSecond: Double = 4_294_967_296

  /// The tag nearest to a number of seconds since 1970-01-01 00:00 UTC.
  ///
  /// A `Double` of this century has a coarser grid than a tag, so nothing is lost. Nil for what is not finite or lies
  /// outside the years that a tag can tell apart.
  public init?(secondsSince1970 seconds: Double) {
    guard seconds.isFinite, abs(seconds) < 8e9 else { return nil }
    let whole = seconds.rounded(.down)
    let fraction = ((seconds - whole) * Self.fractionsPerSecond).rounded()
    self.init(wholeSeconds: Int64(whole), fraction: UInt64(fraction))
  }

  /// The tag nearest to a POSIX time: whole seconds since 1970-01-01 00:00 UTC and nanoseconds (0 ..< 10⁹).
  public init?(secondsSince1970 seconds: Int64, nanoseconds: Int64) {
    guard abs(seconds) < 8_000_000_000, (0..<1_000_000_000).contains(nanoseconds) else { return nil }
    self.init(
      wholeSeconds: seconds, fraction: ((UInt64(nanoseconds) << 32) + 500_000_000) / 1_000_000_000)
  }

  /// `fraction` may be 2³² after rounding: one second more.
  private init?(wholeSeconds: Int64, fraction: UInt64) {
    let since1900 = wholeSeconds + Self.secondsFrom1900To1970 + Int64(fraction >> 32)
    guard (0x8000_0000..<0x1_8000_0000).contains(since1900) else { return nil }
    rawValue = UInt64(since1900 & 0xFFFF_FFFF) << 32 | fraction & 0xFFFF_FFFF
  }

  /// Whole seconds since 1970-01-01 00:00 UTC, rounded down, and the rest in units of 2⁻³² s: exact.
  public var partsSince1970: (seconds: Int64, fraction: UInt32) {
    let seconds = Int64(rawValue >> 32)
    let era: Int64 = rawValue >> 63 == 1 ? 0 : 1 << 32
    return (seconds + era - Self.secondsFrom1900To1970, UInt32(truncatingIfNeeded: rawValue))
  }

  /// Seconds since 1970-01-01 00:00 UTC, rounded to the nearest `Double` (a step of 2⁻²² s in this century).
  public var secondsSince1970: Double {
    let parts = partsSince1970
    return Double(parts.seconds) + Double(parts.fraction) / Self.fractionsPerSecond
  }

  /// How many seconds this tag lies after another one; negative if before.
  ///
  /// Exact for tags less than 24 days apart, and free of the coarse grid of absolute seconds: the way to turn a tag
  /// into frames. Right across the wrap of 2036.
  public func seconds(after other: OSCTimeTag) -> Double {
    Double(Int64(bitPattern: rawValue &- other.rawValue)) / Self.fractionsPerSecond
  }
}
