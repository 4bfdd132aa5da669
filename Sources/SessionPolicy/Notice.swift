/// What the programs and surfaces that listen are told of an event.
public enum Notice: Hashable, Sendable {
  case interruptionEnded(session: String, shouldResume: Bool)
  case interruptionBegan(session: String, cause: String)
  /// A route that was lost has paused it (R4, R9).
  case paused(session: String)
  /// The current route has changed; the name is empty where there is none (R8).
  case route(name: String, reason: RouteChangeReason)
  /// A remote command for the program itself (C3).
  case remote(session: String, command: RemoteCommand)
  case opened(session: String)
  case closed(session: String)
}

/// Why the current route has changed (policy §10).
public enum RouteChangeReason: String, Sendable {
  /// A person chose it (R3).
  case override
  /// One has arrived (R2).
  case newDeviceAvailable
  /// One was lost, another follows (R4).
  case oldDeviceUnavailable
  /// One was lost and none is left (R4).
  case noSuitableRoute
}

/// Why a remote command reached nobody, in the order in which the reasons are tried (C2).
public enum RemoteIgnoredReason: String, Sendable {
  case noSession, noContext, unsupported
}

/// A remote command that changed nothing, and why (C2).
public struct IgnoredRemoteCommand: Hashable, Sendable {
  public let command: RemoteCommand
  public let reason: RemoteIgnoredReason
}
