import AddressSpace
import SessionPolicy

extension PolicyState {
  /// The host that a preset describes, its sessions open; what is done at its start is not yet done.
  ///
  /// - Parameter portsExist: whether all ports of the output or input route of a name exist now. It counts only where
  ///   the ports decide whether the route is available.
  public init(preset: Preset, portsExist: (String) -> Bool = { _ in false }) {
    self.init(
      outputRoutes: preset.routes.map { $0.outputRoute(portsExist: portsExist($0.name)) },
      inputRoutes: preset.inputs.map { $0.inputRoute(portsExist: portsExist($0.name)) })
    beginEvent(at: 0)
    for session in preset.sessions { open(session) }
    _ = endEvent()
  }

  /// Opens a session of a preset. A preset that was read without a complaint is never refused anything here.
  private mutating func open(_ session: Preset.Session) {
    do throws(Refusal) {
      try apply(.open(name: session.name, category: session.category, title: session.title))
      guard let id = sessionID(named: session.name) else { return }
      try apply(.setOptions(id, session.options))
      try apply(.setMode(id, session.mode))
      try apply(.setForeground(id, session.foreground))
      try apply(.setMicMute(id, session.micMute))
      for attribute in attributes(of: session) { try apply(.set(id, attribute)) }
    } catch {
      preconditionFailure("the preset's session \(session.name) is refused: \(error.message)")
    }
  }

  func attributes(of session: Preset.Session) -> [Attribute] {
    var automatic = AutomaticActivationParameters()
    automatic.threshold = session.activationThreshold
    automatic.hold = session.activationHold
    automatic.linger = session.linger
    return [
      .controls(session.controls), .priority(session.priority), .volume(session.volume), .pan(session.pan),
      .mute(session.mute), .solo(session.solo), .routes(session.routes.compactMap { outputRoute(named: $0) }),
      .duck(session.duck), .automatic(automatic), .activation(session.activation), .idleRelease(session.idleRelease),
      .remote(session.remote), .onRouteLoss(session.onRouteLoss),
    ]
  }
}

extension ControlState {
  /// The host that a preset describes, with its scenes; what is done at its start is done.
  ///
  /// - Parameter portsExist: as for the policy's state.
  public init(preset: Preset, portsExist: (String) -> Bool = { _ in false }) {
    self.init(
      policy: PolicyState(preset: preset, portsExist: portsExist),
      scenes: SceneBook(scenes: preset.scenes.map(\.scene), safe: preset.safe))
    let recall = preset.start.scene.map { [Message("/scene/recall", .string($0), .int(0))] } ?? []
    beginEvent(at: 0)
    for message in recall + preset.start.set {
      // What cannot be done at the start is told by the daemon, which has somebody to tell it to.
      _ = AddressTable.apply(message, to: &self)
    }
    _ = endEvent()
  }
}

extension Preset.Scene {
  /// The scene as it is recalled.
  public var scene: Scene { Scene(name: name, title: title, fade: fade, messages: set) }
}
