/// Which way sound goes through a port, seen from its owner.
public enum PortDirection: Hashable, Sendable {
  /// The owner takes sound from it: a destination.
  case input
  /// The owner gives sound to it: a source.
  case output
}

/// What is known of a port of the JACK server, of whichever client.
public struct JACKPort: Hashable, Sendable {
  /// `CLIENT:PORT`.
  public var name: String
  /// The client that owns it.
  public var client: String
  /// Up to two further names.
  public var aliases: [String]
  /// The name for people from the metadata, if somebody set one.
  public var prettyName: String?
  public var direction: PortDirection
  /// Whether it carries audio (and not MIDI or something else).
  public var isAudio: Bool
  /// Whether it is a connector of hardware.
  public var isPhysical: Bool
  /// The subject of its metadata.
  public var identity: UInt64

  /// - Parameter client: nil for what stands before the first colon of the name.
  public init(
    name: String, client: String? = nil, aliases: [String] = [], prettyName: String? = nil, direction: PortDirection,
    isAudio: Bool = true, isPhysical: Bool = false, identity: UInt64 = 0
  ) {
    self.name = name
    self.client = client ?? JACKNames.client(of: name)
    self.aliases = aliases
    self.prettyName = prettyName
    self.direction = direction
    self.isAudio = isAudio
    self.isPhysical = isPhysical
    self.identity = identity
  }

  /// All that it is called: name, aliases, pretty name.
  public var names: [String] { [name] + aliases + (prettyName.map { [$0] } ?? []) }
}

/// A connection between two ports, each by its full name.
public struct PortConnection: Hashable, Sendable {
  /// An output.
  public var source: String
  /// An input.
  public var destination: String

  public init(_ source: String, _ destination: String) {
    self.source = source
    self.destination = destination
  }
}

/// A port of Eider's own.
public struct OwnPort: Hashable {
  /// `CLIENT:PORT`.
  public let name: String
  public let direction: PortDirection
  /// The subject of its metadata.
  public let identity: UInt64
  /// The `jack_port_t *`, for the audio thread. Valid until the port is unregistered or the client closed.
  public let handle: UnsafeMutableRawPointer
}
