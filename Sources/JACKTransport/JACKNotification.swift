/// What the JACK server tells its clients.
public enum JACKNotification: Hashable, Sendable {
  /// A port is there and can be connected.
  case portRegistered(String)
  /// A port is gone.
  case portUnregistered(String)
  case portRenamed(from: String, to: String)
  case connected(PortConnection)
  case disconnected(PortConnection)
  case clientRegistered(String)
  case clientUnregistered(String)
  /// A property of a port or client (`JACKPort.identity`; 0: of any) was set, changed or removed.
  case metadataChanged(UInt64)
  /// The order of the cycle was computed anew.
  case graphReordered
  /// A cycle was not finished in time, by whomever.
  case xrun
  /// Frames per cycle from now on.
  case periodChanged(Int)
  /// Frames per second from now on.
  case sampleRateChanged(Int)
  /// The server runs as fast as it can from now on (true), or in time again.
  case freewheelingChanged(Bool)
  /// The server has ended, or has thrown the client out: close the client, nothing else works any more.
  case serverGone(reason: String)
  /// Notifications were lost: whoever follows the graph reads it anew.
  case missed
}

/// A notification, and when it came.
public struct TimedNotification: Hashable, Sendable {
  /// Microseconds of JACK's clock.
  public let time: UInt64
  public let notification: JACKNotification

  public init(time: UInt64, notification: JACKNotification) {
    self.time = time
    self.notification = notification
  }
}
