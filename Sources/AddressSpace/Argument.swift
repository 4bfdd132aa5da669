/// One typed argument of an OSC message.
public enum Argument: Hashable, Sendable {
  case int(Int32)
  case long(Int64)
  case float(Float)
  case double(Double)
  case bool(Bool)
  case string(String)
  /// A blob, a MIDI message, a colour …: carried, so that it can be named in an error, but wanted nowhere.
  case other(tag: Character)

  /// The OSC type tag.
  public var typeTag: Character {
    switch self {
    case .int: "i"
    case .long: "h"
    case .float: "f"
    case .double: "d"
    case .bool(let value): value ? "T" : "F"
    case .string: "s"
    case .other(let tag): tag
    }
  }
}

/// An OSC message: an address, or a pattern of addresses, and its arguments.
public struct Message: Hashable, Sendable {
  public var address: String
  public var arguments: [Argument]

  public init(_ address: String, _ arguments: [Argument] = []) {
    self.address = address
    self.arguments = arguments
  }

  public init(_ address: String, _ arguments: Argument...) {
    self.init(address, arguments)
  }
}

extension Message: CustomStringConvertible {
  /// As it is written in a script.
  public var description: String { ([address] + arguments.map(\.description)).joined(separator: " ") }
}

extension Argument: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByStringLiteral
{
  public init(integerLiteral value: Int32) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(stringLiteral value: String) { self = .string(value) }
}

extension Argument {
  /// What a bare word stands for in a script or on a command line: `true`, `false`, integers and decimals are typed so,
  /// everything else is a text.
  public init(word: String) {
    self = Self.bool(word) ?? Self.number(word) ?? .string(word)
  }

  private static func bool(_ word: String) -> Argument? {
    switch word {
    case "true": .bool(true)
    case "false": .bool(false)
    default: nil
    }
  }

  private static func number(_ word: String) -> Argument? {
    // `Double` would also read `inf`, `1e3` and hexadecimal numbers.
    let allowed = word.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || ".+-".utf8.contains($0)
    }
    guard allowed else { return nil }
    if let whole = Int32(word) { return .int(whole) }
    if let whole = Int64(word) { return .long(whole) }
    return Double(word).map(Argument.double)
  }
}
