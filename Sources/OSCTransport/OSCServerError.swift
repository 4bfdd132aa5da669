/// Why a server could not be opened.
public enum OSCServerError: Error, Hashable, Sendable {
  /// No address to listen on was given.
  case noAddress
  /// A text is no address in numbers.
  case badAddress(String)
  /// Another program listens there.
  case portTaken(address: String, port: UInt16, OSCProtocol)
  /// The system lets only privileged programs listen there.
  case portForbidden(address: String, port: UInt16)
  /// None of this machine's network interfaces has that address.
  case addressNotHere(String)
  /// Anything else.
  case system(SystemError, address: String, port: UInt16)
}

extension OSCServerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noAddress:
      "no address to listen on was given: 127.0.0.1 is this machine alone, 0.0.0.0 everyone"
    case .badAddress(let text):
      "\(text.debugDescription) is no address to listen on: one in numbers was expected, such as 127.0.0.1, 0.0.0.0, ::1 "
        + "or fe80::1%eth0"
    case .portTaken(let address, let port, let way):
      "\(way.rawValue.uppercased()) port \(port) on \(address) is taken by another program, perhaps another eider: end "
        + "that one, or give another port with --port"
    case .portForbidden(let address, let port):
      "port \(port) on \(address) is reserved for privileged programs: give one from 1024 on with --port"
    case .addressNotHere(let address):
      "\(address) is no address of this machine: `ip address` lists those that it has"
    case .system(let error, let address, let port):
      "cannot listen on \(address) port \(port): \(error)"
    }
  }
}
