import AddressSpace
import SessionPolicy

/// Asks the table of the address space, with the routes and sessions of the preset.
public struct AddressTableChecker: AddressChecker {
  public init() {}

  public func complaints(about messages: [Message], in preset: Preset) -> [AddressComplaint?] {
    let host = trialHost(of: preset, messages)
    let scenes = SceneBook(scenes: preset.scenes.map { Scene(name: $0.name) })
    return messages.map { complaint(about: $0, on: ControlState(policy: host, scenes: scenes)) }
  }

  /// `safe` may name what is opened later: here only the form of a pattern can be wrong.
  public func complaint(aboutPattern pattern: String) -> AddressComplaint? {
    let subjects = Set(AddressTable.endpoints.compactMap { $0.address.split(separator: "/").first.map(String.init) })
    guard let first = pattern.split(separator: "/").first.map(String.init) else {
      return AddressComplaint(.address, expected: "an OSC address or a pattern of addresses")
    }
    guard !AddressPattern.isPattern(first), !subjects.contains(first) else { return nil }
    return AddressComplaint(
      .address, expected: "an address that exists, or a pattern that matches one",
      nearest: nearestName(to: first, among: subjects.sorted()).map { nearest in
        "/" + nearest + pattern.dropFirst(first.count + 1)
      })
  }

  /// A host on which every session is open that the preset has or opens by a message.
  private func trialHost(of preset: Preset, _ messages: [Message]) -> PolicyState {
    var host = PolicyState(
      outputRoutes: preset.routes.prefix(RouteSet.capacity).map { $0.outputRoute(portsExist: true) },
      inputRoutes: preset.inputs.map { $0.inputRoute(portsExist: true) })
    host.beginEvent(at: 0)
    let opened = messages.compactMap { message -> String? in
      guard message.address == "/session/open", case .string(let name)? = message.arguments.first else { return nil }
      return name
    }
    for name in preset.sessions.map(\.name) + opened where host.sessionID(named: name) == nil {
      // A name that is refused has been reported as such.
      _ = try? host.apply(.open(name: name, category: .playAndRecord))
    }
    _ = host.endEvent()
    return host
  }

  private func complaint(about message: Message, on state: ControlState) -> AddressComplaint? {
    if message.address == "/session/open",
      let complaint = unknownWord(in: message, known: Category.allCases.map(\.rawValue), "a category", at: 1..<2)
    {
      return complaint
    }
    var trial = state
    let host = state.policy
    trial.beginEvent(at: 0)
    for reply in AddressTable.apply(message, to: &trial) {
      switch reply {
      case .value:
        return AddressComplaint(.arguments, expected: "a value to set (to empty a list, write “none”)")
      case .refused(let address, let refusal):
        if refusal.code == .noSuchScene {
          return unknownWord(in: message, known: state.scenes.scenes.map(\.name), "a scene of this preset")
        }
        if let complaint = complaint(about: message, refusedAt: address, refusal, on: host) { return complaint }
      case .ignoredRemote, .request: continue
      }
    }
    return nil
  }

  /// What is wrong whatever the machine is doing; nil where it depends on that.
  private func complaint(
    about message: Message, refusedAt address: String, _ refusal: Refusal, on host: PolicyState
  ) -> AddressComplaint? {
    switch refusal.code {
    case .badAddress, .noSuchSession:
      let nearest = nearestAddress(to: message.address, on: host)
      return AddressComplaint(.address, expected: "an address that exists in this preset", nearest: nearest)
    case .noSuchRoute where host.hasRoute(ofAddress: address):
      let names = host.outputRoutes.map(\.name)
      return unknownWord(in: message, known: names + ["none"], "a route of this preset")
    case .noSuchRoute:
      let nearest = nearestAddress(to: message.address, on: host)
      return AddressComplaint(.address, expected: "an address of a route of this preset", nearest: nearest)
    case .forbidden:
      return AddressComplaint(.address, expected: "an address that can be set (\(refusal.message))")
    case .badArguments, .outOfRange, .badName:
      return AddressComplaint(.arguments, expected: "what \(address) takes (\(refusal.message))")
    case .incompatibleCategory:
      // Whether known words go together depends on what else is set by then; unknown ones are always wrong.
      switch address.split(separator: "/").last {
      case "category":
        return unknownWord(in: message, known: Category.allCases.map(\.rawValue), "a category", at: 0..<1)
          ?? unknownWord(in: message, known: SessionOptions.names.map(\.name), "an option", at: 1..<Int.max)
      case "mode": return unknownWord(in: message, known: Mode.allCases.map(\.rawValue), "a mode")
      case "options":
        let none = message.arguments.count == 1 ? ["none"] : []
        return unknownWord(in: message, known: SessionOptions.names.map(\.name) + none, "an option")
      default: return nil
      }
    default: return nil
    }
  }

  private func unknownWord(
    in message: Message, known: [String], _ expected: String, at places: Range<Int> = 0..<Int.max
  ) -> AddressComplaint? {
    for (index, argument) in message.arguments.enumerated() where places.contains(index) {
      guard case .string(let word) = argument, !known.contains(word) else { continue }
      return AddressComplaint(.argument(index), expected: expected, nearest: nearestName(to: word, among: known))
    }
    return nil
  }

  /// The existing address that a misspelt one most likely means.
  private func nearestAddress(to address: String, on host: PolicyState) -> String? {
    let parts = address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).map(String.init)
    guard parts.count == 3, let names = host.names(ofSubject: parts[0]), !names.isEmpty else {
      let alone = AddressTable.endpoints.filter { $0.subject == .one }.map(\.address)
      return nearestName(to: address, among: alone)
    }
    let prefix = "/\(parts[0])/NAME/"
    let attributes = AddressTable.endpoints.map(\.address).filter { $0.hasPrefix(prefix) }.map {
      String($0.dropFirst(prefix.count))
    }
    guard let name = names.contains(parts[1]) ? parts[1] : nearestName(to: parts[1], among: names),
      let attribute = attributes.contains(parts[2]) ? parts[2] : nearestName(to: parts[2], among: attributes)
    else { return nil }
    return "/\(parts[0])/\(name)/\(attribute)"
  }
}

extension PolicyState {
  /// The names that stand behind `/session`, `/route` and `/input`; nil of anything else.
  fileprivate func names(ofSubject subject: String) -> [String]? {
    switch subject {
    case "session": sessions.map(\.name)
    case "route": outputRoutes.map(\.name)
    case "input": inputRoutes.map(\.name)
    default: nil
    }
  }

  /// Whether an address is of a route that exists, or of no route at all.
  fileprivate func hasRoute(ofAddress address: String) -> Bool {
    let parts = address.split(separator: "/").map(String.init)
    guard parts.count > 1, parts[0] == "route" || parts[0] == "input" else { return true }
    return names(ofSubject: parts[0])?.contains(parts[1]) ?? true
  }
}
