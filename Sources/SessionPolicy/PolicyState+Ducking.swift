/// Who turns whom down (policy §6).
extension PolicyState {
  /// D1: whether a session ducks others now.
  ///
  /// A trigger `signal` is answered by what the realtime core has measured last.
  public func ducks(_ session: Session, in surroundings: Surroundings) -> Bool {
    guard mayDuck(session, in: surroundings) else { return false }
    return session.duck.trigger == .signal ? session.hasDuckingSignal : true
  }

  /// D1 without what the realtime core measures: a session with trigger `signal` ducks once its signal is present.
  public func mayDuck(_ session: Session, in surroundings: Surroundings) -> Bool {
    guard session.isDucker, session.volume > 0, session.isActive else { return false }
    switch session.duck.trigger {
    case .playing, .signal: return surroundings.silence(of: session) == .none
    case .active: return surroundings.silenceOfPlaying(session) == .none
    }
  }

  /// D2, without its routes: whether a ducker outranks a session.
  public func outranks(_ ducker: Session, _ session: Session) -> Bool {
    ducker.id != session.id && session.effectiveCategory != .call
      && (session.priority < ducker.priority || session.priority == ducker.priority && !session.isDucker)
  }

  /// D2: the sessions that duck a session now on a route that they share with it, in the order of opening.
  public func duckers(of session: Session, in surroundings: Surroundings) -> [Session] {
    let routes = surroundings.routes(of: session)
    return sessions.filter { ducker in
      ducker.isDucker && outranks(ducker, session) && ducks(ducker, in: surroundings)
        && !surroundings.routes(of: ducker).intersection(routes).isEmpty
    }
  }

  /// D6: the names of the duckers of a session, sorted.
  public func duckedBy(_ session: Session) -> [String] {
    duckers(of: session, in: Surroundings(self)).map(\.name).sorted()
  }

  /// D6, D3: the present duck target of a session in dB, the deepest of its duckers over its routes.
  ///
  /// - Parameter marginReduction: what a ducker of style `margin` now asks for on the routes that it shares with
  ///   the session, in dB; 0 where there is no audio.
  public func reduction(of session: Session, marginReduction: (Session) -> Double = { _ in 0 }) -> Double {
    Self.reduction(by: duckers(of: session, in: Surroundings(self)), marginReduction: marginReduction)
  }

  /// D3: the same, where the duckers of the session are known.
  public static func reduction(by duckers: [Session], marginReduction: (Session) -> Double) -> Double {
    duckers.reduce(0) { deepest, ducker in
      min(deepest, ducker.duck.style == .fixed ? ducker.duck.depth : marginReduction(ducker))
    }
  }
}
