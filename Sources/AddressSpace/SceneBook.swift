/// Values to recall together: a list of messages, applied in this order as one event.
public struct Scene: Hashable, Sendable {
  public var name: String
  /// For people.
  public var title: String
  /// How long every number glides, in seconds.
  public var fade: Double
  public var messages: [Message]

  public init(name: String, title: String? = nil, fade: Double = 0, messages: [Message] = []) {
    self.name = name
    self.title = title ?? name
    self.fade = fade
    self.messages = messages
  }
}

/// The scenes of a host, the one that was recalled last, and what no recall touches.
public struct SceneBook: Hashable, Sendable {
  public internal(set) var scenes: [Scene] = []
  /// The name of the scene that was recalled last; empty before.
  public internal(set) var current = ""
  /// Address patterns that no recall touches.
  public internal(set) var safe: [String] = []

  public init(scenes: [Scene] = [], safe: [String] = []) {
    self.scenes = scenes
    self.safe = safe
  }

  /// How many scenes there can be, and patterns of what no recall touches or what one is to touch: more than anybody needs,
  /// but so few that no client can fill the memory or hold up the others.
  static let (mostScenes, mostPatterns) = (1000, 256)

  func scene(named name: String) -> Scene? { scenes.first { $0.name == name } }

  /// Puts a scene in place of its namesake, or at the end.
  mutating func store(_ scene: Scene) {
    if let place = scenes.firstIndex(where: { $0.name == scene.name }) {
      scenes[place] = scene
    } else {
      scenes.append(scene)
    }
  }
}
