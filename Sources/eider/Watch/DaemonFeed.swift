import AddressSpace
import Foundation
import OSCTransport

/// Listens to a daemon, and goes on when it has been started anew.
final class DaemonFeed {
  enum News {
    case message(Message)
    /// Nothing has come.
    case quiet
    /// There is no daemon to begin with.
    case never(OSCClientError)
    /// The daemon does not take the subscription.
    case refused(Message)
    /// The daemon is gone, for a reason.
    case lost(String)
    /// It is there again. All values follow.
    case back
  }

  private enum State {
    case new
    case listening
    case lost
  }

  private let daemon: DaemonAddress
  private let patterns: [String]
  private let milliseconds: Int32
  private var state = State.new
  private var client: OSCClient?
  private var lastHeard = ContinuousClock.now
  /// What has come and has not been handed over.
  private var waiting: ArraySlice<Message> = []

  /// A daemon shows a sign of life each second; after this long without it is not there any more.
  private static let patience = Duration.milliseconds(3500)
  /// Seconds between two tries to find it again.
  private static let retryPause = 0.5

  init(_ daemon: DaemonAddress, patterns: [String], milliseconds: Int32) {
    self.daemon = daemon
    self.patterns = patterns
    self.milliseconds = milliseconds
  }

  /// What comes next, at the latest after this time.
  func next(timeout: Duration) -> News {
    if let message = waiting.popFirst() { return news(of: message) }
    do throws(OSCClientError) {
      if client == nil { try subscribe() }
      return try receive(timeout)
    } catch {
      return fail(error)
    }
  }

  /// By TCP: nothing is lost on the way, and the end of the daemon is seen at once.
  private func subscribe() throws(OSCClientError) {
    let client = try OSCClient(host: daemon.host, port: daemon.port, protocol: .tcp)
    for pattern in patterns {
      try client.send(Message("/subscribe", .string(pattern), .int(milliseconds)), timeout: .seconds(2))
    }
    self.client = client
    lastHeard = .now
  }

  private func receive(_ timeout: Duration) throws(OSCClientError) -> News {
    guard let packet = try client?.receive(timeout: timeout) else {
      guard ContinuousClock.now - lastHeard > Self.patience else { return .quiet }
      throw .noAnswer(host: daemon.host, port: daemon.port, .tcp, seconds: Self.patience / .seconds(1))
    }
    lastHeard = .now
    packet.forEachMessage { message, _ in waiting.append(message) }
    if state == .lost {
      state = .listening
      return .back
    }
    state = .listening
    return waiting.popFirst().map(news) ?? .quiet
  }

  private func news(of message: Message) -> News {
    switch message.address {
    case "/subscribed": .quiet
    case "/eider/alive" where !patterns.contains(message.address): .quiet
    case "/error": .refused(message)
    default: .message(message)
    }
  }

  private func fail(_ error: OSCClientError) -> News {
    client = nil
    waiting = []
    switch state {
    case .new: return .never(error)
    case .lost:
      Thread.sleep(forTimeInterval: Self.retryPause)
      return .quiet
    case .listening:
      state = .lost
      return .lost("the daemon is gone")
    }
  }
}
