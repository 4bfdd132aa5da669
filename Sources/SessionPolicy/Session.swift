/// Which session, for as long as it is open: sessions are numbered in the order of their opening, and no number is
/// given twice.
public struct SessionID: Hashable, Comparable, Sendable {
  let number: UInt32
  public static func < (first: SessionID, second: SessionID) -> Bool { first.number < second.number }
}

/// The audio identity of one program (policy §1).
///
/// Everybody may read a session; only the rules in `PolicyState` change one.
public struct Session: Hashable, Sendable {
  /// Whether it holds the floor, waits for it, or does not want it.
  public enum State: String, Sendable {
    case inactive, active, interrupted
  }

  /// What counts for all other sessions.
  var standing: Standing
  public let name: String
  /// For people; the name until somebody sets it.
  public internal(set) var title: String

  public internal(set) var controls = false
  /// `nil` until somebody sets it.
  var remoteWish: RemoteCommands?
  public internal(set) var foreground = true
  /// −100…100, only for ducking (D2).
  public internal(set) var priority = 0
  /// The program's own relative level, a fader position 0…1.
  public internal(set) var volume = 1.0
  /// −1 (left) … 1 (right).
  public internal(set) var pan = 0.0
  /// Indices of output routes, as somebody listed them. Empty: the host's current route.
  public internal(set) var routes: [Int] = [] {
    didSet { standing.ownRoutes = routes.isEmpty ? nil : RouteSet(routes) }
  }
  /// `nil` until somebody sets it.
  var routeLossWish: RouteLossBehavior?
  public internal(set) var duck = DuckParameters()
  public internal(set) var micMute = false

  public internal(set) var activation = Activation.manual
  /// Seconds, 0…86400; 0 is never.
  public internal(set) var idleRelease = 0.0
  /// How `signal` activation listens, and how long a session outlives its program (§9).
  public internal(set) var automatic = AutomaticActivationParameters()

  /// What interrupts it, in the order gained.
  public internal(set) var causes: [Cause] = []
  /// While it is interrupted: whether it would play afterwards.
  public internal(set) var resume = false
  /// Who holds it from outside, in the order in which they began (I6).
  public internal(set) var holds: [String] = []

  /// Whether every cause that the present interruption has lost so far was lost resumable (I3).
  var lostResumably = true
  /// Whether the present interruption ever had the cause `mic` (I4).
  var wasMicrophoneCause = false
  /// Grows with each successful activation of the host; 0 is never (I5).
  var activationOrder: UInt64 = 0
  /// Grows with each play of the host that made a session play; 0 is never (C1).
  var playOrder: UInt64 = 0
  /// Whether it became inactive by I4, I9 or idle release, not by its program (C2).
  var wasMadeInactive = false
  /// Since when it has been active without playing, in seconds.
  var idleSince: Double?

  /// Whether its input carries signal now, as a ducker with trigger `signal` hears it (D1).
  public internal(set) var hasDuckingSignal = false
  /// Whether its input carries the signal that plays it, as far as is known (§9).
  public var hasActivationSignal: Bool { automaticState.hasSignal }
  /// What has become of automatic activation (§9).
  var automaticState = AutomaticActivationState()
  /// What happened to it in the present event (§1, Order).
  var ledger = Ledger()

  init(id: SessionID, name: String, title: String, category: Category) {
    standing = Standing(id: id, category: category)
    self.name = name
    self.title = title
  }
}

extension Session {
  public var id: SessionID { standing.id }
  public var category: Category { standing.setting.category }
  public var options: SessionOptions { standing.setting.options }
  public var mode: Mode { standing.setting.mode }

  public internal(set) var state: State {
    get { standing.state }
    set { standing.state = newValue }
  }

  /// Whether it wants to sound.
  public internal(set) var playing: Bool {
    get { standing.playing }
    set { standing.playing = newValue }
  }

  public internal(set) var mute: Bool {
    get { standing.mute }
    set { standing.mute = newValue }
  }

  public internal(set) var solo: Bool {
    get { standing.solo }
    set { standing.solo = newValue }
  }
}

extension Session {
  /// The category that all rules use: `auto` as it was resolved (§2).
  public var effectiveCategory: Category { standing.effectiveCategory }

  /// The remote commands that it understands (§1).
  public var remote: RemoteCommands { remoteWish ?? (controls ? .withControls : []) }

  /// What it does when its route is lost (§1, R4).
  public var onRouteLoss: RouteLossBehavior { routeLossWish ?? effectiveCategory.defaultRouteLossBehavior }

  /// Whether it takes the floor from nobody (§3).
  public var isMixable: Bool { standing.setting.isMixable }

  /// Whether it claims the floor for itself (§3).
  public var isExclusive: Bool { standing.isExclusive }

  /// Whether it may duck at all, beside its trigger (D1).
  public var isDucker: Bool { standing.isDucker }
}
