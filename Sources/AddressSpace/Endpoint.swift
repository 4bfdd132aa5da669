import SessionPolicy

/// One row of the address space: an address, what may be set there, and how it is read and written.
public struct Endpoint: Sendable {
  /// What the address is about.
  public enum Subject: Sendable {
    /// `/host/…`, `/eider/…`, `/scene/…`, `/client/…` and the like: there is one.
    case one
    case session, route, input
  }

  /// What may be done with it.
  public enum Access: Sendable {
    case readWrite
    case readOnly
    /// Set only; it has no value to read.
    case writeOnly
    /// A button: no pattern ever presses it, and it has no value to read.
    case act
  }

  /// `/session/NAME/volume`; NAME stands for the name of the subject.
  public let address: String
  public let subject: Subject
  public let access: Access
  /// What its arguments are, in their order.
  public let kinds: [ValueKind]
  /// The same in words, where `kinds` does not say all.
  public let usage: String?
  /// One line for people.
  public let documentation: String
  /// The ids of the rules of the policy that stand behind it.
  public let rules: [String]
  /// What of the address is before and after the name of its subject.
  let head: String
  let tail: String
  let read: (@Sendable (Scope) -> [Argument])?
  let write: (@Sendable (Scope, inout Words) throws(Refusal) -> Action)?
  /// The short way for the one argument of a fader or a button of a session, where that alone says what is meant.
  let press: PressRule?

  init(
    _ address: String, _ subject: Subject = .one, _ access: Access = .readWrite, _ kinds: [ValueKind],
    usage: String? = nil, rules: [String] = [], _ documentation: String,
    read: (@Sendable (Scope) -> [Argument])? = nil,
    write: (@Sendable (Scope, inout Words) throws(Refusal) -> Action)? = nil,
    press: PressRule? = nil
  ) {
    self.address = address
    let parts = address.split(separator: "/NAME/", maxSplits: 1)
    head = parts.count > 1 ? parts[0] + "/" : address
    tail = parts.count > 1 ? "/" + parts[1] : ""
    self.subject = subject
    self.access = access
    self.kinds = kinds
    self.usage = usage
    self.rules = rules
    self.documentation = documentation
    self.read = read
    self.write = write
    self.press = press
  }

  /// Whether a scene that stores everything stores it: what a person sets, not what a program or the machine does.
  var isStorable: Bool {
    switch address {
    case "/route/NAME/available", "/input/NAME/available", "/session/NAME/active", "/session/NAME/playing",
      "/session/NAME/title", "/session/NAME/foreground", "/host/cover", "/host/locked", "/host/route":
      false
    default: true
    }
  }

  /// Whether it is remembered beyond the end of the daemon: how loud, whether at all, and where, as people set it.
  var isRemembered: Bool {
    switch address {
    case "/host/ringer", "/host/silent", "/route/NAME/volume", "/route/NAME/trim", "/route/NAME/limit",
      "/session/NAME/volume", "/session/NAME/pan", "/session/NAME/mute", "/session/NAME/solo", "/session/NAME/micMute",
      "/session/NAME/routes":
      true
    default: false
    }
  }

  /// Whether it has a value to read.
  public var isReadable: Bool { read != nil }
}

/// What the press of a fader or a button comes to; `nil` where its value is not as it should be.
///
/// A structure, for a function that is kept by itself is called by a detour.
struct PressRule: Sendable {
  let event: @Sendable (SessionID, PressValue) -> Event?
  /// The level that it sets, where it sets one.
  var level: LevelRule?
}

/// How what a fader sends becomes a level. Plain data.
struct LevelRule: Sendable {
  let level: Level
  let range: ClosedRange<Double>

  /// The value that the level gets; nil where what comes is not as it should be.
  func value(_ press: PressValue) -> Double? {
    guard let number = press.number, number.isFinite else { return nil }
    return min(range.upperBound, max(range.lowerBound, number))
  }
}

/// What a reader of an endpoint sees: the state, and which session or route it is about.
struct Scope {
  let state: PolicyState
  let scenes: SceneBook
  /// Where the session or route stands; 0 where there is one subject only.
  var index: Int
  let environment: any Environment
  var reader: ReaderID
  /// What all sessions together mean, where many values are read of one state.
  var digest: Digest?

  /// Lent, not copied: a session is large, and thousands of values are read at a time.
  var session: Session { _read { yield state.sessions[index] } }
  var outputRoute: OutputRoute { state.outputRoutes[index] }
}

/// What a message that sets something comes to.
enum Action {
  /// It was read.
  case value([Argument])
  case event(Event)
  case request(DaemonRequest)
  case eventAndRequest(Event, DaemonRequest)
  case recall(Scene, seconds: Double, patterns: [String])
  case store(String)
  case setSafe([String])
}

/// Who reads, so that peaks are kept for each reader by itself.
public struct ReaderID: Hashable, Sendable {
  public let number: UInt64
  public init(number: UInt64) { self.number = number }

  /// A reader of whom there is only one, such as a script.
  public static let only = ReaderID(number: 0)
}

/// What can be read beside the policy: what is measured, and how the daemon fares.
public protocol Environment {
  /// The peak in dBFS of a session since this reader last read it, after all gains.
  func peak(of session: SessionID, reader: ReaderID) -> Double
  /// Momentary loudness in LUFS.
  func loudness(of session: SessionID) -> Double
  /// The present total gain in dB, at least −120.
  func gain(of session: SessionID) -> Double
  /// Non-finite input samples that were replaced so far.
  func badSamples(of session: SessionID) -> Int
  /// What a ducker of style `margin` now asks for, in dB.
  func marginReduction(of ducker: SessionID) -> Double
  /// Of an output route, by its index.
  func peak(ofRoute index: Int, reader: ReaderID) -> Double
  func loudness(ofRoute index: Int) -> Double
  /// How many dB its limiter takes off now.
  func limiting(ofRoute index: Int) -> Double
  /// How the daemon fares.
  func value(of figure: DaemonFigure) -> [Argument]
  /// The preset file and what is wrong with it.
  var presetReport: [String] { get }
}

/// Figures of the daemon that can be read under `/eider`.
public enum DaemonFigure: String, CaseIterable, Sendable {
  case xruns, load, period, rate, jack, uptime, oscReceived, oscRefused, oscMalformed, oscDropped, scheduled, snapshots
  case lateCycles, lostFrames, lateChanges, ownLoad, cycleTime, pageFaults, contextSwitches
}

/// Where there is no audio: everything is silent.
public struct SilentEnvironment: Environment {
  /// What stands for −∞ dB.
  public static let floor = -120.0

  public init() {}
  public var presetReport: [String] { [] }
  public func peak(of session: SessionID, reader: ReaderID) -> Double { Self.floor }
  public func loudness(of session: SessionID) -> Double { Self.floor }
  public func gain(of session: SessionID) -> Double { Self.floor }
  public func badSamples(of session: SessionID) -> Int { 0 }
  public func marginReduction(of ducker: SessionID) -> Double { 0 }
  public func peak(ofRoute index: Int, reader: ReaderID) -> Double { Self.floor }
  public func loudness(ofRoute index: Int) -> Double { Self.floor }
  public func limiting(ofRoute index: Int) -> Double { 0 }
  public func value(of figure: DaemonFigure) -> [Argument] {
    switch figure {
    case .jack: [.string("none")]
    case .load, .ownLoad, .uptime: [.float(0)]
    case .cycleTime: [.float(0), .float(0), .float(0)]
    case .pageFaults, .contextSwitches: [.int(0), .int(0)]
    default: [.int(0)]
    }
  }
}

/// What comes of a message.
public enum Reply: Hashable, Sendable {
  /// The value of an address that was read.
  case value(Message)
  case refused(address: String, Refusal)
  /// A remote command that reached nobody (C2).
  case ignoredRemote(IgnoredRemoteCommand)
  /// What only the daemon can do.
  case request(DaemonRequest)
}

/// What a message asks of the daemon and its transports.
public enum DaemonRequest: Hashable, Sendable {
  /// To answer once all before it is in force in the audio thread.
  case sync(Int32)
  /// To tell the client what changes.
  case subscribe(SubscriptionWish)
  /// No more of a pattern, or of any (`nil`).
  case unsubscribe(pattern: String?)
  /// To go on telling.
  case renew
  /// What time it is.
  case time
  case ping([Argument])
  case version
  case status
  case quit
  /// Whether this client reads booleans as numbers.
  case boolsAsInts(Bool)
  /// Everything to silence within 5 ms.
  case panic
  /// What this event changes glides there in so many seconds.
  case glide(Double)
  /// A scene was stored under this name and is to be kept.
  case keepScene(String)
}
