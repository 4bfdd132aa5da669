import AddressSpace
import SessionPolicy

/// What the host is after one event, as one line of JSON with sorted keys.
public struct TraceRecord {
  /// A message that was refused, and the code.
  public struct RefusedAddress: Sendable {
    public let address: String
    public let code: String
  }

  public let time: Double
  /// The message as in the script; those of a bundle joined by `; `.
  public let event: String
  public let errors: [RefusedAddress]
  public let notices: [Message]
  public let state: PolicyState

  /// One JSON object without a line break.
  public var line: String {
    JSONText.object([
      ("errors", JSONText.array(errors.map { .array([.string($0.address), .string($0.code)]) })),
      ("event", .string(event)),
      ("host", host),
      ("notices", JSONText.array(notices.map { .array([.string($0.address)] + $0.arguments.map(JSONText.init)) })),
      ("sessions", sessions),
      ("time", .number(time)),
    ]).text
  }

  private var host: JSONText {
    .object([
      ("cover", .string(state.cover.rawValue)),
      ("locked", .bool(state.isLocked)),
      ("nowPlaying", .string(state.nowPlayingSession?.name ?? "")),
      ("ringer", .number(state.ringerVolume)),
      ("route", .string(state.currentRouteName)),
      ("silent", .bool(state.isSilent)),
      ("volume", .number(state.systemVolume)),
    ])
  }

  private var sessions: JSONText {
    let surroundings = Surroundings(state)
    return .object(
      state.sessions.sorted { $0.name < $1.name }.map { session in
        let silence = surroundings.silence(of: session)
        return (
          session.name,
          .object([
            ("audible", .bool(silence == .none)),
            ("category", .string(session.category.rawValue)),
            ("causes", .array(session.causes.map { .string(state.name(of: $0)) })),
            ("duckedBy", .array(state.duckedBy(session).map(JSONText.string))),
            ("effectiveCategory", .string(session.effectiveCategory.rawValue)),
            ("mic", .bool(state.isMicrophoneOpen(session))),
            ("micMute", .bool(session.micMute)),
            ("mode", .string(session.mode.rawValue)),
            ("mute", .bool(session.mute)),
            ("options", .array(session.options.names.sorted().map(JSONText.string))),
            ("playing", .bool(session.playing)),
            ("reduction", .number(state.reduction(of: session))),
            ("resume", .bool(session.resume)),
            ("silence", .string(silence.rawValue)),
            ("state", .string(session.state.rawValue)),
            ("volume", .number(session.volume)),
          ])
        )
      })
  }
}

/// A piece of JSON text. The order of an object's keys is that in which they are given.
struct JSONText {
  let text: String

  static func string(_ value: String) -> JSONText {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return JSONText(text: text + "\"")
  }

  static func bool(_ value: Bool) -> JSONText { JSONText(text: value ? "true" : "false") }

  /// Rounded to six decimals.
  static func number(_ value: Double) -> JSONText {
    let rounded = (value * 1e6).rounded() / 1e6
    guard rounded != rounded.rounded() || abs(rounded) >= 1e15 else { return JSONText(text: String(Int64(rounded))) }
    return JSONText(text: "\(rounded)")
  }

  static func array(_ items: [JSONText]) -> JSONText {
    JSONText(text: "[" + items.map(\.text).joined(separator: ", ") + "]")
  }

  static func object(_ members: [(String, JSONText)]) -> JSONText {
    JSONText(text: "{" + members.map { string($0).text + ": " + $1.text }.joined(separator: ", ") + "}")
  }
}

extension JSONText {
  /// An OSC argument as JSON.
  fileprivate init(_ argument: Argument) {
    switch argument {
    case .int(let value): self = .number(Double(value))
    case .long(let value): self = .number(Double(value))
    case .float(let value): self = .number(Double(value))
    case .double(let value): self = .number(value)
    case .bool(let value): self = .bool(value)
    case .string(let value): self = .string(value)
    case .other: self = JSONText(text: "null")
    }
  }
}
