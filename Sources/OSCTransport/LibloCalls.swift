import AddressSpace
import CLiblo

// The only file that calls liblo. Its functions take and give raw pointers to objects that it allocates: every one that
// is made here is freed here.

/// Why liblo did not build a packet.
public enum LibloError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The C function that failed.
  case failed(call: String)
  /// A text with a zero inside, which OSC cannot carry.
  case zeroInText(String)

  public var description: String {
    switch self {
    case .failed(let call): "liblo could not build the packet (\(call) failed)"
    case .zeroInText(let text): "\(text.debugDescription) holds a zero, which ends a text in OSC"
    }
  }
}

/// liblo's functions that are used, one Swift function each. liblo builds single packets; it never sees a socket.
enum LibloCalls {
  /// An empty message. Wraps `lo_message_new`.
  static func newMessage() throws(LibloError) -> lo_message {
    guard let message = lo_message_new() else { throw .failed(call: "lo_message_new") }
    return message
  }

  /// Wraps `lo_message_free`.
  static func free(_ message: lo_message) {
    lo_message_free(message)
  }

  /// Wraps `lo_message_add_int32`.
  static func add(_ value: Int32, to message: lo_message) throws(LibloError) {
    try check(lo_message_add_int32(message, value), "lo_message_add_int32")
  }

  /// Wraps `lo_message_add_int64`.
  static func add(_ value: Int64, to message: lo_message) throws(LibloError) {
    try check(lo_message_add_int64(message, value), "lo_message_add_int64")
  }

  /// Wraps `lo_message_add_float`.
  static func add(_ value: Float, to message: lo_message) throws(LibloError) {
    try check(lo_message_add_float(message, value), "lo_message_add_float")
  }

  /// Wraps `lo_message_add_double`.
  static func add(_ value: Double, to message: lo_message) throws(LibloError) {
    try check(lo_message_add_double(message, value), "lo_message_add_double")
  }

  /// Wraps `lo_message_add_string`.
  static func add(_ value: String, to message: lo_message) throws(LibloError) {
    guard !value.utf8.contains(0) else { throw .zeroInText(value) }
    try check(lo_message_add_string(message, value), "lo_message_add_string")
  }

  /// Wraps `lo_message_add_true`.
  static func addTrue(to message: lo_message) throws(LibloError) {
    try check(lo_message_add_true(message), "lo_message_add_true")
  }

  /// Wraps `lo_message_add_false`.
  static func addFalse(to message: lo_message) throws(LibloError) {
    try check(lo_message_add_false(message), "lo_message_add_false")
  }

  /// Wraps `lo_message_add_nil`.
  static func addNil(to message: lo_message) throws(LibloError) {
    try check(lo_message_add_nil(message), "lo_message_add_nil")
  }

  /// Wraps `lo_message_add_infinitum`.
  static func addInfinitum(to message: lo_message) throws(LibloError) {
    try check(lo_message_add_infinitum(message), "lo_message_add_infinitum")
  }

  /// The bytes of a message. Wraps `lo_message_length` and `lo_message_serialise`.
  static func serialise(_ message: lo_message, address: String) throws(LibloError) -> [UInt8] {
    guard !address.utf8.contains(0) else { throw .zeroInText(address) }
    var size = lo_message_length(message, address)
    var isWritten = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      isWritten = lo_message_serialise(message, address, buffer.baseAddress, &size) != nil
      count = isWritten ? size : 0
    }
    guard isWritten else { throw .failed(call: "lo_message_serialise") }
    return bytes
  }

  private static func check(_ result: Int32, _ call: String) throws(LibloError) {
    guard result == 0 else { throw .failed(call: call) }
  }
}

extension Message {
  /// The message's bytes as liblo writes them.
  func serialisedByLiblo() throws(LibloError) -> [UInt8] {
    let message = try LibloCalls.newMessage()
    defer { LibloCalls.free(message) }
    for argument in arguments {
      switch argument {
      case .int(let value): try LibloCalls.add(value, to: message)
      case .long(let value): try LibloCalls.add(value, to: message)
      case .float(let value): try LibloCalls.add(value, to: message)
      case .double(let value): try LibloCalls.add(value, to: message)
      case .string(let value): try LibloCalls.add(value, to: message)
      case .bool(true): try LibloCalls.addTrue(to: message)
      case .bool(false): try LibloCalls.addFalse(to: message)
      case .other("I"): try LibloCalls.addInfinitum(to: message)
      case .other: try LibloCalls.addNil(to: message)
      }
    }
    return try LibloCalls.serialise(message, address: address)
  }
}
