import AddressSpace
import Presets
import SessionPolicy

/// Knows what is to be remembered: what differs from what the preset says. Control thread only.
struct Recollection {
  /// Whether something may have to be remembered that is not yet.
  var isStale = true
  /// What the remembered addresses would read if nobody had set them.
  private var baseline: [String: [Argument]] = [:]
  /// What is remembered of sessions that are not open, by their names: it is theirs again when they are opened.
  private var absent: [String: [Message]] = [:]
  /// The open sessions as they were when this was last looked at, and what is remembered of each. Most are as they were:
  /// whoever moves one fader on a host with a thousand sessions does not wait until all are read.
  private var present: [SessionID: (session: Session, messages: [Message])] = [:]
  /// The output route that a person has chosen, and that nothing has taken since.
  private var chosenRoute = ""

  /// What an attribute of a session reads that nobody has set.
  private static let fresh: [Substring: [Argument]] = {
    var state = ControlState(policy: PolicyState(outputRoutes: [], inputRoutes: []))
    state.beginEvent(at: 0)
    _ = try? state.apply(.open(name: "fresh", category: .ambient))
    return Dictionary(
      state.remembered.filter { $0.address.hasPrefix("/session/") }.map { ($0.attribute, $0.arguments) },
      uniquingKeysWith: { first, _ in first })
  }()

  /// The start is over: so the preset says.
  mutating func begin(_ control: ControlState) {
    baseline = Dictionary(control.remembered.map { ($0.address, $0.arguments) }, uniquingKeysWith: { $1 })
    present = [:]
  }

  /// The preset says something else from now on.
  mutating func adopt(_ new: Preset, insteadOf old: Preset) {
    func values(_ preset: Preset) -> [String: [Argument]] {
      let state = ControlState(preset: preset) { _ in true }
      return Dictionary(state.remembered.map { ($0.address, $0.arguments) }, uniquingKeysWith: { $1 })
    }
    let before = values(old)
    for (address, value) in values(new) where before[address] != value { baseline[address] = value }
    present = [:]
  }

  mutating func note(_ notices: [Message]) {
    isStale = true
    for notice in notices where notice.address == "/host/route" {
      guard case .string(let name)? = notice.arguments.first else { continue }
      let isChoice = notice.arguments.last == .string(RouteChangeReason.override.rawValue)
      chosenRoute = isChoice ? name : ""
    }
  }

  /// A session has been opened: what is remembered of it is so again.
  mutating func recall(for name: String?, _ control: inout ControlState) {
    guard let name, let messages = absent.removeValue(forKey: name) else { return }
    for message in messages { _ = AddressTable.apply(message, to: &control) }
  }

  /// What is to be remembered now.
  mutating func memory(of control: ControlState) -> Memory {
    isStale = false
    var memory = Memory()
    memory.scene = control.scenes.current
    memory.route = chosenRoute
    memory.values = control.rememberedOfHost.filter { $0.arguments != baseline[$0.address] }
    var open: [SessionID: (session: Session, messages: [Message])] = [:]
    for index in control.policy.sessions.indices {
      let session = control.policy.sessions[index]
      let former = present.removeValue(forKey: session.id)
      let messages = former?.session == session ? former?.messages : nil
      let own = messages ?? changed(ofSessionAt: index, control)
      open[session.id] = (session, own)
      memory.values += own
    }
    for (session, messages) in present.values where !messages.isEmpty { absent[session.name] = messages }
    for session in control.policy.sessions { absent[session.name] = nil }
    present = open
    memory.values += absent.sorted { $0.key < $1.key }.flatMap(\.value)
    memory.playing = control.policy.playingInOrder
    return memory
  }

  /// What of a session is not as the preset says, or as it is in a session that nobody has touched.
  private func changed(ofSessionAt index: Int, _ control: ControlState) -> [Message] {
    control.remembered(ofSessionAt: index).filter { message in
      message.arguments != baseline[message.address] ?? Self.fresh[message.attribute]
    }
  }

  /// Makes so what was remembered, as part of an event. What cannot be so any more is forgotten.
  ///
  /// - Parameter plays: whether what played then plays again.
  mutating func restore(_ memory: Memory, plays: Bool, _ control: inout ControlState) {
    for message in memory.values {
      let name = message.subject
      if message.address.hasPrefix("/session/"), control.policy.sessionID(named: name) == nil {
        absent[name, default: []].append(message)
      } else {
        _ = AddressTable.apply(message, to: &control)
      }
    }
    if !memory.route.isEmpty {
      // Chosen it is, though it may not be there yet.
      chosenRoute = memory.route
      _ = AddressTable.apply(Message("/host/route", .string(memory.route)), to: &control)
    }
    if !memory.scene.isEmpty { control.setCurrentScene(memory.scene) }
    guard plays else { return }
    for name in memory.playing {
      guard let session = control.policy.session(named: name), !session.effectiveCategory.usesMicrophone else {
        continue
      }
      _ = AddressTable.apply(Message("/session/\(name)/playing", true), to: &control)
    }
  }
}

extension Conductor {
  /// Whether there may be something new to remember.
  public var isMemoryStale: Bool { recollection.isStale }

  /// What is to be remembered beyond the end.
  public func memory() -> Memory { recollection.memory(of: control) }

  /// Makes so what was remembered, as one event.
  ///
  /// - Parameter plays: whether what played then plays again; never what hears a microphone.
  public func restore(_ memory: Memory, plays: Bool, at moment: Moment) {
    performEvent(at: moment.seconds) { recollection.restore(memory, plays: plays, &control) }
  }
}

extension Message {
  /// The name in `/session/NAME/…`.
  fileprivate var subject: String { address.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
  /// What follows the name.
  fileprivate var attribute: Substring { address.split(separator: "/", maxSplits: 2).last ?? "" }
}
