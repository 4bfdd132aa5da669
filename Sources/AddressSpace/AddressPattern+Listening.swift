extension AddressPattern {
  /// An address cut at its slashes, to be matched by many patterns.
  public struct Parts: Sendable {
    let bytes: [[UInt8]]
    public init(_ address: String) {
      bytes = address.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
    }
  }

  /// Whether it matches a whole address.
  public func matches(_ address: Parts) -> Bool {
    address.bytes.count == parts.count && zip(parts, address.bytes).allSatisfy { $0.matches($1) }
  }

  /// Whether it matches the address of an endpoint, such as `/session/NAME/volume`, for every subject whose name it
  /// matches.
  public func mayMatch(form: String) -> Bool {
    let others = Parts(form).bytes
    return others.count == parts.count
      && others.indices.allSatisfy { others[$0] == Self.anyName || parts[$0].matches(others[$0]) }
  }

  /// Whether its name part, `/session/NAME/…`, matches a name.
  public func matchesName(_ name: String) -> Bool { parts.count > 2 && matches(part: 2, name) }

  /// Whether there can ever be a value or a notice at an address that it matches.
  public var canHearAnything: Bool {
    AddressTable.endpoints.contains { $0.isReadable && mayMatch(form: $0.address) }
      || Self.noticeAddresses.contains { mayMatch(form: $0) }
  }

  private static let anyName = Array("NAME".utf8)

  /// Where there are notices, and the sign of life.
  private static let noticeAddresses = [
    "/session/opened", "/session/closed", "/session/NAME/interruption", "/session/NAME/paused", "/session/NAME/remote",
    "/host/route", "/scene/recalled", "/eider/alive",
  ]
}
