import AddressSpace
import SessionPolicy

/// A host to send messages to: a speaker, headphones that are absent, a line whose volume is fixed and that is absent,
/// a route that is detected, and two microphones of which the second is detected and absent.
struct Desk {
  var state: ControlState
  private var time = 0.0

  init(_ opening: String...) {
    var fixed = OutputRoute(name: "line", title: "Line out", kind: .line, isAvailable: false)
    fixed.hasFixedVolume = true
    var detected = OutputRoute(name: "usb", kind: .usb, isAvailable: false)
    detected.isDetected = true
    var detectedInput = InputRoute(name: "headset", isAvailable: false)
    detectedInput.isDetected = true
    state = ControlState(
      policy: PolicyState(
        outputRoutes: [
          OutputRoute(name: "speaker", kind: .speaker),
          OutputRoute(name: "headphones", kind: .headphones, isAvailable: false), fixed, detected,
        ],
        inputRoutes: [InputRoute(name: "mic"), detectedInput]))
    for words in opening { send(words) }
  }

  /// Sends one message as an event of its own.
  /// - Parameter words: an address and bare words, as in a script; a quoted word is a text.
  @discardableResult
  mutating func send(_ words: String) -> [Reply] {
    let parts = words.split(separator: " ").map(String.init)
    return send(
      Message(
        parts[0],
        parts.dropFirst().map { $0.hasPrefix("'") ? .string(String($0.dropFirst().dropLast())) : Argument(word: $0) }))
  }

  @discardableResult
  mutating func send(_ message: Message) -> [Reply] { send([message]) }

  /// Sends messages as one event.
  @discardableResult
  mutating func send(_ messages: [Message]) -> [Reply] {
    time += 1
    state.beginEvent(at: time)
    let replies = messages.flatMap { AddressTable.apply($0, to: &state) }
    notices = state.endEvent()
    return replies
  }

  /// Lets time go by: what the host does by itself is done.
  /// - Returns: what came of it.
  @discardableResult
  mutating func wait(_ seconds: Double) -> [ControlState.OwnEvent] {
    var events: [ControlState.OwnEvent] = []
    while let event = state.performOwnEvent(until: time + seconds) { events.append(event) }
    time += seconds
    state.moveGlides(to: time)
    return events
  }

  /// What the last message let listeners be told.
  private(set) var notices: [Message] = []

  /// What an address reads.
  func read(_ address: String) -> [Argument]? { AddressTable.read(address, in: state).first?.arguments }

  /// The code with which a message is refused, or `nil` if it is not.
  mutating func code(_ words: String) -> Refusal.Code? { send(words).refusals.first?.code }
}

extension [Reply] {
  /// What was refused.
  var refusals: [Refusal] {
    compactMap { reply in if case .refused(_, let refusal) = reply { refusal } else { nil } }
  }

  /// The addresses that answered, of whatever kind the answer is.
  var addresses: [String] {
    compactMap { reply in
      switch reply {
      case .value(let message): message.address
      case .refused(let address, _): address
      case .ignoredRemote, .request: nil
      }
    }
  }
}
