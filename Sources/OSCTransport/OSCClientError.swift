/// Why a client got no answer.
public enum OSCClientError: Error, Hashable, Sendable {
  /// The host name leads nowhere.
  case unknownHost(String, reason: String)
  /// Nobody listens there: the connection was refused.
  case noServer(host: String, port: UInt16, OSCProtocol)
  /// Nothing came back in time.
  case noAnswer(host: String, port: UInt16, OSCProtocol, seconds: Double)
  /// The server hung up.
  case hungUp
  /// The message cannot be built.
  case unsendable(LibloError)
  /// The message is longer than a datagram can be.
  case tooLong
  /// Anything else.
  case system(SystemError)
}

extension OSCClientError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownHost(let host, let reason): "the host \(host.debugDescription) is not known: \(reason)"
    case .noServer(let host, let port, let way):
      "no eider listens on \(host) port \(port) (\(way.rawValue.uppercased())): start one with `eider run`, or say where "
        + "it is"
    case .noAnswer(let host, let port, let way, let seconds):
      "no answer from \(host) port \(port) (\(way.rawValue.uppercased())) within \(seconds) s: is that an eider, and does "
        + "it allow this host?"
    case .hungUp: "the server has closed the connection"
    case .unsendable(let error): "\(error)"
    case .tooLong: "the message is too long for UDP (65,507 bytes)"
    case .system(let error): "\(error)"
    }
  }

  /// Whether it means that there is no server to talk to.
  public var meansNoServer: Bool {
    switch self {
    case .noServer, .noAnswer, .unknownHost, .hungUp: true
    case .unsendable, .tooLong, .system: false
    }
  }
}
