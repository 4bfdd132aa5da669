import AddressSpace

@testable import OSCTransport

/// Packets put together by hand, straight from the OSC specification, so that reader and writer are not each other's only
/// witness.
enum Bytes {
  static func text(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
  }

  static func number(_ number: some FixedWidthInteger) -> [UInt8] {
    stride(from: number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  static func message(_ address: String, _ tags: String, _ arguments: [UInt8]...) -> [UInt8] {
    text(address) + text("," + tags) + arguments.flatMap { $0 }
  }

  static func bundle(_ timeTag: UInt64, _ elements: [UInt8]...) -> [UInt8] {
    text("#bundle") + number(timeTag) + elements.flatMap { number(UInt32($0.count)) + $0 }
  }
}

/// A generator whose numbers are the same in every run (SplitMix64).
struct RepeatableGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

extension OSCPacket {
  /// The message if it is one.
  var message: Message? {
    if case .message(let message) = self { message } else { nil }
  }
}
