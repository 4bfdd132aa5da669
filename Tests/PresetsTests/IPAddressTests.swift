import Testing

@testable import Presets

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
