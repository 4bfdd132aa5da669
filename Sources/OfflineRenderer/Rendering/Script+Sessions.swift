import Scripts

extension Script {
  /// The sessions that the script opens, or tries to.
  var openedSessions: [String] {
    var names: [String] = []
    for step in steps {
      guard case .send(let sendings) = step.action else { continue }
      for sending in sendings where sending.message.address == "/session/open" {
        if case .string(let name)? = sending.message.arguments.first { names.append(name) }
      }
    }
    return names
  }

  /// When its last line is, in seconds.
  var end: Double { steps.last?.time ?? 0 }
}
