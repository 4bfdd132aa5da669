import SessionPolicy

/// The address space for people, made from the table that the program itself goes through.
public enum AddressReference {
  /// The whole address space as Markdown.
  public static var markdown: String {
    let sections: [(title: String, endpoints: [Endpoint])] = [
      ("Host", Endpoint.host), ("Routes", Endpoint.routes), ("Sessions", Endpoint.sessionActs + Endpoint.sessions),
      ("Scenes", Endpoint.scenes), ("Clients and daemon", Endpoint.clients + Endpoint.daemon),
    ]
    return "# The OSC address space of Eider\n\n" + introduction
      + sections.map { "\n## \($0.title)\n\n" + table($0.endpoints) }.joined() + "\n## What the daemon sends\n\n"
      + "| address | values | meaning |\n|---|---|---|\n"
      + sent.map { "| `\($0.address)` | \($0.values) | \($0.meaning) |\n" }.joined() + "\n## Errors\n\n"
      + "| code | meaning |\n|---|---|\n"
      + Refusal.Code.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |\n" }.joined()
  }

  /// What is sent beside the values of addresses: answers, and notices to those who subscribe to their address.
  private static let sent: [(address: String, values: String, meaning: String)] = [
    ("/error", "ADDRESS CODE MESSAGE", "Answer: a message was refused; at most 20 a second to one host."),
    ("/synced", "ID", "Answer to `/sync`."),
    ("/subscribed", "PATTERN COUNT", "Answer to `/subscribe`, behind the first values."),
    ("/eider/pong", "what `/eider/ping` came with", "Answer to `/eider/ping`."),
    ("/eider/alive", "SECONDS", "Once a second, to every subscriber."),
    ("/session/NAME/interruption", "begin CAUSE, or end SHOULDRESUME", "Notice: it is interrupted, or no longer so."),
    ("/session/NAME/paused", "routeLoss", "Notice: the route that it played on is lost."),
    ("/session/NAME/remote", "COMMAND", "Notice: it is to carry a remote command out."),
    ("/host/route", "NAME REASON", "Notice: another route is the current one."),
    ("/session/opened", "NAME", "Notice."), ("/session/closed", "NAME", "Notice."),
    ("/scene/recalled", "NAME", "Notice."),
    ("/host/remote", "ignored COMMAND REASON", "Answer: a remote command has reached nobody."),
  ]

  private static let introduction = """
    Set by an address with arguments, read by the same address without; the answer has the same address.
    NAME is the name of a session or route. Patterns (`? * [] {}`) set or read every match; acts are never matched.
    A message that is refused is answered by `/error ADDRESS CODE MESSAGE`. Rules are those of the policy.

    """

  private static func table(_ endpoints: [Endpoint]) -> String {
    "| address | types | values | access | meaning | rules |\n|---|---|---|---|---|---|\n"
      + endpoints.map(row).joined(separator: "\n") + "\n"
  }

  private static func row(_ endpoint: Endpoint) -> String {
    let values = endpoint.usage ?? endpoint.kinds.map(\.expectation).joined(separator: ", ")
    let cells = [
      "`\(endpoint.address)`", endpoint.kinds.map(\.typeTag).joined(separator: " "),
      values.replacing("|", with: "\\|"), access(endpoint), endpoint.documentation,
      endpoint.rules.joined(separator: " "),
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private static func access(_ endpoint: Endpoint) -> String {
    switch endpoint.access {
    case .readWrite: "read, set"
    case .readOnly: "read only"
    case .writeOnly: "set only"
    case .act: "act"
    }
  }
}

extension Refusal.Code {
  /// What it means, for people.
  fileprivate var meaning: String {
    switch self {
    case .badAddress: "there is no such address, or nothing matches the pattern"
    case .badArguments: "an argument is missing, one too many, or of a type that means nothing there"
    case .outOfRange: "a number beyond its range, an unknown word, a time tag more than one hour ahead"
    case .badName: "no session can be called so"
    case .nameTaken: "a session is called so already"
    case .noSuchSession: "no session of this name is open"
    case .noSuchRoute: "there is no route of this name"
    case .noSuchScene: "there is no scene of this name"
    case .incompatibleCategory: "an unknown category, option or mode, or one that does not go with the others"
    case .cannotInterruptOthers: "others may not be interrupted now (A2)"
    case .cannotStartPlaying: "it may not begin to play now"
    case .cannotStartRecording: "it may not begin to record now"
    case .insufficientPriority: "another session has the floor and does not give it up"
    case .resourceNotAvailable: "what it needs is not there"
    case .tooMany: "there is no room for one more"
    case .forbidden: "it can only be read, or not from where it came"
    case .ioError: "a file could not be read or written"
    }
  }
}
