/// Who is interrupted, by what, and what becomes of it afterwards (policy §5).
extension PolicyState {
  // MARK: Causes gained and lost

  /// I1: gives a session a cause.
  /// - Returns: whether the cause is new, and whether the session was interrupting speech until now (A3).
  mutating func interrupt(_ index: Int, by cause: Cause) -> (isNew: Bool, hushed: Bool) {
    guard sessions[index].state != .inactive else { return (false, false) }
    let wasInterruptingSpeech = sessions[index].standing.interruptsSpeech
    guard sessions[index].gain(cause) else { return (false, false) }
    guard sessions[index].standing.isActive else { return (true, false) }
    touch(index)
    sessions[index].state = .interrupted
    sessions[index].resume = sessions[index].playing
    sessions[index].playing = false
    sessions[index].idleSince = nil
    sessions[index].ledger.lastBegin = name(of: cause)
    return (true, wasInterruptingSpeech)
  }

  /// Takes a session away as a cause from those whom it interrupts and who meet a condition (I3).
  /// - Returns: those who have lost their last cause by it.
  mutating func releaseVictims(
    of index: Int, resumably: Bool, where condition: (Standing) -> Bool = { _ in true }
  ) -> [Int] {
    let cause = Cause.session(sessions[index].id)
    return releaseEach(from: cause, resumably: resumably, where: condition)
  }

  /// Takes a cause away from everybody who has it and meets a condition.
  /// - Returns: those who have lost their last cause by it.
  private mutating func releaseEach(
    from cause: Cause, resumably: Bool, where condition: (Standing) -> Bool = { _ in true }
  ) -> [Int] {
    sessions.indices.filter { index in
      !sessions[index].causes.isEmpty && condition(sessions[index].standing)
        && sessions[index].lose(cause, resumably: resumably)
    }
  }

  /// Ends the interruption of a session: as A4 and A5 do, which tell nothing, or as I4 does.
  mutating func leaveInterruption(_ index: Int, telling shouldResume: Bool?) {
    touch(index)
    sessions[index].causes.removeAll()
    sessions[index].resume = false
    sessions[index].lostResumably = true
    sessions[index].wasMicrophoneCause = false
    if sessions[index].state == .interrupted { sessions[index].ledger.lastEnd = shouldResume }
  }

  // MARK: Ends

  /// Treats those who have lost their last cause, the most recently activated first (I5).
  mutating func settle(_ ended: [Int]) {
    guard !ended.isEmpty else { return }
    for index in ended.sorted(by: { sessions[$0].activationOrder > sessions[$1].activationOrder })
    where sessions[index].state == .interrupted && sessions[index].causes.isEmpty {
      endInterruption(index)
    }
  }

  /// I4, I5: the last cause of a session is lost.
  private mutating func endInterruption(_ index: Int) {
    guard sessions[index].wouldResume else {
      becomeInactive(index)
      return
    }
    let obstacles = self.obstacles(for: index)
    guard obstacles.isEmpty else {
      for obstacle in obstacles { _ = sessions[index].gain(.session(obstacle)) }
      return
    }
    leaveInterruption(index, telling: true)
    sessions[index].state = .active
    sessions[index].playing = true
    let ended = takeFloor(index, exclusively: sessions[index].standing.isCall)
    settle(ended + releaseOthers(index))
  }

  /// I4, second half: it counts as deactivation without `notifyOthers` for those whom it had interrupted.
  private mutating func becomeInactive(_ index: Int) {
    touch(index)
    let ended = withdraw(index, resumably: false)
    sessions[index].wasMadeInactive = true
    sessions[index].ledger.lastEnd = false
    settle(ended)
  }

  /// The first other session that meets a condition, in the order of opening.
  func firstSession(beside index: Int, where condition: (Standing) -> Bool) -> Int? {
    sessions.indices.first { $0 != index && condition(sessions[$0].standing) }
  }

  /// I5: the active sessions that keep a session from resuming, in the order of opening.
  private func obstacles(for index: Int) -> [SessionID] {
    let session = sessions[index].standing
    return sessions.indices.filter { $0 != index && sessions[$0].standing.hinders(session) }.map { sessions[$0].id }
  }

  // MARK: From outside (I6, I7)

  /// I6. A hold on an inactive session stands and keeps it from being activated.
  mutating func beginHold(_ index: Int, source: String) {
    guard !sessions[index].holds.contains(source) else { return }
    sessions[index].holds.append(source)
    if interrupt(index, by: .hold(source)).hushed { settle(releaseVictims(of: index, resumably: true)) }
  }

  /// I6.
  mutating func endHold(_ index: Int, source: String, resumable: Bool) {
    sessions[index].holds.removeAll { $0 == source }
    if sessions[index].lose(.hold(source), resumably: resumable) { settle([index]) }
  }

  /// I7.
  mutating func beginHostInterruption(source: String) {
    guard !hostInterruptions.contains(source) else { return }
    hostInterruptions.append(source)
    var hushed: [Int] = []
    for index in sessions.indices where sessions[index].name != source {
      if interrupt(index, by: .host(source)).hushed { hushed.append(index) }
    }
    settle(hushed.flatMap { releaseVictims(of: $0, resumably: true) })
  }

  /// I7.
  mutating func endHostInterruption(source: String, resumable: Bool) {
    hostInterruptions.removeAll { $0 == source }
    settle(releaseEach(from: .host(source), resumably: resumable))
  }

  // MARK: In front and behind (I9)

  mutating func setForeground(_ index: Int, _ value: Bool) {
    guard sessions[index].foreground != value else { return }
    sessions[index].foreground = value
    if value {
      if sessions[index].lose(.background, resumably: true) { comeToFront(index) }
    } else if sessions[index].standing.setting.isStoppedInBackground, interrupt(index, by: .background).isNew {
      settle(releaseVictims(of: index, resumably: false))
    }
  }

  /// I9: it is played, for a person has brought it to the front; but for an active call it waits.
  private mutating func comeToFront(_ index: Int) {
    guard sessions[index].wouldResume else {
      becomeInactive(index)
      return
    }
    guard firstSession(beside: index, where: { $0.isActive && $0.isCall }) == nil else {
      for obstacle in obstacles(for: index) { _ = sessions[index].gain(.session(obstacle)) }
      return
    }
    do {
      try play(index)
      sessions[index].ledger.lastEnd = true
    } catch {
      becomeInactive(index)
    }
  }

  // MARK: The cover (M2)

  /// M2: a conversation ends under the cover, and no microphone opens because it is lifted.
  mutating func setCover(_ value: Cover) {
    guard cover != value else { return }
    cover = value
    switch value {
    case .closed:
      var silenced: [Int] = []
      for index in sessions.indices where sessions[index].effectiveCategory.usesMicrophone {
        if sessions[index].standing.setting.goesOnUnderCover {
          muteUnderCover(index)
        } else if interrupt(index, by: .microphone).isNew {
          silenced.append(index)
        }
      }
      settle(silenced.flatMap { releaseVictims(of: $0, resumably: true) })
    case .open:
      settle(releaseEach(from: .microphone, resumably: true))
    }
  }

  /// M3: the microphone of a session that goes on under a closed cover is muted, until somebody unmutes it.
  mutating func muteUnderCover(_ index: Int) {
    guard cover == .closed, sessions[index].state != .inactive, sessions[index].standing.setting.goesOnUnderCover
    else { return }
    sessions[index].micMute = true
  }
}
