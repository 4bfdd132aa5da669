/// Why a session is not heard: the first reason that holds, in this order (policy §7).
public enum Silence: String, CaseIterable, Sendable {
  case inactive, interrupted, paused, noOutput, noRoute, recording, silentSwitch, locked, muted, notSoloed
  /// It is heard.
  case none
}

/// What all sessions together mean for whether each of them is heard.
///
/// Made once, it answers for every session of the same state in constant time.
public struct Surroundings: Sendable {
  private let isSilent: Bool
  private let isLocked: Bool
  private let availableRoutes: RouteSet
  private let currentRoute: Int?
  /// The playing recorders: none, one, or several.
  private var recorder = Unique.none
  /// The sessions that ask to be heard alone.
  private var soloist = Unique.none

  private enum Unique {
    case none, one(SessionID), several

    mutating func add(_ id: SessionID) { if case .none = self { self = .one(id) } else { self = .several } }

    func hasOther(than id: SessionID) -> Bool {
      switch self {
      case .none: false
      case .one(let only): only != id
      case .several: true
      }
    }
  }

  public init(_ state: PolicyState) {
    isSilent = state.isSilent
    isLocked = state.isLocked
    availableRoutes = state.availableRoutes
    currentRoute = state.currentRoute
    for index in state.sessions.indices {
      let session = state.sessions[index].standing
      guard session.isActive, session.playing else { continue }
      if session.effectiveCategory == .record { recorder.add(session.id) }
      if session.solo, !session.mute, session.effectiveCategory.hasOutput { soloist.add(session.id) }
    }
  }

  /// The routes of a session: those of its own that are available, or the current one (D2, R5).
  public func routes(of session: Session) -> RouteSet { routes(of: session.standing) }

  /// Why a session is not heard.
  public func silence(of session: Session) -> Silence { silence(of: session.standing) }

  /// Why an active session would not be heard if it played.
  func silenceOfPlaying(_ session: Session) -> Silence { silenceOfPlaying(session.standing) }

  private func routes(of session: Standing) -> RouteSet {
    if let own = session.ownRoutes { return own.intersection(availableRoutes) }
    return RouteSet(currentRoute.map { [$0] } ?? [])
  }

  func silence(of session: Standing) -> Silence {
    switch session.state {
    case .inactive: .inactive
    case .interrupted: .interrupted
    case .active: session.playing ? silenceOfPlaying(session) : .paused
    }
  }

  private func silenceOfPlaying(_ session: Standing) -> Silence {
    let category = session.effectiveCategory
    if !category.hasOutput { return .noOutput }
    if routes(of: session).isEmpty { return .noRoute }
    if recorder.hasOther(than: session.id) { return .recording }
    if isSilent, !category.soundsWhenSilent { return .silentSwitch }
    if isLocked, !category.soundsWhenLocked { return .locked }
    if session.mute { return .muted }
    if !session.solo, category != .call, category != .ringtone, soloist.hasOther(than: session.id) {
      return .notSoloed
    }
    return .none
  }
}

/// Who is heard beside a session (S3).
extension PolicyState {
  /// Whether a session is heard (§7).
  public func isAudible(_ session: Session) -> Bool { Surroundings(self).silence(of: session) == .none }

  /// Whether another session is heard.
  public func hasOtherAudio(_ session: Session) -> Bool { isAnotherAudible(than: session) { _ in true } }

  /// Whether another exclusive session is heard.
  public func hasSecondaryHint(_ session: Session) -> Bool { isAnotherAudible(than: session) { $0.isExclusive } }

  private func isAnotherAudible(than session: Session, where condition: (Standing) -> Bool) -> Bool {
    let surroundings = Surroundings(self)
    return sessions.indices.contains { index in
      let other = sessions[index].standing
      return other.id != session.id && condition(other) && surroundings.silence(of: other) == .none
    }
  }
}
