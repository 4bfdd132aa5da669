import CJack

/// What JACK refused, and what to do about it.
public enum JACKError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No server of this name runs (nil: the default one).
  case noServer(String?)
  /// Another client has this name.
  case nameTaken(String)
  /// A name that no client or port can have.
  case unusableName(String)
  /// libjack and the server are of different releases.
  case differentRelease
  /// The server runs, but its shared memory cannot be used.
  case noSharedMemory
  /// Opening failed otherwise; the bits of `jack_status_t`.
  case notOpened(status: UInt32)
  /// The server did not let the client take part in its cycles.
  case notActivated
  /// No port was left for this one.
  case portsExhausted(port: String)
  /// There is no port of this name.
  case noSuchPort(String)
  /// Two ports that exist could not be connected.
  case notConnected(source: String, destination: String)
  /// The server has ended, or has thrown the client out.
  case serverGone
  /// `jack_client_close` did not come back in time.
  case closeTimedOut
  /// The operating system refused something.
  case system(SystemError)

  /// A sentence for people that says what to do.
  public var description: String {
    switch self {
    case .noServer(let name):
      let which = name.map { "no JACK server “\($0)” is running" } ?? "no JACK server is running"
      return "\(which): start one (for instance “jackd -d alsa”), or let Eider start it by --start-server auto"
    case .nameTaken(let name):
      return "another JACK client is called “\(name)”: end it, or choose another name by --jack-name"
    case .unusableName(let name):
      return "“\(name)” cannot be a JACK name: it must have at least one character, and a client's name no colon"
    case .differentRelease:
      return "libjack and the running JACK server are of different releases: restart the server after the update"
    case .noSharedMemory:
      return "the JACK server's shared memory cannot be used: run Eider as the user who runs the server"
    case .notOpened(let status):
      return "the JACK server refused the client (status 0x\(String(status, radix: 16))): see the server's messages"
    case .notActivated:
      return "the JACK server did not activate the client: see the server's messages"
    case .portsExhausted(let port):
      return
        "JACK has no port left for “\(port)”: close sessions or programs, or start the server with a larger --port-max"
    case .noSuchPort(let port):
      return "there is no JACK port “\(port)”: “jack_lsp” lists those that exist"
    case .notConnected(let source, let destination):
      return "JACK does not connect “\(source)” to “\(destination)”: the first must be an output, the second an input "
        + "of the same type, both of active clients"
    case .serverGone:
      return "the JACK server has ended: start it again"
    case .closeTimedOut:
      return "the JACK server does not answer: end it and start it again"
    case .system(let error):
      return error.description
    }
  }

  /// What a refusal of `jack_client_open` means.
  init(status: UInt32, name: String, server: String?) {
    func has(_ flag: JackStatus) -> Bool { status & flag.rawValue != 0 }
    self =
      if has(JackVersionError) {
        .differentRelease
      } else if has(JackNameNotUnique) {
        .nameTaken(name)
      } else if has(JackServerFailed) {
        .noServer(server)
      } else if has(JackShmFailure) {
        .noSharedMemory
      } else {
        .notOpened(status: status)
      }
  }
}
