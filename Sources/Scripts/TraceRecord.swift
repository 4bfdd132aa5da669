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
    var json = JSONWriter()
    json.object { json in
      json.key("errors")
      json.array { json in for error in errors { json.array([error.address, error.code]) } }
      json.member("event", event)
      json.key("host")
      writeHost(to: &json)
      json.key("notices")
      json.array { json in
        for notice in notices {
          json.array { json in
            json.value(notice.address)
            for argument in notice.arguments { json.value(argument) }
          }
        }
      }
      json.key("sessions")
      writeSessions(to: &json)
      json.member("time", time)
    }
    return json.text
  }

  private func writeHost(to json: inout JSONWriter) {
    json.object { json in
      json.member("cover", state.cover.rawValue)
      json.member("locked", state.isLocked)
      json.member("nowPlaying", state.nowPlayingSession?.name ?? "")
      json.member("ringer", state.ringerVolume)
      json.member("route", state.currentRouteName)
      json.member("silent", state.isSilent)
      json.member("volume", state.systemVolume)
    }
  }

  private func writeSessions(to json: inout JSONWriter) {
    let surroundings = Surroundings(state)
    json.object { json in
      for session in state.sessions.sorted(by: { $0.name < $1.name }) {
        json.key(session.name)
        write(session, in: surroundings, to: &json)
      }
    }
  }

  private func write(_ session: Session, in surroundings: Surroundings, to json: inout JSONWriter) {
    let silence = surroundings.silence(of: session)
    json.object { json in
      json.member("audible", silence == .none)
      json.member("category", session.category.rawValue)
      json.key("causes")
      json.array(session.causes.map(state.name))
      json.key("duckedBy")
      json.array(state.duckedBy(session))
      json.member("effectiveCategory", session.effectiveCategory.rawValue)
      json.member("mic", state.isMicrophoneOpen(session))
      json.member("micMute", session.micMute)
      json.member("mode", session.mode.rawValue)
      json.member("mute", session.mute)
      json.key("options")
      json.array(session.options.names.sorted())
      json.member("playing", session.playing)
      json.member("reduction", state.reduction(of: session))
      json.member("resume", session.resume)
      json.member("silence", silence.rawValue)
      json.member("state", session.state.rawValue)
      json.member("volume", session.volume)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func value(_ argument: Argument) {
    switch argument {
    case .int(let number): value(Double(number))
    case .long(let number): value(Double(number))
    case .float(let number): value(Double(number))
    case .double(let number): value(number)
    case .bool(let truth): value(truth)
    case .string(let text): value(text)
    case .other: null()
    }
  }
}
