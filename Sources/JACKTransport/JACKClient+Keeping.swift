extension JACKClient {
  /// Has a keeper start with this server's graph as it is. Call it after `activate`, before the first notifications
  /// are noted.
  public func begin(_ keeper: inout ConnectionKeeper) {
    keeper.begin(ports: ports(), connections: connections())
  }

  /// Tells a keeper what happened.
  public func note(_ news: [TimedNotification], in keeper: inout ConnectionKeeper) {
    for item in news {
      if item.notification == .missed {
        awaitNextCycle()
        keeper.refresh(ports: ports(), connections: connections(), at: item.time)
      } else {
        keeper.note(item) { self.port(named: $0) }
      }
    }
  }

  /// Reads further names of ports anew: the server does not tell of an alias that a port gets later, and while the metadata
  /// stood still no pretty name could be read.
  public func rereadNames(in keeper: inout ConnectionKeeper) {
    guard !isServerGone, !isClosed else { return }
    if hasMissedName, !isMetadataStuck {
      hasMissedName = false
      // Identity 0 means all ports.
      let news = TimedNotification(time: Libjack.microseconds, notification: .metadataChanged(0))
      keeper.note(news) { self.port(named: $0) }
    }
    for known in keeper.foreignPorts {
      guard let port = Libjack.port(handle, name: known.name) else { continue }
      let aliases = Libjack.aliases(of: port)
      if aliases != known.aliases { keeper.noteAliases(aliases, of: known.name) }
    }
  }

  /// Does what a keeper has to do now.
  ///
  /// - Returns: What JACK refused. It is tried again when one of the ports appears anew.
  @discardableResult
  public func carryOut(_ keeper: inout ConnectionKeeper) -> [JACKError] {
    var refusals: [JACKError] = []
    for action in keeper.takeActions() {
      do throws(JACKError) {
        switch action {
        case .connect(let connection): try connect(connection)
        case .disconnect(let connection): try disconnect(connection)
        }
      } catch {
        keeper.failed(action)
        refusals.append(error)
      }
    }
    return refusals
  }
}
