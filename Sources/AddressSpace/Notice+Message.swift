import SessionPolicy

extension Notice {
  /// The notice as an OSC message.
  public var message: Message {
    switch self {
    case .interruptionEnded(let session, let shouldResume):
      Message("/session/\(session)/interruption", .string("end"), .int(shouldResume ? 1 : 0))
    case .interruptionBegan(let session, let cause):
      Message("/session/\(session)/interruption", .string("begin"), .string(cause))
    case .paused(let session): Message("/session/\(session)/paused", .string("routeLoss"))
    case .route(let name, let reason): Message("/host/route", .string(name), .string(reason.rawValue))
    case .remote(let session, let command): Message("/session/\(session)/remote", .string(command.rawValue))
    case .opened(let session): Message("/session/opened", .string(session))
    case .closed(let session): Message("/session/closed", .string(session))
    }
  }
}
