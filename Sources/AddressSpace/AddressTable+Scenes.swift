import SessionPolicy

/// Recalling and storing scenes.
extension AddressTable {
  /// What a recall has come upon.
  fileprivate struct Recall {
    let seconds: Double
    /// Only what one of these matches; empty: all.
    let parts: [AddressPattern]
    /// What it leaves alone, and what is a part of it (`/session/music` is the whole session).
    let safe: [AddressPattern]
    let now: Double
    let reader: ReaderID
    var replies: [Reply] = []
    /// What waits for the end: what closes, and what was refused at the start and may be possible then.
    var late: [(target: Target, message: Message, refusal: Refusal?)] = []
  }

  /// One event: the messages in their order, as one crossfade. What cannot be done is answered and holds back nothing
  /// else. What is safe is left alone, and with patterns what none of them matches.
  static func recall(
    _ scene: Scene, seconds: Double, _ patterns: [String], _ state: inout ControlState,
    _ environment: some Environment, _ reader: ReaderID
  ) -> [Reply] {
    var recall = Recall(
      seconds: seconds, parts: patterns.map(AddressPattern.init), safe: state.scenes.safe.map(AddressPattern.init),
      now: state.policy.lastEventTime, reader: reader)
    if seconds > 0 { recall.replies.append(.request(.glide(seconds))) }
    for message in scene.messages {
      // A scene that recalls scenes could do so for ever.
      guard !message.address.hasPrefix("/scene/") else {
        recall.refuse(message.address, Refusal(.forbidden, "a scene cannot recall or store scenes"))
        continue
      }
      do throws(Refusal) {
        let targets = try targets(of: message, in: state.policy)
        guard (try? state.reach(targets.count)) != nil else {
          recall.refuse("/scene/recall", Refusal(.tooMany, "one bundle recalls too much; send the rest by itself"))
          break
        }
        for target in targets {
          let touched = [target.address] + target.endpoint.alsoTouches(target.address, in: state.policy)
          guard !touched.contains(where: recall.isSafe) else { continue }
          guard recall.isWanted(target.address) else { continue }
          state.crossfade.retaken.insert(target.settled(in: state.policy))
          perform(message.arguments, at: target, &recall, &state, environment)
        }
      } catch {
        guard recall.isWanted(message.address), !recall.isSafe(message.address) else { continue }
        recall.refuse(message.address, error)
      }
    }
    postpone(&recall, &state, environment)
    state.scenes.current = scene.name
    state.recalled.append(scene.name)
    return recall.replies
  }

  private static func targets(of message: Message, in state: PolicyState) throws(Refusal) -> [Target] {
    guard AddressPattern.isPattern(message.address) else { return [try resolve(message.address, in: state)] }
    return try targets(of: message.address, in: state, reading: message.arguments.isEmpty)
  }

  private static func perform(
    _ arguments: [Argument], at target: Target, _ recall: inout Recall, _ state: inout ControlState,
    _ environment: some Environment
  ) {
    if target.endpoint.access != .act { recall.late.removeAll { $0.target.address == target.address } }
    guard recall.seconds > 0 else {
      recall.replies += apply(arguments, to: target, &state, environment, recall.reader)
      return
    }
    let message = Message(target.address, arguments)
    if target.endpoint.closes(arguments) {
      if target.endpoint.access != .act { state.crossfade.drop(target.settled(in: state.policy)) }
      recall.late.append((target, message, nil))
      return
    }
    let before = target.endpoint.glideLaw == nil ? nil : value(at: target, in: state, environment)
    let replies = apply(arguments, to: target, &state, environment, recall.reader)
    if case .refused(_, let refusal)? = replies.first {
      recall.late.append((target, message, refusal))
      return
    }
    recall.replies += replies
    if let before { glide(from: before, at: target, recall, &state, environment) }
  }

  /// Sets a number, which has just been set to where it is to go, back to where it was, to go there in time.
  private static func glide(
    from before: [Argument], at target: Target, _ recall: Recall, _ state: inout ControlState,
    _ environment: some Environment
  ) {
    let address = target.settled(in: state.policy)
    guard let law = target.endpoint.glideLaw, let target = try? resolve(address, in: state.policy),
      let from = before.first?.number, let to = value(at: target, in: state, environment).first?.number, from != to,
      // Off is no level.
      target.endpoint.address != "/route/NAME/limit" || from <= 0 && to <= 0
    else { return }
    write(before, at: target, &state, environment)
    state.crossfade.glides.append(
      Crossfade.Glide(
        address: address, law: law, from: from, to: to, start: recall.now, end: recall.now + recall.seconds,
        last: value(at: target, in: state, environment)))
  }

  /// Lets what is late wait for the end of the crossfade. What would be refused then too is refused now, and what
  /// nothing has to fade out for is done now.
  private static func postpone(
    _ recall: inout Recall, _ state: inout ControlState, _ environment: some Environment
  ) {
    guard !recall.late.isEmpty else { return }
    var trial = state
    var closings: [Message] = []
    for (target, message, refusal) in recall.late {
      // By its address: where its session stands may have changed on the way.
      let replies = apply(message, to: &trial, environment: environment, reader: recall.reader)
      if let refused = replies.first(where: \.isRefusal) {
        recall.replies.append(refusal.map { .refused(address: target.address, $0) } ?? refused)
      } else {
        closings.append(message)
      }
    }
    // Nobody hears the difference: then there is nothing to wait for.
    let isHeard = state.policy.differsAudibly(from: trial.policy)
    for message in closings {
      if isHeard {
        state.crossfade.add(
          Crossfade.Closing(message: message, time: recall.now + recall.seconds, reader: recall.reader))
      } else {
        recall.replies += apply(message, to: &state, environment: environment, reader: recall.reader)
      }
    }
  }

  static func value(at target: Target, in state: ControlState, _ environment: some Environment) -> [Argument] {
    guard let read = target.endpoint.read else { return [] }
    return read(
      Scope(
        state: state.policy, scenes: state.scenes, index: target.index, environment: environment, reader: .only))
  }

  /// Sets a value that nobody has asked for now.
  static func write(
    _ arguments: [Argument], at target: Target, _ state: inout ControlState, _ environment: some Environment
  ) {
    guard case .event(let event)? = try? action(arguments, target, state, environment, .only) else { return }
    _ = try? perform(event, &state)
  }

  // MARK: Storing

  /// Takes the present values of a scene's addresses, or of all that can be set for a new name. What has no value to
  /// read stays as it is.
  static func store(
    _ name: String, _ state: inout ControlState, _ environment: some Environment
  ) -> [Reply] {
    guard (1...64).contains(name.unicodeScalars.count),
      !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      let refusal = Refusal(.badName, "a scene has a name of 1 to 64 characters")
      return [.refused(address: "/scene/store", refusal)]
    }
    var scene = state.scenes.scene(named: name) ?? Scene(name: name)
    if scene.messages.isEmpty {
      let all = ["/host/*", "/route/*/*", "/session/*/*", "/session/*/duck/*"]
      let targets = all.flatMap { (try? self.targets(of: $0, in: state.policy, reading: true)) ?? [] }
      scene.messages = targets.filter { $0.endpoint.access == .readWrite && $0.endpoint.isStorable }
        .map { Message($0.address, value(at: $0, in: state, environment).orNone) }
    } else {
      scene.messages = scene.messages.flatMap { present($0, in: state, environment) }
    }
    guard state.scenes.scene(named: name) != nil || state.scenes.scenes.count < SceneBook.mostScenes else {
      let refusal = Refusal(.tooMany, "there are \(SceneBook.mostScenes) scenes already; store one of them anew")
      return [.refused(address: "/scene/store", refusal)]
    }
    state.scenes.store(scene)
    return [.request(.keepScene(name))]
  }

  /// A message of a scene with what its address reads now; of a pattern, if its matches do not read the same, one each.
  private static func present(
    _ message: Message, in state: ControlState, _ environment: some Environment
  ) -> [Message] {
    guard let targets = try? targets(of: message, in: state.policy) else { return [message] }
    let values = targets.filter { $0.endpoint.access == .readWrite && $0.endpoint.isReadable }.map { target in
      var value = value(at: target, in: state, environment)
      if message.arguments.count > 1 {
        switch target.endpoint.address {
        case "/session/NAME/category": value += .words(state.policy.sessions[target.index].options.names)
        case "/session/NAME/active" where value == [message.arguments[0]]: value = message.arguments
        default: break
        }
      }
      return Message(target.address, value.orNone)
    }
    guard let first = values.first else { return [message] }
    let isSame = values.allSatisfy { $0.arguments == first.arguments }
    return isSame ? [Message(message.address, first.arguments)] : values
  }
}

extension AddressTable.Recall {
  func isWanted(_ address: String) -> Bool { parts.isEmpty || parts.contains { $0.matches(address) } }

  func isSafe(_ address: String) -> Bool { safe.contains { $0.matchesBeginning(of: address) } }

  mutating func refuse(_ address: String, _ refusal: Refusal) {
    replies.append(.refused(address: address, refusal))
  }
}

extension Reply {
  var isRefusal: Bool { if case .refused = self { true } else { false } }
}

extension [Argument] {
  /// An empty list as it is set.
  fileprivate var orNone: [Argument] { isEmpty ? [.string("none")] : self }
}

extension PolicyState {
  /// Whether some session is heard here and not there, or hears the microphone here and not there.
  fileprivate func differsAudibly(from other: PolicyState) -> Bool {
    let (here, there) = (Surroundings(self), Surroundings(other))
    return sessions.contains { session in
      let counterpart = other.session(session.id)
      if here.silence(of: session) == .none {
        guard let counterpart, there.silence(of: counterpart) == .none,
          here.routes(of: session) == there.routes(of: counterpart)
        else { return true }
      }
      return isMicrophoneOpen(session) && !(counterpart.map(other.isMicrophoneOpen) ?? false)
    }
  }
}
