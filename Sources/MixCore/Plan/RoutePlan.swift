/// What is wanted of one output route. A plain value of the control side.
public struct OutputRoutePlan: Hashable, Sendable {
  /// The output ports, as opaque handles: at most `MixCapacity.channelsPerRoute`, what is more is left out.
  ///
  /// Channel 1 and 2 carry the mix. One port alone carries both, each at −3 dB; of more than two the odd ones repeat the
  /// first and the even ones the second.
  public var ports: [UnsafePort] = []
  /// An unavailable route is gone: what sounded there stops without a fade, and its ports get zeros.
  public var isAvailable = false
  /// The system volume on this route, a position 0…1 (1 where the volume is fixed).
  public var volume: Float = 1
  /// dB, −60…12.
  public var trim: Float = 0
  /// Frames that a change of `volume` or `trim` takes.
  public var volumeFade = 0
  /// As a strip's.
  public var way: UInt32 = 0
  /// The ceiling of the limiter in dBFS, −60…0, or `nil` where it is off.
  public var limit: Float? = -0.1
  /// Frames by which the limiter looks ahead, and delays the route, with the limiter off too: at most 50 ms. A change
  /// cuts off what is in the delay.
  public var lookAhead = 0
  /// Whether momentary loudness is measured.
  public var measuresLoudness = false

  public init() {}
}

/// What is wanted of one input route. A plain value of the control side.
///
/// Every open microphone hears the first available input route, in the order of their indices. An input of one port
/// goes to both channels of a session, two go to a session of one channel at −3 dB each; more than two are not heard.
public struct InputRoutePlan: Hashable, Sendable {
  /// The input ports, as opaque handles.
  public var ports: [UnsafePort] = []
  /// An unavailable input is gone: it is not read, and nothing fades.
  public var isAvailable = false
  /// dB, −60…12.
  public var trim: Float = 0
  /// Frames that a change of `trim` takes.
  public var trimFade = 0

  public init() {}
}

/// What is wanted of the host. A plain value of the control side.
public struct HostPlan: Hashable, Sendable {
  /// The ringer volume, a position 0…1.
  public var ringer: Float = 1
  /// Frames that a change of `ringer` takes.
  public var ringerFade = 0
  /// As a strip's.
  public var ringerWay: UInt32 = 0
  /// Whether anything sounds at all: the outputs and the microphones. Closed to end, and for panic.
  public var isOpen = true
  /// Frames that a change of `isOpen` takes.
  public var openFade = 0
  /// Frames that the microphones take to cross from one input route to another.
  public var inputFade = 0

  public init() {}
}

/// The handle of one port: opaque to the mixer, which hands it to the shell.
///
/// It must stay valid until the publication that took it away is acknowledged.
public struct UnsafePort: Hashable, Sendable {
  let bits: UInt

  public init(_ handle: UnsafeMutableRawPointer) { bits = UInt(bitPattern: handle) }
}
