import Conductor
import JACKTransport

/// The ports of the conductor as ports of a JACK client. Control thread only.
final class JACKPorts: AudioPorts {
  private let client: JACKClient
  private var own: [UInt: OwnPort] = [:]
  private(set) var names: [AudioPortName.Owner: [Int: String]] = [:]
  /// The owners whose ports have changed since they were last taken.
  private var changed: Set<AudioPortName.Owner> = []
  private var count = 0

  init(client: JACKClient) { self.client = client }

  func register(_ port: AudioPortName) throws(AudioPortError) -> AudioPort {
    do throws(JACKError) {
      let made = try client.registerPort(port.name, port.direction == .input ? .input : .output)
      client.label(
        made, JACKClient.PortLabel(prettyName: "\(port.title) \(port.channel)", order: count, group: port.title))
      count += 1
      let result = AudioPort(name: made.name, handle: made.handle)
      own[result.handle] = made
      names[port.owner, default: [:]][port.channel] = made.name
      changed.insert(port.owner)
      return result
    } catch {
      throw AudioPortError(error.description)
    }
  }

  func unregister(_ port: AudioPort) {
    guard let mine = own.removeValue(forKey: port.handle) else { return }
    for (owner, ports) in names where ports.values.contains(mine.name) {
      let rest = ports.filter { $0.value != mine.name }
      names[owner] = rest.isEmpty ? nil : rest
      changed.insert(owner)
    }
    // Where the server is gone its ports are gone with it.
    try? client.unregister(mine)
  }

  /// The owners whose ports have changed, each with the full names of its ports in the order of the channels.
  func takeChanges() -> [(owner: AudioPortName.Owner, ports: [String])] {
    defer { changed.removeAll() }
    return changed.map { owner in
      (owner, (names[owner] ?? [:]).sorted { $0.key < $1.key }.map(\.value))
    }
  }
}
