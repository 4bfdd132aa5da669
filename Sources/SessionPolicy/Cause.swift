/// What interrupts a session (I1).
public enum Cause: Hashable, Sendable {
  /// Another session, by A3.
  case session(SessionID)
  /// A host interruption from this source (I7).
  case host(String)
  /// An outside party that holds this one session (I6).
  case hold(String)
  /// The cover over the microphones (M2).
  case microphone
  /// It is in the background (I9).
  case background
}

/// What interrupts a session at present and how it will end.
extension Session {
  /// Adds a cause. Returns whether it is new.
  mutating func gain(_ cause: Cause) -> Bool {
    guard !causes.contains(cause) else { return false }
    causes.append(cause)
    if cause == .microphone { wasMicrophoneCause = true }
    return true
  }

  /// Takes a cause away (I3). Returns whether it was the last.
  mutating func lose(_ cause: Cause, resumably: Bool) -> Bool {
    guard let place = causes.firstIndex(of: cause) else { return false }
    causes.remove(at: place)
    lostResumably = lostResumably && resumably
    return causes.isEmpty
  }

  /// I4: whether it plays on once its interruption has ended.
  var wouldResume: Bool {
    resume && (lostResumably || !controls) && !wasMicrophoneCause
      && effectiveCategory != .ringtone && effectiveCategory != .systemSound
  }
}
