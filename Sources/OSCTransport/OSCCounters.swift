/// What a server has counted since it was opened.
public struct OSCCounters: Hashable, Sendable {
  /// Packets that came in well-formed.
  public var packets = 0
  /// Messages in those packets, bundles counted by what is in them.
  public var messages = 0
  /// Datagrams and frames that are no OSC packet.
  public var malformed = 0
  /// Datagrams and connections of hosts that are not allowed, and connections beyond the limit.
  public var refused = 0
  /// Packets that could not be sent: too long, no room, or the client is gone.
  public var unsent = 0
  /// TCP clients that were dropped because they read too slowly or sent what is no OSC stream.
  public var droppedClients = 0
  /// Datagrams that the kernel dropped before they were read, because its buffer was full.
  public var kernelDrops = 0

  /// Everything that was lost on its way in or out.
  public var dropped: Int { unsent + kernelDrops }

  public init() {}
}
