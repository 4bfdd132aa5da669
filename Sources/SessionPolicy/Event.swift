/// One thing that happens to the host or to one of its sessions.
///
/// Values are within their ranges: who makes an event has clamped or refused what is not.
public enum Event: Hashable, Sendable {
  case open(name: String, category: Category, title: String? = nil)
  /// A6.
  case close(SessionID)
  /// A1–A4.
  case activate(SessionID)
  /// A5.
  case deactivate(SessionID, notifyOthers: Bool)
  /// A6.
  case play(SessionID)
  /// A6, I2.
  case pause(SessionID)
  /// A7, A9: a category, with the options that come with it.
  case setCategory(SessionID, Category, options: SessionOptions)
  /// A7, A9.
  case setOptions(SessionID, SessionOptions)
  /// A7, A9.
  case setMode(SessionID, Mode)
  /// I9.
  case setForeground(SessionID, Bool)
  /// M3.
  case setMicMute(SessionID, Bool)
  /// An attribute that decides nothing at once.
  case set(SessionID, Attribute)
  /// I6: an outside party takes one session.
  case beginHold(SessionID, source: String)
  /// I6: and lets it go.
  case endHold(SessionID, source: String, resumable: Bool)

  /// I7.
  case beginHostInterruption(source: String)
  /// I7.
  case endHostInterruption(source: String, resumable: Bool)
  case setSilent(Bool)
  case setLocked(Bool)
  /// M2.
  case setCover(Cover)
  /// The system volume of the current route (V3, V4).
  case setVolume(Double)
  /// V2: one step up or down.
  case stepVolume(up: Bool)
  case setRinger(Double)
  /// R3.
  case chooseRoute(Int)
  /// R2, R4, R6.
  case setRouteAvailable(Int, Bool)
  case setRouteVolume(Int, Double)
  /// dB.
  case setRouteTrim(Int, Double)
  /// dBFS; `nil` turns the limiter off.
  case setRouteLimit(Int, Double?)
  /// R9.
  case setInputAvailable(Int, Bool)
  /// C2, C3.
  case remote(RemoteCommand)
  /// Everything is paused and nothing plays until it is asked to.
  case panic

  /// Some JACK port is connected to its inputs, or none any more (§9).
  case setConnected(SessionID, Bool)
  /// Its input has been loud enough for long enough, or quiet for long enough (§9).
  case setSignal(SessionID, Bool)
  /// The last client that fed it has been gone for `linger` (§9).
  case clientsLost(SessionID)
  /// Its own signal is present, as a ducker hears it (D1).
  case setDuckingSignal(SessionID, Bool)
}

/// What faders and knobs of a session set: numbers that decide nothing, at no time.
public enum Level: Sendable {
  /// V1, V5: 0…1.
  case volume
  /// −1…1.
  case pan
}

/// An attribute of a session whose change decides nothing at once.
public enum Attribute: Hashable, Sendable {
  case title(String)
  case controls(Bool)
  /// `nil`: as `controls` has it.
  case remote(RemoteCommands?)
  case priority(Int)
  case volume(Double)
  case pan(Double)
  case mute(Bool)
  case solo(Bool)
  /// Indices of output routes; empty follows the current one.
  case routes([Int])
  /// `nil`: as the category has it.
  case onRouteLoss(RouteLossBehavior?)
  case duck(DuckParameters)
  case activation(Activation)
  case idleRelease(Double)
  case automatic(AutomaticActivationParameters)
}
