import AddressSpace
import SessionPolicy

extension Refusal {
  /// The refusal as it is answered. What a client has sent is not sent back beyond all measure, or a long address would
  /// make an answer that no datagram can hold.
  public func message(for address: String) -> Message {
    Message("/error", .string(address.cut), .string(code.rawValue), .string(message.cut))
  }
}

extension String {
  /// The text, without its end where it is very long.
  fileprivate var cut: String { utf8.count <= 1024 ? self : String(prefix(1000)) + "…" }
}
