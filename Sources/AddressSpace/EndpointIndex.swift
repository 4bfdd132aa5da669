/// The rows of the address table, found by address.
struct EndpointIndex: Sendable {
  private var byAddress: [String: Endpoint] = [:]
  private var ofSession: [String: Endpoint] = [:]
  private var ofRoute: [String: Endpoint] = [:]
  private var ofInput: [String: Endpoint] = [:]

  init(_ endpoints: [Endpoint]) {
    for endpoint in endpoints {
      let attribute = endpoint.parts.dropFirst(3).joined(separator: "/")
      switch endpoint.subject {
      case .one: byAddress[endpoint.address] = endpoint
      case .session: ofSession[attribute] = endpoint
      case .route: ofRoute[attribute] = endpoint
      case .input: ofInput[attribute] = endpoint
      }
    }
  }

  func endpoint(at address: String) -> Endpoint? { byAddress[address] }

  func endpoint(_ subject: Endpoint.Subject, _ attribute: String) -> Endpoint? {
    switch subject {
    case .one: nil
    case .session: ofSession[attribute]
    case .route: ofRoute[attribute]
    case .input: ofInput[attribute]
    }
  }
}

/// The parts of an address `/SUBJECT/NAME/ATTRIBUTE`.
struct AddressParts {
  let subject: Endpoint.Subject
  let name: String
  let attribute: String

  /// `nil` where an address has no such parts.
  init?(_ address: String) {
    let slash = UInt8(ascii: "/")
    let text = address.utf8
    guard text.first == slash else { return nil }
    let subjectStart = text.index(after: text.startIndex)
    guard let subjectEnd = text[subjectStart...].firstIndex(of: slash) else { return nil }
    let nameStart = text.index(after: subjectEnd)
    guard let nameEnd = text[nameStart...].firstIndex(of: slash) else { return nil }
    switch address[subjectStart..<subjectEnd] {
    case "session": subject = .session
    case "route": subject = .route
    case "input": subject = .input
    default: return nil
    }
    name = String(address[nameStart..<nameEnd])
    attribute = String(address[text.index(after: nameEnd)...])
  }
}

extension Endpoint {
  /// The address between its slashes; the first is empty.
  var parts: [String] { address.split(separator: "/", omittingEmptySubsequences: false).map(String.init) }

  /// The address for a subject of this name.
  public func address(of name: String) -> String { head + name + tail }
}

extension AddressPattern {
  /// Whether one part of it matches a text.
  func matches(part: Int, _ text: String) -> Bool { parts[part].matches(Array(text.utf8)) }

  /// Whether it matches an address of these parts, but for the part at `hole`.
  func mayMatch(_ others: Parts, at hole: Int) -> Bool {
    others.bytes.count == parts.count
      && others.bytes.indices.allSatisfy { $0 == hole || parts[$0].matches(others.bytes[$0]) }
  }
}
