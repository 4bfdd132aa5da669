import SessionPolicy

extension Preset {
  /// A session, open from the start, as the preset tells it (policy §1, §6, §9).
  public struct Session: Hashable, Sendable {
    public var name: String
    /// For people; the name where there is none.
    public var title: String?
    /// 1 or 2.
    public var channels = 2
    /// The JACK ports that are connected to it when they appear.
    public var sources: [PortExpression] = []
    public var category = Category.soloAmbient
    public var options: SessionOptions = []
    public var mode = Mode.default
    public var controls = false
    /// `nil`: as `controls` has it.
    public var remote: RemoteCommands?
    public var foreground = true
    /// −100…100.
    public var priority = 0
    /// A fader position, 0…1.
    public var volume = 1.0
    /// −1…1.
    public var pan = 0.0
    public var mute = false
    public var solo = false
    /// Names of output routes; empty: the host's current route.
    public var routes: [String] = []
    /// `nil`: as the category has it.
    public var onRouteLoss: RouteLossBehavior?
    public var duck = DuckParameters()
    public var activation = Activation.manual
    /// dBFS, −120…0.
    public var activationThreshold = -50.0
    /// Milliseconds, 0…600000.
    public var activationHold = 2000.0
    /// Milliseconds, 0…600000.
    public var linger = 2000.0
    /// Seconds, 0…86400; 0: never.
    public var idleRelease = 0.0
    public var micMute = false

    public init(name: String) { self.name = name }
  }
}
