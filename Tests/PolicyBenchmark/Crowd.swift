import AddressSpace
import SessionPolicy

/// A host with many sessions, as a large installation might have them: most of them mix and play, some wait, a few duck.
struct Crowd {
  var state: ControlState
  private var time = 0.0

  init(sessions count: Int) {
    state = ControlState(
      policy: PolicyState(
        outputRoutes: [
          OutputRoute(name: "speaker", kind: .speaker), OutputRoute(name: "headphones", kind: .headphones),
          OutputRoute(name: "line", kind: .line),
        ],
        inputRoutes: [InputRoute(name: "mic")]))
    for number in 0..<count {
      let name = Self.name(number)
      switch number % 10 {
      case 0:
        send("/session/open", .string(name), "playback")
        send("/session/\(name)/options", "duckOthers")
      case 1: send("/session/open", .string(name), "ambient")
      case 2: send("/session/open", .string(name), "playback")
      case 3:
        send("/session/open", .string(name), "playAndRecord")
        send("/session/\(name)/options", "mixWithOthers")
      default:
        send("/session/open", .string(name), "playback")
        send("/session/\(name)/options", "mixWithOthers")
      }
      if number % 10 != 9 { send("/session/\(name)/playing", true) }
    }
  }

  /// The name of the session with this number.
  static func name(_ number: Int) -> String { "session-\(number)" }

  /// One message as an event of its own.
  mutating func send(_ address: String, _ arguments: Argument...) { event([Message(address, arguments)]) }

  /// Messages as one event.
  mutating func event(_ messages: [Message]) {
    time += 0.001
    state.beginEvent(at: time)
    for message in messages { refused += AddressTable.apply(message, to: &state).count }
    told += state.endEvent().count
  }

  /// How many answers and notices there were, so that nothing that is measured can be left out.
  private(set) var refused = 0
  private(set) var told = 0
}
