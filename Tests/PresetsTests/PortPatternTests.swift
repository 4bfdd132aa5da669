import Testing

@testable import Presets

@Suite struct PortPatternTests {
  @Test(arguments: [
    ("system:playback_1", "system:playback_1", true), ("system:playback_1", "system:playback_10", false),
    ("system:playback_1", "my system:playback_1", false), ("mpv:.*", "mpv:out_0", true),
    ("mpv:.*", "mpv2:out_0", false),
    ("mpv.*:.*", "mpv2:out_0", true), ("a|ab", "ab", true), ("a|ab", "abc", false), ("a:left|a:right", "a:right", true),
    ("Browser (2):left", "Browser (2):left", true), ("Browser (2):left", "Browser 2:left", true),
    ("a2j:Midi [14] (capture)", "a2j:Midi [14] (capture)", true), ("(?i)MPV:.*", "mpv:out", true),
    ("headset:playback_\\d+", "headset:playback_12", true), ("headset:playback_\\d+", "headset:playback_", false),
    ("größe:.", "größe:😀", true), ("x:.*", "x:a\n", false), ("(?!system:).*", "system:a", false),
    ("(a):\\1", "a:a", true),
  ])
  func `a pattern is a name, or fits a whole name`(pattern: String, port: String, matches: Bool) throws {
    #expect(try PortPattern(pattern).matches(port) == matches)
  }

  @Test(arguments: ["", "(", ")", "a)(b", "[", "*", "a{2,1}", "\\", "(?<n", "+x"])
  func `what is no expression is refused with a reason`(text: String) {
    let mistake = #expect(throws: PortPattern.Mistake.self) { try PortPattern(text) }
    #expect(mistake?.reason.isEmpty == false)
  }
}

@Suite struct IPAddressTests {
  @Test(arguments: ["127.0.0.1", "0.0.0.0", "::1", "fd00::5", "::ffff:10.0.0.1"])
  func `addresses of both families are read`(text: String) {
    #expect(IPAddress(text)?.description == text)
  }

  @Test(arguments: ["", "localhost", "1.2.3", "256.1.1.1", "1.2.3.4/8", "01.2.3.4.5", "::g", "1.2.3.4 "])
  func `what is no address is none`(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.1.1", "10.1.1.1", true),
    ("10.1.1.1", "10.1.1.2", false), ("0.0.0.0/0", "1.2.3.4", true), ("0.0.0.0/0", "::1", false),
    ("192.168.1.64/26", "192.168.1.127", true), ("192.168.1.64/26", "192.168.1.128", false),
    ("fd00::/15", "fd01::1", true), ("fd00::/16", "fd01::1", false),
  ])
  func `a block contains the addresses that share its first bits`(block: String, address: String, isIn: Bool) throws {
    #expect(try #require(IPBlock(block)).contains(#require(IPAddress(address))) == isIn)
  }

  @Test(arguments: [
    "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "::/129", "10.0.0.0/8/8", "a/8",
  ])
  func `what is no block is none`(text: String) {
    #expect(IPBlock(text) == nil)
  }
}
