import Conductor
import JACKTransport
import Presets
import SessionPolicy

/// What is wired to what, as the preset wants it.
extension AudioSide {
  /// Wires new ports and forgets those that are gone.
  func follow() {
    for (owner, names) in ports.takeChanges() {
      guard let (end, selection) = wish(of: owner) else { continue }
      if names.isEmpty {
        keeper.remove(end)
      } else {
        keeper.set(end, ownPorts: names, selection: selection)
      }
    }
    carryOut()
  }

  /// Another preset says which ports are meant.
  func adopt(_ preset: Preset) { self.preset = preset }

  /// Wires new ports, and those for which the preset before meant other ones: what is cut off thereby only when the
  /// mixer has faded it out. Returns which routes have come and gone.
  func rewire(_ policy: PolicyState, insteadOf old: Preset, at seconds: Double) -> [Event] {
    let fades = preset.fades
    let fade = max(fades.route, fades.pause, fades.mic) / 1000
    let silence = seconds + fade + Double(mixer.capacity.framesPerCycle) / Double(client.sampleRate)
    for owner in ports.names.keys where patterns(of: owner, in: old) != patterns(of: owner, in: preset) {
      switch owner {
      // What is gone is wired as it was until its ports go.
      case .session(let name) where policy.sessionID(named: name) == nil: continue
      case .outputRoute(let name) where !preset.routes.contains { $0.name == name }: continue
      case .inputRoute(let name) where !preset.inputs.contains { $0.name == name }: continue
      case .session(let name) where !preset.takesSources(of: name, awayFrom: old): rewire(owner)
      default: rewires.append((owner, silence))
      }
    }
    follow()
    return routeEvents(policy) + feedEvents(policy, at: seconds)
  }

  func rewire(_ owner: AudioPortName.Owner) {
    guard let (end, selection) = wish(of: owner), let names = ports.names[owner] else { return }
    keeper.set(end, ownPorts: names.sorted { $0.key < $1.key }.map(\.value), selection: selection)
  }

  /// The ports that a preset means for an owner of ports.
  private func patterns(of owner: AudioPortName.Owner, in preset: Preset) -> [PortExpression]? {
    switch owner {
    case .session(let name): preset.sessions.first { $0.name == name }?.sources ?? []
    case .outputRoute(let name): preset.routes.first { $0.name == name }?.ports
    case .inputRoute(let name): preset.inputs.first { $0.name == name }?.ports
    case .microphoneSend: nil
    }
  }

  private func wish(of owner: AudioPortName.Owner) -> (ConnectionKeeper.End, PortSelection)? {
    switch owner {
    case .session(let name):
      (.session(name), selection(preset.sessions.first { $0.name == name }?.sources ?? []))
    case .microphoneSend: nil
    case .outputRoute(let name): (.output(name), selection(preset.routes.first { $0.name == name }?.ports))
    case .inputRoute(let name): (.input(name), selection(preset.inputs.first { $0.name == name }?.ports))
    }
  }

  func carryOut() {
    for refusal in client.carryOut(&keeper) { log.warning(refusal.description) }
  }
}
