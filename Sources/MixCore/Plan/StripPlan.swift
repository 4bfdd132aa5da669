/// What is wanted of one strip: the place in the mix of one session. A plain value of the control side.
///
/// Positions are those of a cubic fader, 0…1: gain = position³. Fades are in frames; a fade counts for the change that it
/// is published with, and every ramp starts from where the gain is at that moment. What closes already arrives after the
/// fade at the latest that is published later.
public struct StripPlan: Hashable, Sendable {
  /// Whether a session has this strip. A closed strip makes no sound, touches no port and costs nothing.
  public var isOpen = false
  /// 1 or 2.
  public var channels = 2
  /// The input ports, one for each channel; opaque to the mixer, which hands them to the shell.
  public var inputs = PortPair()
  /// The ports of the microphone send, one for each channel, of a session that can use the microphone.
  public var microphoneSends = PortPair()

  /// The session's own volume, a position 0…1.
  public var volume: Float = 1
  /// The balance, −1 (left) … 1 (right): the far channel's position is 1 − |pan|.
  public var pan: Float = 0
  /// Frames that a change of `volume`, `pan` or `followsRinger` takes.
  public var volumeFade = 0

  /// The routes on which the session may sound now: what every gate (play, pause, mute, silent switch …) leaves open.
  public var openRoutes = RouteSet()
  /// Frames that a change of `openRoutes` takes.
  public var gateFade = 0
  /// Numbers the ways to the same levels: with another number the ramps that are on their way start anew from where they
  /// are, with the present fade.
  public var way: UInt32 = 0
  /// The same for the gates.
  public var gateWay: UInt32 = 0

  /// The routes that the session has, whether it sounds there or not. Two sessions share those that both have (D2).
  public var routes = RouteSet()
  /// Whether the ringer volume governs it instead of the system volume of each route.
  public var followsRinger = false
  /// Whether it is a telephone call, which nobody ducks.
  public var isCall = false
  /// −100…100.
  public var priority = 0
  /// Whether and how it ducks the others.
  public var duck = DuckPlan()

  /// Whether the microphone is open (M1); it sounds if an input route is available.
  public var isMicrophoneOpen = false
  /// Frames that a change of `isMicrophoneOpen` takes.
  public var microphoneFade = 0

  /// How the mixer watches the input for a signal, or `nil` where nobody asks.
  public var activation: ActivationPlan?
  /// Whether momentary loudness is measured.
  public var measuresLoudness = false

  public init() {}
}

/// How a strip ducks the others (policy §6).
public struct DuckPlan: Hashable, Sendable {
  /// When it ducks.
  public enum Trigger: Hashable, Sendable {
    /// It does so as long as the control side says so.
    case held(Bool)
    /// It does so while its own signal is present, as long as the control side allows it.
    case signal(allowed: Bool)
  }

  /// How far it turns the others down.
  public enum Style: Hashable, Sendable { case fixed, margin }

  /// Whether the session is of the kind that ducks, so that a ducker of the same priority leaves it alone (D2).
  public var isOfDuckerClass = false
  public var trigger = Trigger.held(false)
  public var style = Style.fixed
  /// dB, −60…0.
  public var depth: Float = -14
  /// Frames, 1….
  public var attack = 4800
  /// Frames: how long a signal counts as present after it was last above the threshold.
  public var hold = 24_000
  /// Frames, 1….
  public var release = 38_400
  /// dBFS, −80…0.
  public var threshold: Float = -45
  /// LU, 0…40.
  public var margin: Float = 10
  /// dB, −60…0.
  public var maxDepth: Float = -40

  public init() {}
}

/// How a strip's input is watched, so that a signal can activate its session (policy §9).
public struct ActivationPlan: Hashable, Sendable {
  /// dBFS.
  public var threshold: Float = -50
  /// Frames that the input has to be above the threshold before there is a signal.
  public var onset = 960
  /// Frames of less after which there is none any more.
  public var hold = 96_000

  public init() {}
}
