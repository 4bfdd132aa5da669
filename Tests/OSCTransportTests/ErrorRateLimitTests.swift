import Testing

@testable import OSCTransport

struct ErrorRateLimitTests {
  private let second: UInt64 = 1_000_000_000

  @Test func `a host gets twenty errors in no span of a second more`() {
    var limit = ErrorRateLimit()
    var answered: [UInt64] = []
    for time in stride(from: second, to: 5 * second, by: 1_000_000) where limit.allows(.loopbackIPv4, at: time) {
      answered.append(time)
    }
    #expect(answered.count == 80)
    for (earlier, later) in zip(answered, answered.dropFirst(20)) { #expect(later - earlier >= second) }
  }

  @Test func `whoever makes a mistake now and then is always answered`() {
    var limit = ErrorRateLimit()
    for count in 0..<100 as Range<UInt64> {
      let isAllowed = limit.allows(.loopbackIPv4, at: count * second / 19)
      #expect(isAllowed)
    }
  }

  @Test func `one host's flood does not silence another`() {
    var limit = ErrorRateLimit()
    for _ in 0..<1000 { _ = limit.allows(.loopbackIPv4, at: 5) }
    let allowed = (limit.allows(.loopbackIPv4, at: 6), limit.allows(.loopbackIPv6, at: 6))
    #expect(allowed == (false, true))
  }

  @Test func `a flood from many hosts is bounded, and over after a second`() {
    var limit = ErrorRateLimit()
    var count = 0
    for host in 0..<10_000 as Range<UInt32> where limit.allows(HostAddress(ipv4: host), at: second) { count += 1 }
    #expect(count == ErrorRateLimit.hostLimit)
    let isAllowedLater = limit.allows(HostAddress(ipv4: 20_000), at: 2 * second)
    #expect(isAllowedLater)
  }
}
