extension PolicyState {
  /// Begins an event that happens at `time` (seconds, never less than that of the event before).
  public mutating func beginEvent(at time: Double) {
    now = time
    ledger.event += 1
    ledger.routeBefore = currentRoute
    ledger.lastRouteReason = nil
    ledger.touched.removeAll(keepingCapacity: true)
    ledger.others.removeAll(keepingCapacity: true)
    ledger.opened.removeAll(keepingCapacity: true)
  }

  /// Ends the event and says what listeners are told of it.
  public mutating func endEvent() -> [Notice] {
    retryAutomaticActivations()
    return notices()
  }

  /// Applies one event that has no other parts.
  public mutating func applyAlone(_ event: Event, at time: Double) throws(Refusal) -> [Notice] {
    beginEvent(at: time)
    try apply(event)
    return endEvent()
  }

  /// Applies one part of the event that has begun, completely.
  /// - Returns: a remote command that reached nobody, so that its sender can be told (C2).
  @discardableResult
  public mutating func apply(_ event: Event) throws(Refusal) -> IgnoredRemoteCommand? {
    switch event {
    case .open(let name, let category, let title): try open(name: name, category: category, title: title)
    case .close(let id): close(try require(id))
    case .activate(let id): try activate(try require(id))
    case .deactivate(let id, let notifyOthers): deactivate(try require(id), notifyOthers: notifyOthers)
    case .play(let id): try play(try require(id))
    case .pause(let id): pause(try require(id))
    case .setCategory(let id, let category, let options):
      try change(try require(id), to: Setting(category: category, options: options))
    case .setOptions(let id, let options): try setOptions(of: try require(id), options)
    case .setMode(let id, let mode): try setMode(of: try require(id), mode)
    case .setForeground(let id, let value): setForeground(try require(id), value)
    case .setMicMute(let id, let value): try setMicMute(try require(id), value)
    case .set(let id, let attribute): set(attribute, of: try require(id))
    case .beginHold(let id, let source): beginHold(try require(id), source: source)
    case .endHold(let id, let source, let resumable): endHold(try require(id), source: source, resumable: resumable)
    case .beginHostInterruption(let source): beginHostInterruption(source: source)
    case .endHostInterruption(let source, let resumable): endHostInterruption(source: source, resumable: resumable)
    case .setSilent(let value): isSilent = value
    case .setLocked(let value): isLocked = value
    case .setCover(let value): setCover(value)
    case .setVolume(let position): try setVolume(position)
    case .stepVolume(let up): try stepVolume(up: up)
    case .setRinger(let position): ringerVolume = position
    case .chooseRoute(let route): try choose(route)
    case .setRouteAvailable(let route, let value): setAvailable(route, value)
    case .setRouteVolume(let route, let position): outputRoutes[route].volume = position
    case .setRouteTrim(let route, let decibels): outputRoutes[route].trim = decibels
    case .setRouteLimit(let route, let ceiling): outputRoutes[route].limit = ceiling
    case .setInputAvailable(let route, let value): setInputAvailable(route, value)
    case .remote(let command): return try remote(command)
    case .panic: panic()
    case .setConnected(let id, let value): setConnected(try require(id), value)
    case .setSignal(let id, let value): setSignal(try require(id), value)
    case .clientsLost(let id): clientsLost(try require(id))
    case .setDuckingSignal(let id, let value): sessions[try require(id)].hasDuckingSignal = value
    }
    return nil
  }

  /// Applies a level as one part of the event that has begun: as its attribute would be set, but without making an event of
  /// it, which costs more than the rest.
  public mutating func setLevel(_ level: Level, ofSessionAt index: Int, to value: Double) {
    switch level {
    case .volume: sessions[index].volume = value
    case .pan: sessions[index].pan = value
    }
  }

  /// Where an open session stands.
  private func require(_ id: SessionID) throws(Refusal) -> Int {
    guard let index = index(of: id) else { throw Refusal(.noSuchSession, "that session has been closed") }
    return index
  }

  private mutating func set(_ attribute: Attribute, of index: Int) {
    switch attribute {
    case .title(let value): sessions[index].title = value
    case .controls(let value): sessions[index].controls = value
    case .remote(let value): sessions[index].remoteWish = value
    case .priority(let value): sessions[index].priority = value
    case .volume(let value): setLevel(.volume, ofSessionAt: index, to: value)
    case .pan(let value): setLevel(.pan, ofSessionAt: index, to: value)
    case .mute(let value): sessions[index].mute = value
    case .solo(let value): sessions[index].solo = value
    case .routes(let value): sessions[index].routes = value
    case .onRouteLoss(let value): sessions[index].routeLossWish = value
    case .duck(let value): sessions[index].duck = value
    case .activation(let value): setActivation(of: index, value)
    case .idleRelease(let value): sessions[index].idleRelease = value
    case .automatic(let value): sessions[index].automatic = value
    }
  }
}
