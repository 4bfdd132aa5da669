import AddressSpace
import SessionPolicy

/// What a machine is to be: its routes, its sessions and its scenes, as a preset file tells them.
///
/// Names are unique within each list and references between them are valid in every preset that was read
/// from a file without a complaint.
public struct Preset: Hashable, Sendable {
  /// For people.
  public var title: String?
  /// In the order of preference (policy R1, R4). At most 64.
  public var routes = [Route.physicalSpeaker]
  /// At most 64.
  public var inputs: [Input] = []
  /// At most 1024.
  public var sessions: [Session] = []
  public var fades = Fades()
  public var scenes: [Scene] = []
  public var start = Start()
  /// Address patterns that no recall of a scene touches.
  public var safe: [String] = []
  public var osc = OSCAccess()
  /// Whether what played before a crash plays again after it.
  public var resume = false

  /// The preset of a live machine that has none: one route, on the server's physical playback ports.
  public init() {}
}

/// Who says whether a route is there.
public enum Availability: String, CaseIterable, Sendable {
  /// The route is there while all its ports exist.
  case ports
  /// OSC says so.
  case manual
}

/// How long gains take to change, in milliseconds (policy §13).
public struct Fades: Hashable, Sendable {
  /// A volume that is set.
  public var volume = 30.0
  /// Mute, solo, the silent switch, the lock, recording.
  public var mute = 20.0
  public var pause = 60.0
  /// Starting to play, and playing again after an interruption.
  public var resume = 250.0
  /// Falling silent in an interruption.
  public var interrupt = 250.0
  public var route = 50.0
  /// Opening and closing a microphone.
  public var mic = 20.0

  public init() {}
}

extension Preset {
  /// Values to recall together: a list of messages, sent in this order as one event.
  public struct Scene: Hashable, Sendable {
    public var name: String
    /// For people.
    public var title: String?
    /// Seconds.
    public var fade = 0.0
    public var set: [Message] = []

    public init(name: String) { self.name = name }
  }

  /// What is done once when Eider starts: first the scene, then the messages.
  public struct Start: Hashable, Sendable {
    public var scene: String?
    public var set: [Message] = []

    public init() {}
  }

  /// Who may reach the machine over OSC. From loopback everybody may.
  public struct OSCAccess: Hashable, Sendable {
    /// The addresses that are listened on.
    public var listen = [IPAddress.loopback]
    public var port = 9770
    /// From where messages are taken.
    public var allow: [IPBlock] = []
    /// From where values may be read and subscribed, but not set.
    public var readOnly: [IPBlock] = []

    public init() {}
  }
}
