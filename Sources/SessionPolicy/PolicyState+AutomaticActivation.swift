/// How sessions of programs that know nothing of the policy are listened to (policy §9).
public struct AutomaticActivationParameters: Hashable, Sendable {
  /// dBFS, −120…0: a signal above it plays a session of activation `signal`.
  public var threshold = -50.0
  /// Milliseconds, 0…600000: how long the signal must have been below it to deactivate the session.
  public var hold = 2000.0
  /// Milliseconds, 0…600000: how long a session outlives the last client that fed it.
  public var linger = 2000.0

  public init() {}
}

/// What has become of the automatic activation of one session.
struct AutomaticActivationState: Hashable, Sendable {
  /// Whether some port is connected to its inputs.
  var isConnected = false
  /// Whether its input carries signal.
  var hasSignal = false
  /// Whether an activation was refused that is to be tried again, unless somebody pauses or deactivates it before.
  var isWaiting = false
  /// Whether nothing but a command may play it (panic).
  var isBarred = false
}

extension PolicyState {
  mutating func setActivation(of index: Int, _ value: Activation) {
    guard sessions[index].activation != value else { return }
    sessions[index].activation = value
    sessions[index].automaticState.isWaiting = false
    if sessions[index].isDemanded { playAutomatically(index) }
  }

  mutating func setConnected(_ index: Int, _ value: Bool) {
    guard sessions[index].automaticState.isConnected != value else { return }
    sessions[index].automaticState.isConnected = value
    if sessions[index].activation == .connected { followDemand(index, value) }
  }

  mutating func setSignal(_ index: Int, _ value: Bool) {
    guard sessions[index].automaticState.hasSignal != value else { return }
    sessions[index].automaticState.hasSignal = value
    if sessions[index].activation == .signal { followDemand(index, value) }
  }

  /// A dead program can neither duck nor silence anybody.
  mutating func clientsLost(_ index: Int) {
    sessions[index].automaticState.hasSignal = false
    deactivateAutomatically(index)
  }

  private mutating func followDemand(_ index: Int, _ isDemanded: Bool) {
    if isDemanded { playAutomatically(index) } else { deactivateAutomatically(index) }
  }

  private mutating func deactivateAutomatically(_ index: Int) {
    deactivate(index, notifyOthers: !sessions[index].controls)
  }

  private mutating func playAutomatically(_ index: Int) {
    guard !sessions[index].automaticState.isBarred else { return }
    do {
      try play(index)
      sessions[index].automaticState.isWaiting = false
    } catch {
      // A2.3: no microphone is opened because a cover opened. Under an open cover A2.4 says the same of a recording.
      sessions[index].automaticState.isWaiting = error.code != .cannotStartRecording || cover == .open
    }
  }

  /// What was refused is tried again when what refused it has ended.
  mutating func retryAutomaticActivations() {
    for index in sessions.indices where sessions[index].automaticState.isWaiting {
      if sessions[index].isDemanded {
        playAutomatically(index)
      } else {
        sessions[index].automaticState.isWaiting = false
      }
    }
  }
}

extension Session {
  fileprivate var isDemanded: Bool {
    switch activation {
    case .manual: false
    case .connected: automaticState.isConnected
    case .signal: automaticState.hasSignal
    }
  }
}

/// A visitor who leaves does not hold the floor (§9, `idleRelease`).
extension PolicyState {
  /// The session that is to be released next for having been idle, and when, in seconds.
  public var nextIdleRelease: (session: Session, time: Double)? {
    nextIdle.map { (sessions[$0.index], $0.time) }
  }

  /// When that is. Asked before every event, and answered without a look at whole sessions.
  public var nextIdleReleaseTime: Double? { nextIdle?.time }

  private var nextIdle: (index: Int, time: Double)? {
    var next: (index: Int, time: Double)?
    for index in sessions.indices where sessions[index].idleRelease > 0 {
      guard let since = sessions[index].idleSince else { continue }
      let time = since + sessions[index].idleRelease
      if time < next?.time ?? .infinity { next = (index, time) }
    }
    return next
  }

  /// Releases an idle session: an event of its own, at its time.
  public mutating func releaseIdle(_ id: SessionID, at time: Double) -> [Notice] {
    beginEvent(at: time)
    if let index = index(of: id) {
      deactivate(index, notifyOthers: true)
      sessions[index].wasMadeInactive = true
    }
    return endEvent()
  }
}
