@testable import SessionPolicy

/// What holds in every state, and between the states before and after an event.
enum Invariants {
  /// Everything that is wrong with a state.
  static func violations(in state: PolicyState) -> [String] {
    let surroundings = Surroundings(state)
    var wrong: [String] = []
    for session in state.sessions {
      func require(_ holds: Bool, _ rule: String) { if !holds { wrong.append("\(session.name): \(rule)") } }
      let isAudible = surroundings.silence(of: session) == .none
      require(!isAudible || session.state == .active && session.playing, "§7: what is audible is active and playing")
      require(session.state == .active || !session.playing, "only what is active plays")
      require((session.state == .interrupted) == !session.causes.isEmpty, "I1: interrupted by causes, and only by them")
      require(session.state == .interrupted || !session.resume, "only what is interrupted can resume")
      require(Set(session.causes).count == session.causes.count, "I1: each cause once")
      for cause in session.causes { require(isInForce(cause, of: session, in: state), "\(cause) is over") }
      require(isMicrophoneOpen(session, in: state) == state.isMicrophoneOpen(session), "M1: who hears the microphone")
      require(
        state.cover == .open || session.state == .inactive || session.micMute
          || !session.options.contains(.overrideMutedMicrophoneInterruption), "M3: muted under the cover")
      require(
        state.cover == .open || session.state != .active || !session.effectiveCategory.usesMicrophone
          || session.options.contains(.overrideMutedMicrophoneInterruption), "M2: nobody records under the cover")
      require(
        session.foreground || session.state != .active
          || session.effectiveCategory != .ambient && session.effectiveCategory != .soloAmbient,
        "I9: no ambient sound behind")
      require(session.holds.isEmpty || session.state != .active, "I6: what is held is not active")
      require((session.idleSince != nil) == (session.state == .active && !session.playing), "§9: who is idle")
    }
    return wrong
  }

  private static func isInForce(_ cause: Cause, of session: Session, in state: PolicyState) -> Bool {
    switch cause {
    case .session(let id): id != session.id && state.session(id).map { $0.state != .inactive } ?? false
    case .host(let source): state.hostInterruptions.contains(source)
    case .hold(let source): session.holds.contains(source)
    case .microphone: state.cover == .closed
    case .background: !session.foreground
    }
  }

  /// M1, written once more.
  private static func isMicrophoneOpen(_ session: Session, in state: PolicyState) -> Bool {
    let has: Set<SessionPolicy.Category> = [.record, .playAndRecord, .call]
    let wants = session.state == .active && session.playing && has.contains(session.effectiveCategory)
    return wants && !session.micMute && state.cover == .open && state.inputRoutes.contains { $0.isAvailable }
  }

  /// Exclusive sessions that are active at once, though neither of them is a call beside which a source may speak (I7).
  static func rivals(in state: PolicyState, everSources: Set<String>) -> [String] {
    let active = state.sessions.filter { $0.state == .active && $0.isExclusive }
    var found: [String] = []
    for (place, one) in active.enumerated() {
      for other in active[(place + 1)...] {
        let isAllowed = [(one, other), (other, one)].contains { call, source in
          call.effectiveCategory == .call && everSources.contains(source.name)
        }
        if !isAllowed { found.append("\(one.name) and \(other.name) have the floor at once") }
      }
    }
    return found
  }

  /// Where the notices of an event are not what has changed by it.
  ///
  /// In a bundle what has resumed may have been deactivated since.
  static func untrueNotices(
    _ notices: [Notice], from before: PolicyState, to after: PolicyState, isBundle: Bool
  ) -> [String] {
    var wrong: [String] = []
    func require(_ holds: Bool, _ what: String) { if !holds { wrong.append(what) } }
    for session in after.sessions {
      guard let old = before.session(session.id) else {
        require(notices.contains(.opened(session: session.name)), "\(session.name) is opened in silence")
        continue
      }
      let name = session.name
      let began = notices.filter { if case .interruptionBegan(name, _) = $0 { true } else { false } }
      let ended = notices.filter { if case .interruptionEnded(name, _) = $0 { true } else { false } }
      let begins = old.state != .interrupted && session.state == .interrupted
      let ends = old.state == .interrupted && session.state != .interrupted
      require(began.count == (begins ? 1 : 0), "\(name): begin is told if and only if it begins")
      require(ended.isEmpty || ends, "\(name): end is told though nothing ends")
      require(ended.count <= 1, "\(name): two ends")
      if case .interruptionEnded(_, true)? = ended.first, !isBundle {
        require(session.state == .active, "\(name): it should resume and is not active")
      }
      if notices.contains(.paused(session: name)) {
        require(old.playing && !session.playing, "\(name): paused is told though it played on")
      }
    }
    let closed = before.sessions.filter { after.session($0.id) == nil }
    for session in closed {
      require(notices.contains(.closed(session: session.name)), "\(session.name) is closed in silence")
    }
    let told = notices.filter { if case .route = $0 { true } else { false } }
    require(told.count == (before.currentRoute == after.currentRoute ? 0 : 1), "R8: each change of route is told once")
    return wrong
  }
}
