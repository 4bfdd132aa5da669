import SessionPolicy

extension Preset {
  /// An output route, as the preset tells it (policy §10).
  public struct Route: Hashable, Sendable {
    public var name: String
    /// For people; the name where there is none.
    public var title: String?
    public var kind: RouteKind
    /// The JACK ports that it plays to, one for each channel; `nil`: the server's physical playback ports.
    public var ports: [PortExpression]?
    public var availability = Availability.ports
    /// Whether it is there at the start, where only OSC can tell otherwise: by default, if it is nobody's own.
    public var isAvailableAtStart: Bool?
    /// The first system volume here, a fader position 0…1; `nil`: as the policy has it (V3).
    public var volume: Double?
    /// dB, −60…12.
    public var trim = 0.0
    public var hasFixedVolume = false
    /// `nil`: as the kind has it.
    public var pausesOnLoss: Bool?
    /// `nil`: as the kind has it.
    public var isPersonal: Bool?
    /// The ceiling of the limiter in dBFS, −60…0, or `nil` where it is off.
    public var limit: Double? = -0.1
    /// How far the limiter looks ahead, in milliseconds, 0…50: so much later the route sounds.
    public var lookahead = 0.0

    public init(name: String, kind: RouteKind) {
      self.name = name
      self.kind = kind
    }

    /// The route of a machine whose preset has none.
    public static let physicalSpeaker = Route(name: "speaker", kind: .speaker)

    /// The route as the policy knows it.
    ///
    /// - Parameter portsExist: whether all its ports exist now. That counts only where its ports decide.
    public func outputRoute(portsExist: Bool) -> OutputRoute {
      var route = OutputRoute(name: name, title: title, kind: kind)
      route.hasFixedVolume = hasFixedVolume
      if let pausesOnLoss { route.pausesOnLoss = pausesOnLoss }
      if let isPersonal { route.isPersonal = isPersonal }
      route.volume = volume ?? (route.isPersonal ? 0.5 : 1)
      route.trim = trim
      route.limit = limit
      route.isDetected = availability == .ports
      route.isAvailable = route.isDetected ? portsExist : isAvailableAtStart ?? !route.isPersonal
      return route
    }
  }

  /// A microphone or other source that sessions may hear, as the preset tells it (policy §10).
  public struct Input: Hashable, Sendable {
    public var name: String
    /// For people; the name where there is none.
    public var title: String?
    /// The JACK ports that it hears, one for each channel; `nil`: the server's physical capture ports.
    public var ports: [PortExpression]?
    public var availability = Availability.ports
    /// dB, −60…12.
    public var trim = 0.0

    public init(name: String) { self.name = name }

    /// The input as the policy knows it. One that is left to OSC is there at the start.
    ///
    /// - Parameter portsExist: whether all its ports exist now. That counts only where its ports decide.
    public func inputRoute(portsExist: Bool) -> InputRoute {
      var route = InputRoute(name: name, title: title)
      route.trim = trim
      route.isDetected = availability == .ports
      route.isAvailable = !route.isDetected || portsExist
      return route
    }
  }
}
