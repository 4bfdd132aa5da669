import Conductor
import JACKTransport

/// The ports of the conductor as ports of a JACK client. Control thread only.
final class JACKPorts: AudioPorts {
  /// A port and what it is for.
  private struct Place {
    let port: OwnPort
    var purpose: AudioPortName
  }

  private let client: JACKClient
  /// The icon of what ports belong to.
  private let icon: (AudioPortName.Owner) -> String
  private var own: [UInt: Place] = [:]
  private(set) var names: [AudioPortName.Owner: [Int: String]] = [:]
  /// The owners whose ports have changed since they were last taken.
  private var changed: Set<AudioPortName.Owner> = []
  private var count = 0

  init(client: JACKClient, icon: @escaping (AudioPortName.Owner) -> String) {
    self.client = client
    self.icon = icon
  }

  func register(_ port: AudioPortName) throws(AudioPortError) -> AudioPort {
    do throws(JACKError) {
      let made = try client.registerPort(port.name, port.direction == .input ? .input : .output)
      var label = label(port)
      (label.order, label.icon) = (count, icon(port.owner))
      client.label(made, label)
      count += 1
      let result = AudioPort(name: made.name, handle: made.handle)
      own[result.handle] = Place(port: made, purpose: port)
      names[port.owner, default: [:]][port.channel] = made.name
      changed.insert(port.owner)
      return result
    } catch {
      throw AudioPortError(error.description)
    }
  }

  private func label(_ port: AudioPortName) -> JACKClient.PortLabel {
    let isMicrophone = if case .microphoneSend = port.owner { true } else { false }
    return JACKClient.PortLabel(
      prettyName: "\(port.title)\(isMicrophone ? " microphone" : "") \(port.channel)", group: port.title)
  }

  func unregister(_ port: AudioPort) {
    guard let place = own.removeValue(forKey: port.handle) else { return }
    let (owner, channel) = (place.purpose.owner, place.purpose.channel)
    // A namesake with other channels may have come meanwhile.
    if names[owner]?[channel] == place.port.name { names[owner]?[channel] = nil }
    if names[owner]?.isEmpty ?? false { names[owner] = nil }
    changed.insert(owner)
    // Where the server is gone its ports are gone with it.
    try? client.unregister(place.port)
  }

  func setTitle(_ title: String, of ports: [AudioPort]) {
    for port in ports {
      guard var place = own[port.handle] else { continue }
      let purpose = place.purpose
      place.purpose = AudioPortName(owner: purpose.owner, channel: purpose.channel, title: title)
      own[port.handle] = place
      client.label(place.port, label(place.purpose))
    }
  }

  func setPaths(_ paths: [AudioPath]) {
    func own(_ ports: [AudioPort]) -> [OwnPort] { ports.compactMap { self.own[$0.handle]?.port } }
    client.setPaths(
      paths.map { LatencyPath(from: own($0.sources), to: own($0.destinations), frames: $0.frames) })
  }

  /// Takes away what people see of the ports.
  func removeLabels() { client.removeLabels(of: own.values.lazy.map(\.port)) }

  /// The owners whose ports have changed, each with the full names of its ports in the order of the channels.
  func takeChanges() -> [(owner: AudioPortName.Owner, ports: [String])] {
    defer { changed.removeAll() }
    return changed.map { owner in
      (owner, (names[owner] ?? [:]).sorted { $0.key < $1.key }.map(\.value))
    }
  }
}
