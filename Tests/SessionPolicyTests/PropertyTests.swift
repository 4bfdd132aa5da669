import Testing

@testable import SessionPolicy

@Suite("Whatever happens")
struct PropertyTests {
  private static let seeds: [UInt64] = (1...40).map { $0 &* 7919 }
  private static let length = 150

  /// Lets one event happen, or a bundle of some, after the releases that are due.
  /// - Returns: the parts and, with each, the code with which it was refused.
  private func step(_ host: inout RandomHost, bundles: Bool) -> (parts: [String], notices: [Notice]) {
    let time = host.nextTime()
    while let next = host.state.nextIdleRelease, next.time <= time {
      _ = host.state.releaseIdle(next.session.id, at: max(next.time, host.state.lastEventTime))
    }
    var parts: [String] = []
    host.state.beginEvent(at: time)
    for _ in 0..<(bundles ? Int.random(in: 1...4, using: &host.random) : 1) {
      let event = host.event()
      do throws(Refusal) {
        try host.state.apply(event)
        parts.append("\(event)")
      } catch {
        parts.append("\(event) refused: \(error.code)")
      }
    }
    return (parts, host.state.endEvent())
  }

  @Test(
    "Causes, activity, audibility and microphones fit together, and notices tell what has changed", arguments: seeds)
  func invariants(seed: UInt64) {
    var host = RandomHost(seed: seed)
    var everSources: Set<String> = []
    for number in 0..<Self.length {
      let before = host.state
      let isReleased = before.nextIdleRelease != nil
      let (parts, notices) = step(&host, bundles: seed.isMultiple(of: 2))
      everSources.formUnion(host.state.hostInterruptions)
      var wrong =
        Invariants.violations(in: host.state) + Invariants.rivals(in: host.state, everSources: everSources)
      if !isReleased {
        wrong += Invariants.untrueNotices(notices, from: before, to: host.state, isBundle: parts.count > 1)
      }
      guard wrong.isEmpty else {
        Issue.record("seed \(seed), event \(number), \(parts): \(wrong)")
        return
      }
    }
  }

  @Test("The same events give the same state and the same notices", arguments: seeds)
  func replay(seed: UInt64) {
    var first = RandomHost(seed: seed)
    var second = RandomHost(seed: seed)
    for number in 0..<Self.length {
      let (told, toldAgain) = (step(&first, bundles: true).notices, step(&second, bundles: true).notices)
      guard told == toldAgain, first.state == second.state else {
        Issue.record("seed \(seed), event \(number): two hosts differ")
        return
      }
    }
  }

  @Test("What is refused changes nothing, but that it will be resumed (A8)", arguments: seeds)
  func refusals(seed: UInt64) {
    var host = RandomHost(seed: seed)
    for number in 0..<(Self.length * 2) {
      host.state.beginEvent(at: host.nextTime())
      let event = host.event()
      var expected = host.state
      do throws(Refusal) {
        try host.state.apply(event)
      } catch {
        if error.code == .insufficientPriority, let asked = expected.index(asking: event),
          expected.sessions[asked].state == .interrupted
        {
          expected.sessions[asked].resume = true
        }
        if host.state != expected {
          Issue.record("seed \(seed), event \(number): \(event) was refused and changed something")
        }
      }
      _ = host.state.endEvent()
    }
  }

  @Test("To set a second time what is set already changes nothing", arguments: seeds)
  func idempotence(seed: UInt64) {
    var host = RandomHost(seed: seed)
    for number in 0..<Self.length {
      host.state.beginEvent(at: host.nextTime())
      let event = host.event()
      _ = try? host.state.apply(event)
      if event.isSetting {
        let once = host.state
        _ = try? host.state.apply(event)
        if host.state != once { Issue.record("seed \(seed), event \(number): \(event) twice is not once") }
      }
      _ = host.state.endEvent()
    }
  }

  /// No ratchet: whatever has happened, nobody stays interrupted, ducked or silent when all that did it is gone.
  @Test("Once all causes are gone nobody is stuck, and everybody can play", arguments: seeds)
  func nobodyIsStuck(seed: UInt64) {
    var host = RandomHost(seed: seed)
    for _ in 0..<Self.length { _ = step(&host, bundles: true) }
    let volumes = host.state.sessions.map(\.volume)
    func happen(_ event: Event) {
      host.state.beginEvent(at: host.nextTime())
      #expect(throws: Never.self, "seed \(seed): \(event)") { try host.state.apply(event) }
      _ = host.state.endEvent()
    }
    for source in host.state.hostInterruptions { happen(.endHostInterruption(source: source, resumable: true)) }
    for session in host.state.sessions {
      happen(.set(session.id, .activation(.manual)))
      for source in session.holds { happen(.endHold(session.id, source: source, resumable: true)) }
    }
    for event: Event in [
      .setCover(.open), .setSilent(false), .setLocked(false), .setInputAvailable(0, true), .setRouteAvailable(0, true),
    ] {
      happen(event)
    }
    for session in host.state.sessions { happen(.setForeground(session.id, true)) }
    // Whoever is active gives the floor back, until nobody has it.
    for _ in 0..<20 {
      guard let active = host.state.sessions.first(where: { $0.state == .active }) else { break }
      happen(.deactivate(active.id, notifyOthers: true))
    }
    #expect(host.state.sessions.map(\.state) == host.state.sessions.map { _ in .inactive }, "seed \(seed)")
    #expect(host.state.sessions.allSatisfy { host.state.reduction(of: $0) == 0 && host.state.duckedBy($0).isEmpty })
    for session in host.state.sessions {
      for attribute: Attribute in [.mute(false), .solo(false), .routes([])] { happen(.set(session.id, attribute)) }
    }
    for session in host.state.sessions {
      happen(.play(session.id))
      let silence = Surroundings(host.state).silence(of: host.state.session(session.id)!)
      #expect(silence == (session.effectiveCategory.hasOutput || session.category == .auto ? .none : .noOutput))
      happen(.deactivate(session.id, notifyOthers: false))
    }
    #expect(host.state.sessions.map(\.volume) == volumes)
  }

  /// A property that no state of these sequences could break would prove nothing.
  @Test("The sequences meet what they are to meet")
  func reach() {
    var seen: Set<String> = []
    for seed in Self.seeds {
      var host = RandomHost(seed: seed)
      for _ in 0..<Self.length {
        let before = host.state
        let (parts, notices) = step(&host, bundles: false)
        for part in parts { if let code = part.split(separator: " ").last { seen.insert("code \(code)") } }
        for session in host.state.sessions {
          seen.insert("\(session.state)")
          seen.insert("\(Surroundings(host.state).silence(of: session))")
          for cause in session.causes { seen.insert("cause \("\(cause)".prefix { $0 != "(" })") }
          if host.state.isMicrophoneOpen(session) { seen.insert("microphone") }
          if host.state.reduction(of: session) < 0 { seen.insert("ducked") }
          if session.state == .interrupted, before.session(session.id)?.state == .interrupted,
            before.session(session.id)?.causes != session.causes, notices.isEmpty
          {
            seen.insert("waits")
          }
        }
      }
    }
    let expected = [
      "inactive", "active", "interrupted", "paused", "noOutput", "noRoute", "recording", "silentSwitch", "locked",
      "muted",
      "notSoloed", "none", "cause session", "cause host", "cause hold", "cause microphone", "cause background",
      "microphone", "ducked", "waits", "code insufficientPriority", "code resourceNotAvailable",
      "code cannotStartRecording", "code cannotStartPlaying", "code cannotInterruptOthers", "code incompatibleCategory",
      "code forbidden",
    ]
    #expect(expected.filter { !seen.contains($0) } == [])
  }
}

extension Event {
  /// Whether it says how something is to be, so that saying it twice is saying it once.
  fileprivate var isSetting: Bool {
    switch self {
    case .open, .close, .stepVolume, .remote: false
    default: true
    }
  }
}

extension PolicyState {
  /// The session that an event asks to play.
  fileprivate func index(asking event: Event) -> Int? {
    switch event {
    case .play(let id): index(of: id)
    case .remote(.play), .remote(.toggle): nowPlaying
    default: nil
    }
  }
}
