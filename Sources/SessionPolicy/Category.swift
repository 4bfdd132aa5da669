/// What the sound of a session means (policy §2).
public enum Category: String, CaseIterable, Sendable {
  case auto, soloAmbient, ambient, playback, record, playAndRecord, audioProcessing, systemSound, ringtone, call
}

/// The table of policy §2, one property a column. `auto` never reaches it: it is resolved first.
extension Category {
  /// Whether a session of this category sounds although the silent switch is on.
  public var soundsWhenSilent: Bool {
    switch self {
    case .playback, .playAndRecord, .call: true
    case .auto, .soloAmbient, .ambient, .systemSound, .ringtone, .record, .audioProcessing: false
    }
  }

  /// Whether it sounds while the host is locked.
  public var soundsWhenLocked: Bool {
    switch self {
    case .playback, .playAndRecord, .ringtone, .call: true
    case .auto, .soloAmbient, .ambient, .systemSound, .record, .audioProcessing: false
    }
  }

  /// Whether it mixes with others whatever its options are.
  public var alwaysMixes: Bool {
    switch self {
    case .ambient, .systemSound, .ringtone: true
    // `audioProcessing` and `record` make no sound, yet the table says that they do not mix.
    case .auto, .soloAmbient, .playback, .record, .playAndRecord, .audioProcessing, .call: false
    }
  }

  /// Whether it has an output.
  public var hasOutput: Bool { self != .record && self != .audioProcessing }

  /// Whether it has a microphone.
  public var usesMicrophone: Bool { self == .record || self == .playAndRecord || self == .call }

  /// Whether the ringer volume governs it; else the system volume does.
  public var followsRinger: Bool { self == .systemSound || self == .ringtone }

  /// The options that may be set with this category (policy §3).
  public var allowedOptions: SessionOptions {
    switch self {
    case .playback: [.mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers]
    case .playAndRecord:
      [
        .mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers, .overrideMutedMicrophoneInterruption,
      ]
    case .ambient: .duckOthers
    case .auto, .soloAmbient, .record, .audioProcessing, .systemSound, .ringtone, .call: []
    }
  }

  /// What `onRouteLoss` is until somebody sets it (policy §1).
  public var defaultRouteLossBehavior: RouteLossBehavior {
    switch self {
    case .playAndRecord, .call, .systemSound, .ringtone: .continue
    case .auto, .soloAmbient, .ambient, .playback, .record, .audioProcessing: .pause
    }
  }
}

/// The refinements of a category (policy §3).
public struct SessionOptions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let mixWithOthers = SessionOptions(rawValue: 1 << 0)
  public static let duckOthers = SessionOptions(rawValue: 1 << 1)
  public static let interruptSpokenAudioAndMixWithOthers = SessionOptions(rawValue: 1 << 2)
  public static let overrideMutedMicrophoneInterruption = SessionOptions(rawValue: 1 << 3)

  /// The options that make a session mixable.
  public static let mixing: SessionOptions = [.mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers]
}

/// What a session plays, beside its category (policy §1).
public enum Mode: String, CaseIterable, Sendable {
  case `default`, spokenAudio
}
