/// What an output route leads to (policy §10).
public enum RouteKind: String, CaseIterable, Sendable {
  case speaker, headphones, bluetooth, airplay, hdmi, line, usb

  /// Whether the sound stops when such a route is lost, until the preset says otherwise.
  public var pausesOnLossByDefault: Bool { self == .headphones || self == .bluetooth || self == .airplay }

  /// Whether it is one person's own, until the preset says otherwise.
  public var isPersonalByDefault: Bool { self == .headphones || self == .bluetooth }

  /// Whether a remote command reaches a session that its program has left (C2).
  public var carriesRemoteControl: Bool { self == .bluetooth || self == .airplay }
}

/// What a session does when the route that it plays on is lost (policy R4).
public enum RouteLossBehavior: String, CaseIterable, Sendable {
  case pause, `continue`
}

/// Who activates a session (policy §9).
public enum Activation: String, CaseIterable, Sendable {
  case manual, connected, signal
}

/// Whether the host's cover is over its microphones (policy M2).
public enum Cover: String, CaseIterable, Sendable {
  case open, closed
}

/// Where sound can go (policy §10).
public struct OutputRoute: Hashable, Sendable {
  public let name: String
  /// For people. The name until the preset says otherwise.
  public var title: String
  public var kind: RouteKind
  public var isAvailable: Bool
  /// Whether the system volume has no say here (V4).
  public var hasFixedVolume: Bool
  public var pausesOnLoss: Bool
  public var isPersonal: Bool
  /// The system volume that is remembered for this route, a fader position 0…1 (V3).
  public var volume: Double
  /// dB, −60…12 (V1).
  public var trim = 0.0
  /// The ceiling of the limiter in dBFS, −60…0, or `nil` where it is off.
  public var limit: Double? = -0.1
  /// Whether it comes and goes with its JACK ports, so that nobody else may say so.
  public var isDetected = false

  /// A route of a kind, with what the policy says of such a kind.
  public init(name: String, title: String? = nil, kind: RouteKind, isAvailable: Bool = true) {
    self.name = name
    self.title = title ?? name
    self.kind = kind
    self.isAvailable = isAvailable
    hasFixedVolume = false
    pausesOnLoss = kind.pausesOnLossByDefault
    isPersonal = kind.isPersonalByDefault
    volume = kind.isPersonalByDefault ? 0.5 : 1
  }
}

/// Where sound can come from (policy §10).
public struct InputRoute: Hashable, Sendable {
  public let name: String
  public var title: String
  public var isAvailable: Bool
  /// dB, −60…12.
  public var trim = 0.0
  /// Whether it comes and goes with its JACK ports, so that nobody else may say so.
  public var isDetected = false

  public init(name: String, title: String? = nil, isAvailable: Bool = true) {
    self.name = name
    self.title = title ?? name
    self.isAvailable = isAvailable
  }
}
