/// What of a session counts for all others: its setting, whether it is active and plays, and where it is heard.
///
/// A value without references, so that a rule can look at every session of a large host and copies none of them.
struct Standing: Hashable, Sendable {
  let id: SessionID
  var setting: Setting
  var state = Session.State.inactive
  var playing = false
  var mute = false
  var solo = false
  /// Its own output routes; `nil` where it follows the current one.
  var ownRoutes: RouteSet?

  init(id: SessionID, category: Category) {
    self.id = id
    setting = Setting(category: category, options: [])
  }
}

extension Standing {
  var isActive: Bool { state == .active }
  var effectiveCategory: Category { setting.effectiveCategory }
  var isCall: Bool { effectiveCategory == .call }
  var isExclusive: Bool { !setting.isMixable }
  var isSpoken: Bool { setting.mode == .spokenAudio }

  /// Whether it may duck at all, beside its trigger (D1).
  var isDucker: Bool { setting.options.contains(.duckOthers) || effectiveCategory == .ringtone }

  /// Whether it interrupts spoken audio now (A3).
  var interruptsSpeech: Bool {
    isActive && playing && setting.options.contains(.interruptSpokenAudioAndMixWithOthers)
  }

  /// A3 without its clause on speech: whether it interrupts another session that is active.
  func interruptsByCategory(_ other: Standing) -> Bool {
    isCall || isExclusive && other.isExclusive && !other.isCall
  }

  /// A3: whether it interrupts another session that is active.
  func interrupts(_ other: Standing) -> Bool {
    interruptsByCategory(other) || interruptsSpeech && other.isSpoken
  }

  /// I5: whether it keeps another session from resuming.
  func hinders(_ other: Standing) -> Bool {
    guard isActive else { return false }
    if other.isCall { return isCall }
    return isCall || isExclusive && other.isExclusive || interruptsSpeech && other.isSpoken
  }
}

/// Category, options and mode, which are judged together (A9).
struct Setting: Hashable, Sendable {
  var category: Category
  var options: SessionOptions
  var mode = Mode.default
  /// What `auto` was resolved to at the last activation (§2).
  var resolved = Category.soloAmbient

  init(category: Category, options: SessionOptions) {
    self.category = category
    self.options = options
  }

  /// The category that all rules use (§2).
  var effectiveCategory: Category { category == .auto ? resolved : category }

  /// §3: its category always mixes, or it has one of the first three options.
  var isMixable: Bool { effectiveCategory.alwaysMixes || !options.isDisjoint(with: .mixing) }

  /// I9: whether it is ambient sound, which is not heard in the background.
  var isStoppedInBackground: Bool { effectiveCategory == .soloAmbient || effectiveCategory == .ambient }

  /// M3: whether it goes on under a closed cover.
  var goesOnUnderCover: Bool { options.contains(.overrideMutedMicrophoneInterruption) }

  /// A7: whether another setting is a change. What `auto` means is none.
  func differs(from other: Setting) -> Bool {
    (category, options, mode) != (other.category, other.options, other.mode)
  }

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
