/// When a microphone is open (policy §11).
extension PolicyState {
  /// M1: whether a session hears the microphone.
  public func isMicrophoneOpen(_ session: Session) -> Bool {
    session.state == .active && session.playing && session.effectiveCategory.usesMicrophone && !session.micMute
      && cover == .open && hasInputRoute
  }

  /// M3.
  mutating func setMicMute(_ index: Int, _ value: Bool) throws(Refusal) {
    let goesOnUnderCover = sessions[index].state != .inactive && sessions[index].standing.setting.goesOnUnderCover
    guard value || cover == .open || !goesOnUnderCover else {
      throw Refusal(.forbidden, "the microphone of \(sessions[index].name) stays muted while the cover is closed")
    }
    sessions[index].micMute = value
  }
}
