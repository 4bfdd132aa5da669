/// Why a text is no URL that notices can be sent to.
public struct OSCURLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong and what would be right.
  public let description: String
}

extension ClientAddress {
  /// Reads `osc.udp://HOST:PORT/`.
  ///
  /// HOST is an address in numbers (IPv6 in brackets), `localhost`, or this machine's own name; other names are not
  /// looked up, because that could take seconds and hold up everybody. The path after the port has no meaning.
  public init(url: String) throws(OSCURLError) {
    let form = "osc.udp://HOST:PORT/ was expected, HOST an address in numbers or localhost"
    let mark = "osc.udp://"
    guard url.lowercased().hasPrefix(mark) else {
      if url.lowercased().hasPrefix("osc.tcp://") {
        throw OSCURLError(
          description:
            "\(url.debugDescription): a TCP client gets its notices on the connection it subscribes by; \(form)")
      }
      throw OSCURLError(description: "\(url.debugDescription) is no OSC URL: \(form)")
    }
    let authority = url.dropFirst(mark.count).prefix { $0 != "/" }
    guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else {
      throw OSCURLError(description: "\(url.debugDescription) names no port: \(form)")
    }
    let portText = authority[authority.index(after: colon)...]
    guard portText.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let port = UInt16(portText), port > 0
    else {
      throw OSCURLError(
        description:
          "\(url.debugDescription): the port is \(String(portText).debugDescription); 1 to 65535 was expected")
    }
    let name = String(authority[..<colon])
    guard name.hasPrefix("[") || !name.contains(":") else {
      throw OSCURLError(description: "\(url.debugDescription): an IPv6 address stands in brackets; \(form)")
    }
    let host: HostAddress
    if let address = HostAddress(name) {
      host = address
    } else if name.lowercased() == "localhost" || name == AddressCalls.ownHostName() {
      host = .loopbackIPv4
    } else {
      throw OSCURLError(
        description: "\(url.debugDescription): the host \(name.debugDescription) is not looked up: \(form)")
    }
    guard !host.isUnspecified else {
      throw OSCURLError(description: "\(url.debugDescription): \(host) is no host that one can send to; \(form)")
    }
    self.init(host: host, port: port, protocol: .udp)
  }
}
