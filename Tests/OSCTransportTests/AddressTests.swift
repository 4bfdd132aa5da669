import Testing

@testable import OSCTransport

struct AddressTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1", true), ("127.9.8.7", "127.9.8.7", true), ("192.168.1.20", "192.168.1.20", false),
    ("::1", "::1", true), ("[::1]", "::1", true), ("2001:DB8::0:5", "2001:db8::5", false),
    ("fe80::1%lo", "fe80::1%lo", false),
  ]) func `an address in numbers is read and told again`(text: String, told: String, isLoopback: Bool) throws {
    let host = try #require(HostAddress(text))
    #expect(host.description == told)
    #expect(host.isLoopback == isLoopback)
    #expect(HostAddress(told) == host)
  }

  @Test(arguments: [
    "", "localhost", "1.2.3", "1.2.3.256", "::g", "fe80::1%nosuch0", "127.0.0.1:80", "[::1", "1.2.3.4\0",
  ])
  func `anything else is no address`(text: String) {
    #expect(HostAddress(text) == nil)
  }

  @Test(arguments: [
    ("osc.udp://127.0.0.1:9000/", "127.0.0.1:9000"), ("osc.udp://192.168.1.2:9000", "192.168.1.2:9000"),
    ("OSC.UDP://localhost:1/some/path:3", "127.0.0.1:1"), ("osc.udp://[::1]:65535/", "[::1]:65535"),
  ]) func `a URL names a client`(url: String, told: String) throws {
    let client = try ClientAddress(url: url)
    #expect(client.description == told)
    #expect(try ClientAddress(url: client.url) == client)
  }

  @Test func `the machine's own name in a URL means the machine`() throws {
    let name = try #require(AddressCalls.ownHostName())
    #expect(try ClientAddress(url: "osc.udp://\(name):9000/").isLoopback)
  }

  @Test(arguments: [
    ("http://127.0.0.1:9000/", "is no OSC URL"), ("osc.tcp://127.0.0.1:9000/", "TCP client"),
    ("osc.udp://127.0.0.1/", "no port"),
    ("osc.udp://[::1]/", "no port"), ("osc.udp://127.0.0.1:0/", "port"), ("osc.udp://127.0.0.1:65536/", "65536"),
    ("osc.udp://127.0.0.1:+80/", "+80"), ("osc.udp://::1:80/", "brackets"),
    ("osc.udp://studio.example:80/", "not looked up"),
    ("osc.udp://:80/", "not looked up"), ("osc.udp://0.0.0.0:80/", "0.0.0.0"), ("", "OSC URL"),
  ]) func `a URL that leads nowhere is refused with a reason`(url: String, reason: String) {
    let error = #expect(throws: OSCURLError.self) { try ClientAddress(url: url) }
    #expect(error?.description.contains(reason) == true)
  }

  @Test func `clients differ by host, port and way`() throws {
    let host = HostAddress.loopbackIPv4
    let client = ClientAddress(host: host, port: 9000, protocol: .udp)
    #expect(client == (try ClientAddress(url: "osc.udp://127.0.0.1:9000/")))
    #expect(
      Set([
        client, ClientAddress(host: host, port: 9001, protocol: .udp),
        ClientAddress(host: host, port: 9000, protocol: .tcp),
        ClientAddress(host: .loopbackIPv6, port: 9000, protocol: .udp),
        ClientAddress(host: host, port: 9000, protocol: .udp, socketIndex: 3),
      ]).count == 4)
  }

  @Test(arguments: [
    ("192.168.1.0/24", "192.168.1.255", "192.168.2.0"), ("10.0.0.5", "10.0.0.5", "10.0.0.4"),
    ("0.0.0.0/0", "255.255.255.255", "::1"), ("::/0", "2001:db8::1", "127.0.0.1"),
    ("fe80::/10", "febf::1%1", "fec0::1"),
    ("2001:db8:0:1::/64", "2001:db8:0:1:ffff::", "2001:db8:0:2::"),
    ("2001:db8::8000:0/97", "2001:db8::ffff:1", "2001:db8::1"),
    ("::1", "::1", "::2"), ("128.0.0.0/1", "200.1.1.1", "127.0.0.1"),
  ]) func `a block holds its addresses and no others`(text: String, inside: String, outside: String) throws {
    let block = try CIDRBlock(text)
    #expect(block.contains(try #require(HostAddress(inside))))
    #expect(!block.contains(try #require(HostAddress(outside))))
    #expect(try CIDRBlock(block.description) == block)
  }

  @Test(arguments: [
    ("192.168.1.5/24", "192.168.1.0/24"), ("10.0.0.0/33", "0…32"), ("::/129", "0…128"), ("10.0.0.0/", "\"\""),
    ("10.0.0.0/+8", "+8"), ("10.0.0.0/8/8", "8/8"), ("studio", "192.168.1.0/24"), ("", "expected"),
    ("fe80::1%lo", "expected"),
  ]) func `a block that is none is refused and told what would be right`(text: String, hint: String) {
    let error = #expect(throws: CIDRError.self) { try CIDRBlock(text) }
    #expect(error?.description.contains(hint) == true, "\(error as Any)")
  }

  @Test func `an allow list admits exactly its blocks, an empty one everybody`() throws {
    let inside = try #require(HostAddress("10.1.2.3"))
    #expect(OSCAccess().admits(inside))
    let access = OSCAccess(
      allow: [try CIDRBlock("10.0.0.0/8"), try CIDRBlock("::1")], readOnly: [try CIDRBlock("10.1.0.0/16")])
    #expect(access.admits(inside))
    #expect(access.admits(.loopbackIPv6))
    #expect(!access.admits(.loopbackIPv4))
    #expect(access.isReadOnly(inside))
    #expect(!access.isReadOnly(.loopbackIPv6))
  }
}
