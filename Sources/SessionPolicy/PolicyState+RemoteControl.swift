/// The buttons on a headset or remote control (policy §12).
extension PolicyState {
  /// C1: where the now-playing session stands, if there is one.
  var nowPlaying: Int? {
    sessions.indices.filter { sessions[$0].controls && sessions[$0].playOrder > 0 }
      .max { sessions[$0].playOrder < sessions[$1].playOrder }
  }

  /// C1.
  public var nowPlayingSession: Session? { nowPlaying.map { sessions[$0] } }

  /// C2, C3.
  mutating func remote(_ command: RemoteCommand) throws(Refusal) -> IgnoredRemoteCommand? {
    guard let index = nowPlaying else { return IgnoredRemoteCommand(command: command, reason: .noSession) }
    let session = sessions[index]
    let hasContext =
      session.state != .inactive || session.wasMadeInactive
      || currentRoute.map { outputRoutes[$0].kind.carriesRemoteControl } ?? false
    guard hasContext else { return IgnoredRemoteCommand(command: command, reason: .noContext) }
    guard session.remote.contains(RemoteCommands(command)) else {
      return IgnoredRemoteCommand(command: command, reason: .unsupported)
    }
    switch command {
    case .play: try play(index)
    case .pause: pause(index)
    case .toggle: if session.playing { pause(index) } else { try play(index) }
    case .stop:
      pause(index)
      deactivate(index, notifyOthers: false)
    case .next, .previous:
      ledger.others.append((session.name, .remote(session: session.name, command: command)))
    }
    return nil
  }
}
