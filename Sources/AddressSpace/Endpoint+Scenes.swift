import SessionPolicy

/// The endpoints of scenes.
extension Endpoint {
  static let scenes: [Endpoint] = [
    Endpoint(
      "/scene/list", .one, .readOnly, [.names], "The scenes in the order of the preset.",
      read: { .words($0.scenes.scenes.map(\.name)) }),
    Endpoint(
      "/scene/current", .one, .readOnly, [.text], "The scene that was recalled last. Empty before.",
      read: { [.string($0.scenes.current)] }),
    Endpoint(
      "/scene/recall", .one, .act, [.text, .number(0...3600, unit: "s"), .names], usage: "NAME [SECONDS [PATTERN…]]",
      "Recalls a scene as one crossfade, in its own time or in SECONDS: levels glide there from where they are, what opens "
        + "does so at once, what closes fades out and closes at the end. With patterns only what they match.",
      write: { scope, words throws(Refusal) in
        let name = try words.text("the name of a scene")
        guard let scene = scope.scenes.scene(named: name) else { throw scope.noSuchScene(name) }
        var seconds = scene.fade
        if !words.isAtEnd { seconds = try words.number(.number(0...3600, unit: "s")) }
        var patterns: [String] = []
        while !words.isAtEnd { patterns.append(try words.text("an address pattern")) }
        try Scope.requireFew(patterns)
        return .recall(scene, seconds: seconds, patterns: patterns)
      }),
    Endpoint(
      "/scene/store", .one, .act, [.text], usage: "NAME",
      "Stores the present values of the scene's addresses, or of all that can be set under a new name.",
      write: { scope, words throws(Refusal) in .store(try words.text("the name of a scene")) }),
    Endpoint(
      "/scene/safe", .one, .readWrite, [.names],
      "Addresses, or patterns of them, that no recall touches, and what lies below them (`/session/music`: the whole "
        + "session); `none` alone empties them.",
      read: { .words($0.scenes.safe) },
      write: { scope, words throws(Refusal) in
        let patterns = try words.words("address patterns, or none")
        for pattern in patterns where !pattern.hasPrefix("/") {
          throw Refusal(.badArguments, "expected an address pattern, which begins with /, got \"\(pattern)\"")
        }
        try Scope.requireFew(patterns)
        return .setSafe(patterns)
      }),
  ]
}

extension Scope {
  fileprivate static func requireFew(_ patterns: [String]) throws(Refusal) {
    guard patterns.count > SceneBook.mostPatterns else { return }
    throw Refusal(.tooMany, "expected at most \(SceneBook.mostPatterns) patterns, got \(patterns.count)")
  }

  fileprivate func noSuchScene(_ name: String) -> Refusal {
    let known = scenes.scenes.map(\.name).joined(separator: " ")
    return Refusal(.noSuchScene, "there is no scene \"\(name)\", there is \(known.isEmpty ? "none" : known)")
  }
}
