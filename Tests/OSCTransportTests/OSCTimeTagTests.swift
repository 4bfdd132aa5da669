import Testing

@testable import OSCTransport

struct OSCTimeTagTests {
  @Test func `known moments have their known tags`() {
    #expect(OSCTimeTag(secondsSince1970: 0)?.rawValue == UInt64(2_208_988_800) << 32)
    #expect(OSCTimeTag(secondsSince1970: 1_000_000_000.5)?.rawValue == UInt64(3_208_988_800) << 32 | 0x8000_0000)
    #expect(
      OSCTimeTag(secondsSince1970: 1_000_000_000, nanoseconds: 750_000_000)?.rawValue == UInt64(3_208_988_800) << 32
        | 0xC000_0000)
    // 2036-02-07 06:28:16 UTC, when the seconds wrap (RFC 5905, figure 4).
    #expect(OSCTimeTag(secondsSince1970: 2_085_978_496)?.rawValue == 0)
    #expect(OSCTimeTag(rawValue: 2 << 32).secondsSince1970 == 2_085_978_498)
  }

  @Test func `seconds go to a tag and back without loss`() throws {
    var generator = RepeatableGenerator(state: 4)
    for _ in 0..<10_000 {
      let seconds = Double.random(in: -60_000_000..<4_000_000_000, using: &generator)
      // Near 1970 a Double is finer than a tag: there the nearest tag is meant.
      let tag = try #require(OSCTimeTag(secondsSince1970: seconds))
      #expect(abs(tag.secondsSince1970 - seconds) <= (abs(seconds) < 1e6 ? 0x1p-33 : 0))
    }
  }

  @Test func `the parts of a tag are exact`() {
    let tag = OSCTimeTag(rawValue: (2_208_988_800 + 5) << 32 | 0xFFFF_FFFF)
    #expect(tag.partsSince1970 == (5, 0xFFFF_FFFF))
    #expect(OSCTimeTag(secondsSince1970: 5, nanoseconds: 999_999_999)?.rawValue == tag.rawValue - 3)
  }

  @Test func `the distance of two tags is exact, across the wrap too`() {
    let frame = OSCTimeTag(rawValue: 0xE000_0000_0000_0000)
    #expect(OSCTimeTag(rawValue: frame.rawValue + 1).seconds(after: frame) == 0x1p-32)
    #expect(frame.seconds(after: OSCTimeTag(rawValue: frame.rawValue + (3600 << 32))) == -3600)
    #expect(OSCTimeTag(rawValue: 1 << 31).seconds(after: OSCTimeTag(rawValue: 0 &- 1 << 31)) == 1)
  }

  @Test func `what no tag can say is refused`() {
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, 5e9, -1e9] {
      #expect(OSCTimeTag(secondsSince1970: seconds) == nil)
    }
    #expect(OSCTimeTag(secondsSince1970: 0, nanoseconds: 1_000_000_000) == nil)
    #expect(OSCTimeTag(secondsSince1970: .max, nanoseconds: 0) == nil)
  }

  @Test func `immediately is told from times, and now is one`() {
    #expect(OSCTimeTag.immediate.isImmediate)
    #expect(!OSCTimeTag.now().isImmediate)
    #expect(OSCTimeTag.now().seconds(after: OSCTimeTag(rawValue: 3_900_000_000 << 32)) > 0)
  }
}
