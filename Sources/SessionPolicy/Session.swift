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

  public let id: SessionID
  public let name: String
  /// For people; the name until somebody sets it.
  public internal(set) var title: String

  public internal(set) var category: Category
  public internal(set) var options: SessionOptions = []
  public internal(set) var mode = Mode.default
  /// What `auto` was resolved to at the last activation (§2).
  var resolvedCategory = Category.soloAmbient

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
  public internal(set) var mute = false
  public internal(set) var solo = false
  /// Indices of output routes, as somebody listed them. Empty: the host's current route.
  public internal(set) var routes: [Int] = []
  /// The same as a set.
  var routeSet = RouteSet()
  /// `nil` until somebody sets it.
  var routeLossWish: RouteLossBehavior?
  public internal(set) var duck = DuckParameters()
  public internal(set) var micMute = false

  public internal(set) var activation = Activation.manual
  /// Seconds, 0…86400; 0 is never.
  public internal(set) var idleRelease = 0.0
  /// How `signal` activation listens, and how long a session outlives its program (§9).
  public internal(set) var automatic = AutomaticActivationParameters()

  public internal(set) var state = State.inactive
  /// Whether it wants to sound.
  public internal(set) var playing = false
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
    self.id = id
    self.name = name
    self.title = title
    self.category = category
  }
}

extension Session {
  /// The category that all rules use: `auto` as it was resolved (§2).
  public var effectiveCategory: Category { category == .auto ? resolvedCategory : category }

  /// The remote commands that it understands (§1).
  public var remote: RemoteCommands { remoteWish ?? (controls ? .withControls : []) }

  /// What it does when its route is lost (§1, R4).
  public var onRouteLoss: RouteLossBehavior { routeLossWish ?? effectiveCategory.defaultRouteLossBehavior }

  /// Whether it takes the floor from nobody (§3).
  public var isMixable: Bool { Setting(self).isMixable }

  /// Whether it claims the floor for itself (§3).
  public var isExclusive: Bool { !isMixable }

  var isCall: Bool { effectiveCategory == .call }
  var isActive: Bool { state == .active }
  var usesMicrophone: Bool { effectiveCategory.usesMicrophone }
  var isSpoken: Bool { mode == .spokenAudio }

  /// Whether it interrupts spoken audio now (A3).
  var interruptsSpeech: Bool {
    state == .active && playing && options.contains(.interruptSpokenAudioAndMixWithOthers)
  }

  /// Whether it may duck at all, beside its trigger (D1).
  public var isDucker: Bool { options.contains(.duckOthers) || effectiveCategory == .ringtone }
}

/// Category, options and mode, which are judged together (A9).
struct Setting: Hashable {
  var category: Category
  var options: SessionOptions
  var mode: Mode
  /// What `auto` is resolved to.
  var resolved: Category

  init(_ session: Session) {
    category = session.category
    options = session.options
    mode = session.mode
    resolved = session.resolvedCategory
  }

  init(category: Category, options: SessionOptions) {
    self.category = category
    self.options = options
    mode = .default
    resolved = .soloAmbient
  }

  var effectiveCategory: Category { category == .auto ? resolved : category }

  /// §3: its category always mixes, or it has one of the first three options.
  var isMixable: Bool { effectiveCategory.alwaysMixes || !options.isDisjoint(with: .mixing) }

  /// A9: whether these three go together.
  func validate() throws(Refusal) {
    let excess = options.subtracting(category.allowedOptions)
    guard excess.isEmpty else {
      let allowed = category.allowedOptions.names
      throw Refusal(
        .incompatibleCategory,
        "category \(category.rawValue) takes \(allowed.isEmpty ? "no options" : allowed.joined(separator: ", ")), "
          + "got \(excess.names.joined(separator: ", "))")
    }
    guard mode == .default || category == .playback else {
      throw Refusal(
        .incompatibleCategory, "mode \(mode.rawValue) goes with category playback only, this is \(category.rawValue)")
    }
  }
}
