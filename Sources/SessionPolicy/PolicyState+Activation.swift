/// Who takes the floor, and who gives it back (policy §4).
extension PolicyState {
  // MARK: Opening and closing

  mutating func open(name: String, category: Category, title: String?) throws(Refusal) {
    try SessionName.validate(name)
    guard indexByName[name] == nil else {
      throw Refusal(.nameTaken, "a session named \(name) is open; close it first or choose another name")
    }
    guard sessions.count < Self.sessionCapacity else {
      throw Refusal(.tooMany, "\(Self.sessionCapacity) sessions are open, which is the most; close one first")
    }
    lastSessionNumber += 1
    let id = SessionID(number: lastSessionNumber)
    sessions.append(Session(id: id, name: name, title: title ?? name, category: category))
    indexByName[name] = id
    ledger.opened.insert(id)
    touch(sessions.count - 1)
    ledger.others.append((name, .opened(session: name)))
  }

  /// A6: a player that is closed does not start another player.
  mutating func close(_ index: Int) {
    deactivate(index, notifyOthers: !sessions[index].controls)
    let (id, name) = (sessions[index].id, sessions[index].name)
    sessions.remove(at: index)
    indexByName[name] = nil
    if ledger.opened.contains(id) {
      // Opened and closed in one event: nothing has changed, so nothing is told.
      if let opening = ledger.others.lastIndex(where: { $0.notice == .opened(session: name) }) {
        ledger.others.remove(at: opening)
      }
    } else {
      ledger.others.append((name, .closed(session: name)))
    }
  }

  // MARK: Activation

  /// A1–A4. Throws the first refusal of A2 that holds, and then nothing has changed.
  mutating func activate(_ index: Int) throws(Refusal) {
    guard !sessions[index].isActive else { return }  // A1
    let setting = Setting(sessions[index])
    try refuseByPriority(index)
    try refuseWithoutInput(setting)
    try refuseUnderCover(setting)
    try refuseInBackground(index, setting)

    touch(index)
    if sessions[index].category == .auto { sessions[index].resolvedCategory = resolveAuto(for: index) }
    leaveInterruption(index, telling: nil)  // A4
    sessions[index].state = .active
    sessions[index].idleSince = now
    activationCount += 1
    sessions[index].activationOrder = activationCount
    becomeActive(index)
  }

  /// §2: what `auto` means now.
  func resolveAuto(for index: Int) -> Category {
    let surroundings = Surroundings(self)
    let hasCompany = sessions.indices.contains { other in
      let category = sessions[other].effectiveCategory
      return other != index && category != .systemSound && category != .ringtone
        && surroundings.silence(of: sessions[other]) == .none
    }
    return hasCompany ? .ambient : .soloAmbient
  }

  /// A3, for a session that has become active, or stays so with another setting (A7).
  mutating func becomeActive(_ index: Int) {
    let ended = takeFloor(index, exclusively: true)
    settle(ended + releaseOthers(index))
  }

  /// A3: interrupts whom an active session interrupts. Those whose interruption has ended by that are returned.
  ///
  /// A resume takes the floor exclusively for a `call` only (I4).
  mutating func takeFloor(_ index: Int, exclusively: Bool) -> [Int] {
    let session = sessions[index]
    if session.usesMicrophone { muteUnderCover(index) }
    guard exclusively && session.isExclusive || session.interruptsSpeech else { return [] }
    var hushed: [Int] = []
    for other in sessions.indices where other != index && sessions[other].isActive {
      let takes = exclusively && session.interruptsByCategory(sessions[other])
      guard takes || session.interruptsSpeech && sessions[other].isSpoken else { continue }
      if interrupt(other, by: .session(session.id)).hushed { hushed.append(other) }
    }
    return hushed.flatMap { releaseVictims(of: $0, resumably: true) }
  }

  /// A7: those whom a session that is active would not interrupt, as it now is, lose it as a cause.
  mutating func releaseOthers(_ index: Int) -> [Int] {
    let session = sessions[index]
    return releaseVictims(of: index, resumably: true) { victim in
      !session.interruptsByCategory(victim) && !(session.interruptsSpeech && victim.isSpoken)
    }
  }

  // MARK: Refusals (A2)

  /// A2.1.
  private func refuseByPriority(_ index: Int) throws(Refusal) {
    let name = sessions[index].name
    if let source = hostInterruptions.first, !hostInterruptions.contains(name) {
      throw Refusal(.insufficientPriority, "the host is interrupted by \(source)")
    }
    if let source = sessions[index].holds.first {
      throw Refusal(.insufficientPriority, "\(name) is held by \(source)")
    }
    try refuseDuringCall(index, Setting(sessions[index]))
  }

  /// The call clause of A2.1.
  private func refuseDuringCall(_ index: Int, _ setting: Setting) throws(Refusal) {
    guard setting.effectiveCategory != .ringtone, !hostInterruptions.contains(sessions[index].name) else { return }
    for other in sessions.indices where other != index && sessions[other].isActive && sessions[other].isCall {
      throw Refusal(.insufficientPriority, "the call \(sessions[other].name) is active")
    }
  }

  /// A2.2.
  private func refuseWithoutInput(_ setting: Setting) throws(Refusal) {
    guard setting.effectiveCategory.usesMicrophone, !hasInputRoute else { return }
    throw Refusal(.resourceNotAvailable, "\(setting.category.rawValue) needs a microphone and no input is available")
  }

  /// A2.3.
  private func refuseUnderCover(_ setting: Setting) throws(Refusal) {
    guard setting.effectiveCategory.usesMicrophone, cover == .closed,
      !setting.options.contains(.overrideMutedMicrophoneInterruption)
    else { return }
    throw Refusal(.cannotStartRecording, "\(setting.category.rawValue) needs a microphone and the cover is closed")
  }

  /// A2.4.
  private func refuseInBackground(_ index: Int, _ setting: Setting) throws(Refusal) {
    guard !sessions[index].foreground else { return }
    let name = sessions[index].name
    switch setting.effectiveCategory {
    case .ambient, .soloAmbient:
      throw Refusal(.cannotStartPlaying, "\(name) is in the background, where \(setting.category.rawValue) is silent")
    case .record:
      throw Refusal(.cannotStartRecording, "\(name) is in the background, where no recording begins")
    case .call: return
    case .auto, .playback, .playAndRecord, .audioProcessing, .systemSound, .ringtone:
      guard !setting.isMixable, nowPlaying != index else { return }
      for other in sessions.indices where other != index && sessions[other].isActive && sessions[other].isExclusive {
        throw Refusal(
          .cannotInterruptOthers, "\(name) is in the background and \(sessions[other].name) has the floor")
      }
    }
  }

  // MARK: Deactivation, play and pause

  /// A5.
  mutating func deactivate(_ index: Int, notifyOthers: Bool) {
    sessions[index].automaticState.isWaiting = false
    guard sessions[index].state != .inactive else { return }
    settle(withdraw(index, resumably: notifyOthers))
  }

  /// A5 without its consequences: those whose interruption has ended by it are returned.
  mutating func withdraw(_ index: Int, resumably: Bool) -> [Int] {
    touch(index)
    let isKind = resumably || sessions[index].isCall || sessions[index].interruptsSpeech
    leaveInterruption(index, telling: nil)
    sessions[index].state = .inactive
    sessions[index].playing = false
    sessions[index].idleSince = nil
    sessions[index].wasMadeInactive = false
    return releaseVictims(of: index, resumably: isKind)
  }

  /// A6.
  mutating func play(_ index: Int) throws(Refusal) {
    if sessions[index].isActive {
      guard !sessions[index].playing else { return }
      try refuseWithoutInput(Setting(sessions[index]))
      touch(index)
    } else {
      do {
        try activate(index)
      } catch {
        // A8: nobody may play now, but what has been asked for is not forgotten.
        if error.code == .insufficientPriority, sessions[index].state == .interrupted { sessions[index].resume = true }
        throw error
      }
    }
    sessions[index].automaticState.isBarred = false
    guard sessions[index].isActive else {
      // Activating it has let a call resume, and that has interrupted it.
      sessions[index].resume = true
      return
    }
    sessions[index].playing = true
    sessions[index].idleSince = nil
    playCount += 1
    sessions[index].playOrder = playCount
    settle(takeFloor(index, exclusively: false))
  }

  /// A6, I2.
  mutating func pause(_ index: Int) {
    settle(hush(index))
  }

  /// A pause without its consequences: those whose interruption has ended by it are returned.
  mutating func hush(_ index: Int) -> [Int] {
    sessions[index].resume = false
    sessions[index].automaticState.isWaiting = false
    guard sessions[index].playing else { return [] }
    touch(index)
    let wasInterruptingSpeech = sessions[index].interruptsSpeech
    sessions[index].playing = false
    sessions[index].idleSince = now
    return wasInterruptingSpeech ? releaseVictims(of: index, resumably: true) : []
  }

  // MARK: Changes of category, options or mode (A7, A9)

  mutating func setOptions(of index: Int, _ options: SessionOptions) throws(Refusal) {
    var setting = Setting(sessions[index])
    setting.options = options
    try change(index, to: setting)
  }

  mutating func setMode(of index: Int, _ mode: Mode) throws(Refusal) {
    var setting = Setting(sessions[index])
    setting.mode = mode
    try change(index, to: setting)
  }

  /// A7.
  mutating func change(_ index: Int, to wanted: Setting) throws(Refusal) {
    try wanted.validate()
    var setting = wanted
    let present = Setting(sessions[index])
    guard (setting.category, setting.options, setting.mode) != (present.category, present.options, present.mode) else {
      return
    }
    guard sessions[index].isActive else {
      sessions[index].adopt(setting)
      if sessions[index].state == .interrupted { settle(interruptAsItNowIs(index)) }
      return
    }
    if setting.category == .auto, present.category != .auto { setting.resolved = resolveAuto(for: index) }
    try refuseDuringCall(index, setting)
    if !sessions[index].usesMicrophone { try refuseWithoutInput(setting) }
    try refuseUnderCover(setting)
    try refuseInBackground(index, setting)
    touch(index)
    sessions[index].adopt(setting)
    becomeActive(index)
  }

  /// A7: what an interrupted session gains by a new setting (M2, M3, I9).
  private mutating func interruptAsItNowIs(_ index: Int) -> [Int] {
    var ended: [Int] = []
    if cover == .closed, sessions[index].usesMicrophone {
      if sessions[index].options.contains(.overrideMutedMicrophoneInterruption) {
        muteUnderCover(index)
      } else if interrupt(index, by: .microphone).isNew {
        ended += releaseVictims(of: index, resumably: true)
      }
    }
    if !sessions[index].foreground, sessions[index].isStoppedInBackground,
      interrupt(index, by: .background).isNew
    {
      ended += releaseVictims(of: index, resumably: false)
    }
    return ended
  }
}

extension Session {
  /// A3 without its clause on speech: whether it interrupts another session that is active.
  func interruptsByCategory(_ other: Session) -> Bool {
    isCall || isExclusive && other.isExclusive && !other.isCall
  }

  /// I9.
  var isStoppedInBackground: Bool { effectiveCategory == .soloAmbient || effectiveCategory == .ambient }

  mutating func adopt(_ setting: Setting) {
    category = setting.category
    options = setting.options
    mode = setting.mode
    resolvedCategory = setting.resolved
  }
}
