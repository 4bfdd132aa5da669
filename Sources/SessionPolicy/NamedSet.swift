/// A set of words with a fixed order, as a session's options or remote commands are.
public protocol NamedSet: OptionSet, Sendable {
  /// Every member with its name, in the order of the policy.
  static var names: [(name: String, member: Self)] { get }
}

extension NamedSet where Element == Self {
  /// The names of the members, in the order of the policy.
  public var names: [String] { isEmpty ? [] : Self.names.compactMap { contains($0.member) ? $0.name : nil } }

  /// The member of this name, if there is one.
  public init?(name: some StringProtocol) {
    guard let known = Self.names.first(where: { $0.name == name }) else { return nil }
    self = known.member
  }
}

extension SessionOptions: NamedSet {
  public static var names: [(name: String, member: SessionOptions)] {
    [
      ("mixWithOthers", .mixWithOthers),
      ("duckOthers", .duckOthers),
      ("interruptSpokenAudioAndMixWithOthers", .interruptSpokenAudioAndMixWithOthers),
      ("overrideMutedMicrophoneInterruption", .overrideMutedMicrophoneInterruption),
    ]
  }
}

/// The remote commands that a session understands (policy §1, §12).
public struct RemoteCommands: NamedSet, Hashable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public init(_ command: RemoteCommand) { rawValue = 1 << command.bit }

  public static var names: [(name: String, member: RemoteCommands)] {
    RemoteCommand.allCases.map { ($0.rawValue, RemoteCommands($0)) }
  }

  /// What a session with controls understands until somebody sets it: all but next and previous.
  public static let withControls = RemoteCommands([.play, .pause, .toggle, .stop].map(RemoteCommands.init))
}

/// A button on a headset or remote control (policy §12).
public enum RemoteCommand: String, CaseIterable, Sendable {
  case play, pause, toggle, stop, next, previous

  fileprivate var bit: UInt8 {
    switch self {
    case .play: 0
    case .pause: 1
    case .toggle: 2
    case .stop: 3
    case .next: 4
    case .previous: 5
    }
  }
}
