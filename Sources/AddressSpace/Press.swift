/// What a fader or a button sends: a message with one number or boolean, as it lies among the bytes of a packet.
///
/// Plain data: reading and applying a thousand of them allocates nothing and counts no references, which would take most of
/// the time that they take.
public struct Press: Sendable {
  private let start: Int32
  private let end: Int32
  /// That of its address.
  public let hash: AddressHash
  public let value: PressValue

  /// - Parameter address: where the address is among the bytes; it is ASCII.
  public init(address: Range<Int>, hash: AddressHash, value: PressValue) {
    start = Int32(truncatingIfNeeded: address.lowerBound)
    end = Int32(truncatingIfNeeded: address.upperBound)
    self.hash = hash
    self.value = value
  }

  /// Where the address is among the bytes.
  public var address: Range<Int> { Int(start)..<Int(end) }
}

/// The one argument of a press.
public enum PressValue: Hashable, Sendable {
  case int(Int32)
  case long(Int64)
  case float(Float)
  case double(Double)
  case bool(Bool)

  /// The value of a number of any type.
  var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .long(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .bool: nil
    }
  }

  /// What it means as a bool; nil for what is none.
  var flag: Bool? {
    if case .bool(let value) = self { return value }
    guard let number, number.isFinite else { return nil }
    return number != 0
  }
}

extension Argument {
  public init(_ value: PressValue) {
    self =
      switch value {
      case .int(let value): .int(value)
      case .long(let value): .long(value)
      case .float(let value): .float(value)
      case .double(let value): .double(value)
      case .bool(let value): .bool(value)
      }
  }

  /// Itself, where it is what a fader or a button sends.
  public var press: PressValue? {
    switch self {
    case .int(let value): .int(value)
    case .long(let value): .long(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .bool(let value): .bool(value)
    case .string, .other: nil
    }
  }

  /// The value of a number of any type.
  public var number: Double? { press?.number }

  /// What it means as a bool; nil for what is none.
  var flag: Bool? { press?.flag }
}

extension Message {
  /// The message that a press is.
  ///
  /// - Parameter bytes: the packet that it lies in.
  public init(_ press: Press, in bytes: Span<UInt8>) {
    self.init(press.address(in: bytes), [Argument(press.value)])
  }
}

extension Press {
  /// The address as a text.
  ///
  /// - Parameter bytes: the packet that it lies in.
  public func address(in bytes: Span<UInt8>) -> String {
    let bytes = bytes.extracting(address)
    return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}
