import SessionPolicy

/// What concerns several values of a document.
extension Decoding {
  /// Category, options and mode together (policy A9).
  mutating func checkCombination(of session: Preset.Session, _ object: JSON5Object) {
    // A category that could not be read allows nothing and forbids nothing.
    if let node = object.member("category")?.value {
      guard case .string(let text) = node.value, text == session.category.rawValue else { return }
    }
    let category = session.category.rawValue.quotedForPeople
    let allowed = session.category.allowedOptions
    if case .array(let nodes)? = object.member("options")?.value.value {
      let choice = allowed.isEmpty ? "it takes none" : "one of \(allowed.names.joined(separator: ", "))"
      for (index, node) in nodes.enumerated() {
        guard case .string(let name) = node.value, let option = SessionOptions(name: name),
          !allowed.isSuperset(of: option)
        else { continue }
        report(
          node.range, expected: "an option that goes with category \(category): \(choice)",
          found: name.quotedForPeople, path: path + [.key("options"), .index(index)])
      }
    }
    if session.mode != .default, session.category != .playback, let mode = object.member("mode") {
      report(
        mode.value.range, expected: "mode “default”, the only one that goes with category \(category)",
        found: session.mode.rawValue.quotedForPeople, path: path + [.key("mode")])
    }
  }

  /// Names that are there twice, and references to names that are not there.
  mutating func checkReferences(in object: JSON5Object) {
    for key in ["inputs", "sessions"] { checkUniqueNames(of: key, in: object) }
    let scenes = checkUniqueNames(of: "scenes", in: object)
    var routes = checkUniqueNames(of: "routes", in: object)
    if object.member("routes") == nil { routes = [Preset.Route.physicalSpeaker.name] }

    // Where a name could not be read, a reference that leads nowhere is no mistake of its own.
    if !["routes", "inputs", "sessions", "scenes"].allSatisfy({ areNamesReadable(of: $0, in: object) }) {
      messages.removeAll()
      patterns.removeAll()
    }
    if areNamesReadable(of: "routes", in: object) { checkRoutesOfSessions(in: object, routes: routes) }
    if areNamesReadable(of: "scenes", in: object), case .object(let start)? = object.member("start")?.value.value,
      let scene = start.member("scene")
    {
      checkReference(scene.value, to: scenes, noun: "scene", path: [.key("start"), .key("scene")])
    }
  }

  private mutating func checkRoutesOfSessions(in object: JSON5Object, routes: [String]) {
    for (index, session) in objects(of: "sessions", in: object) {
      guard case .array(let names)? = session.member("routes")?.value.value else { continue }
      for (place, node) in names.enumerated() {
        let path: [PathStep] = [.key("sessions"), .index(index), .key("routes"), .index(place)]
        checkReference(node, to: routes, noun: "route", path: path)
      }
    }
  }

  private mutating func checkReference(_ node: JSON5Node, to names: [String], noun: String, path: [PathStep]) {
    guard case .string(let name) = node.value, !names.contains(name) else { return }
    let list = names.isEmpty ? "there is none" : names.prefix(20).joined(separator: ", ")
    report(
      node.range, expected: "the name of a \(noun) of this preset (\(list))", found: name.quotedForPeople,
      nearest: nearestName(to: name, among: names), path: path)
  }

  /// The names in a list of objects; one that is there twice is reported.
  @discardableResult
  private mutating func checkUniqueNames(of key: String, in object: JSON5Object) -> [String] {
    var places: [String: Range<Int>] = [:]
    var names: [String] = []
    for (index, element) in objects(of: key, in: object) {
      guard let node = element.member("name")?.value, case .string(let name) = node.value else { continue }
      if let first = places[name] {
        let path: [PathStep] = [.key(key), .index(index), .key("name")]
        let found = "\(name.quotedForPeople) again (first in \(line(of: first)))"
        report(node.range, expected: "a name that is there only once in \(key)", found: found, path: path)
      } else {
        places[name] = node.range
        names.append(name)
      }
    }
    return names
  }

  /// Whether every name of a list could be read.
  private func areNamesReadable(of key: String, in object: JSON5Object) -> Bool {
    if object.isDamaged { return false }
    guard let member = object.member(key) else { return true }
    guard case .array(let nodes) = member.value.value else { return false }
    return nodes.allSatisfy { node in
      guard case .object(let element) = node.value, case .string? = element.member("name")?.value.value else {
        return false
      }
      return true
    }
  }

  private func objects(of key: String, in object: JSON5Object) -> [(index: Int, object: JSON5Object)] {
    guard case .array(let nodes)? = object.member(key)?.value.value else { return [] }
    return nodes.enumerated().compactMap { index, node in
      if case .object(let object) = node.value { (index, object) } else { nil }
    }
  }
}
