/// How far the audio thread is.
public struct AudioProgress: Hashable, Sendable {
  /// The first frame of the newest cycle that the audio thread has begun.
  public var begun: UInt64
  /// The first frame of the newest cycle that it has finished.
  public var finished: UInt64
  /// The first frame of the server's newest cycle, as the server counts, whether Eider took part in it or not.
  public var server: UInt32

  public init(begun: UInt64, finished: UInt64, server: UInt32) {
    self.begun = begun
    self.finished = finished
    self.server = server
  }
}

/// Judges from time to time whether the audio thread does its work.
public struct AudioWatchdog: Sendable {
  /// What has become of the audio thread since the time before.
  public enum Verdict: Hashable, Sendable {
    /// It goes on, or there is no server that it could go on for.
    case well
    /// The server runs no cycles: nothing that a new start of Eider would mend. It is waited for.
    case serverStandsStill
    /// It hangs in a cycle, or the server runs its cycles without it: only a new start helps.
    case stuck
  }

  private var last: AudioProgress?

  public init() {}

  /// The verdict on the time since it was last asked for.
  ///
  /// - Parameter progress: Nil while there is no server and it is looked for.
  public mutating func judge(_ progress: AudioProgress?) -> Verdict {
    defer { last = progress }
    guard let progress, let last, progress.begun == last.begun else { return .well }
    if progress.begun != progress.finished { return .stuck }
    return progress.server == last.server ? .serverStandsStill : .stuck
  }
}
