import AddressSpace
import Glibc

/// What came back for messages sent.
public struct OSCExchange: Hashable, Sendable {
  /// Every message that came, in order; bundles taken apart; without the end mark.
  public var answers: [Message] = []
  /// Whether the server said that everything before the end is in force, or the time ran out before.
  public var isComplete = false

  public init() {}
}

/// Talks to an OSC server from a command line: sends, waits, gives up in time. Blocks its thread.
public final class OSCClient {
  private let host: String
  private let port: UInt16
  private let way: OSCProtocol
  /// The addresses of the host that have not refused yet; the first is the one that is talked to.
  private var candidates: [HostAddress]
  private var link: OSCClientLink?

  /// Finds the host; nothing is sent yet.
  ///
  /// - Parameter host: an address in numbers, or a name, which is looked up.
  public init(host: String, port: UInt16, protocol way: OSCProtocol = .udp) throws(OSCClientError) {
    (self.host, self.port, self.way) = (host, port, way)
    do throws(NameError) {
      candidates = try AddressCalls.resolve(host)
    } catch {
      throw .unknownHost(host, reason: error.reason)
    }
  }

  /// Sends messages and gathers what comes back, until the server says that all of them are in force (`/sync`).
  ///
  /// Of the host's addresses, those that refuse are passed over. Throws `noServer` if all do, `noAnswer` if nothing
  /// at all came in time.
  public func exchange(_ messages: [Message], timeout: Duration) throws(OSCClientError) -> OSCExchange {
    let deadline = ContinuousClock.now + timeout
    let mark = Argument.int(Int32.random(in: 1...Int32.max))
    var exchange = OSCExchange()
    while true {
      do throws(OSCClientError) {
        for message in messages + [Message("/sync", [mark])] { try send(message, deadline) }
        while !exchange.isComplete, let packet = try receive(until: deadline) {
          packet.forEachMessage { message, _ in
            if message == Message("/synced", [mark]) {
              exchange.isComplete = true
            } else {
              exchange.answers.append(message)
            }
          }
        }
        guard exchange.isComplete || !exchange.answers.isEmpty else { throw silence(timeout) }
        return exchange
      } catch {
        try passOver(error, mayRepeat: exchange.answers.isEmpty)
      }
    }
  }

  /// Sends one message and waits for nothing but room to send it.
  public func send(_ message: Message, timeout: Duration) throws(OSCClientError) {
    let deadline = ContinuousClock.now + timeout
    while true {
      do throws(OSCClientError) {
        return try send(message, deadline)
      } catch {
        try passOver(error, mayRepeat: true)
      }
    }
  }

  /// The next packet that comes; nil if none does in time. Throws `noServer` or `hungUp` if none can come any more.
  public func receive(timeout: Duration) throws(OSCClientError) -> OSCPacket? {
    try receive(until: ContinuousClock.now + timeout)
  }

  /// Goes on to the host's next address if this one refused.
  private func passOver(_ error: OSCClientError, mayRepeat: Bool) throws(OSCClientError) {
    guard case .noServer = error, mayRepeat, candidates.count > 1 else { throw error }
    candidates.removeFirst()
    link = nil
  }

  private func send(_ message: Message, _ deadline: ContinuousClock.Instant) throws(OSCClientError) {
    let bytes: [UInt8]
    do throws(LibloError) {
      bytes = try message.serialisedByLiblo()
    } catch {
      throw .unsendable(error)
    }
    do throws(OSCLinkError) {
      let link = try openLink(deadline)
      try link.send(bytes, until: deadline)
    } catch {
      throw clientError(error)
    }
  }

  private func receive(until deadline: ContinuousClock.Instant) throws(OSCClientError) -> OSCPacket? {
    do throws(OSCLinkError) {
      return try openLink(deadline).receive(until: deadline)
    } catch {
      throw clientError(error)
    }
  }

  private func openLink(_ deadline: ContinuousClock.Instant) throws(OSCLinkError) -> OSCClientLink {
    if let link { return link }
    let opened = try OSCClientLink(to: candidates[0], port: port, way: way, until: deadline)
    link = opened
    return opened
  }

  private func clientError(_ error: OSCLinkError) -> OSCClientError {
    switch error {
    case .timedOut(let seconds): .noAnswer(host: host, port: port, way, seconds: seconds)
    case .hungUp: .hungUp
    case .system(let error) where [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.code):
      .noServer(host: host, port: port, way)
    case .system(let error) where error.code == EMSGSIZE: .tooLong
    case .system(let error): .system(error)
    }
  }

  private func silence(_ timeout: Duration) -> OSCClientError {
    .noAnswer(host: host, port: port, way, seconds: timeout / .seconds(1))
  }
}
