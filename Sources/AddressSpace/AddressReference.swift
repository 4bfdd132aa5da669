/// The address space for people, made from the table that the program itself goes through.
public enum AddressReference {
  /// The whole address space as Markdown.
  public static var markdown: String {
    let sections: [(title: String, endpoints: [Endpoint])] = [
      ("Host", Endpoint.host), ("Routes", Endpoint.routes), ("Sessions", Endpoint.sessionActs + Endpoint.sessions),
      ("Scenes", Endpoint.scenes), ("Clients and daemon", Endpoint.clients + Endpoint.daemon),
    ]
    return "# The OSC address space of Eider\n\n" + introduction
      + sections.map { "\n## \($0.title)\n\n" + table($0.endpoints) }.joined()
  }

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
