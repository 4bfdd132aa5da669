import SessionPolicy

/// What all sessions of a state together mean for each of them: worked out once, it answers for every session in about
/// constant time.
struct Digest {
  let surroundings: Surroundings
  /// The sessions that are heard, and the exclusive ones of them: two are enough to know whether there is another.
  private var audible: [SessionID] = []
  private var audibleExclusive: [SessionID] = []
  /// The sessions that duck others now, in the order of opening (D1).
  private let duckers: [Session]

  init(_ state: PolicyState) {
    let surroundings = Surroundings(state)
    self.surroundings = surroundings
    // By index: looping over the sessions themselves would copy each of them.
    duckers = state.sessions.indices.lazy
      .filter { state.sessions[$0].isDucker && state.ducks(state.sessions[$0], in: surroundings) }
      .map { state.sessions[$0] }
    for index in state.sessions.indices where audibleExclusive.count < 2 {
      guard surroundings.silence(of: state.sessions[index]) == .none else { continue }
      if audible.count < 2 { audible.append(state.sessions[index].id) }
      if state.sessions[index].isExclusive { audibleExclusive.append(state.sessions[index].id) }
    }
  }

  /// S3.
  func hasOtherAudio(_ session: Session) -> Bool { audible.contains { $0 != session.id } }

  /// S3.
  func hasSecondaryHint(_ session: Session) -> Bool { audibleExclusive.contains { $0 != session.id } }

  /// D2: who ducks a session.
  func duckers(of session: Session, in state: PolicyState) -> [Session] {
    guard !duckers.isEmpty else { return [] }
    let routes = surroundings.routes(of: session)
    return duckers.filter { ducker in
      state.outranks(ducker, session) && !surroundings.routes(of: ducker).intersection(routes).isEmpty
    }
  }
}

extension Scope {
  /// Why the session is not heard (§7).
  var silence: Silence { (digest?.surroundings ?? Surroundings(state)).silence(of: session) }

  /// Whether another session is heard (S3).
  var hasOtherAudio: Bool { digest?.hasOtherAudio(session) ?? state.hasOtherAudio(session) }

  /// Whether another exclusive session is heard (S3).
  var hasSecondaryHint: Bool { digest?.hasSecondaryHint(session) ?? state.hasSecondaryHint(session) }

  /// Who ducks the session (D2), in the order of opening.
  var duckers: [Session] {
    digest?.duckers(of: session, in: state) ?? state.duckers(of: session, in: Surroundings(state))
  }

  /// The session's present duck target in dB (D3, D6).
  var reduction: Double {
    PolicyState.reduction(by: duckers) { environment.marginReduction(of: $0.id) }
  }
}
