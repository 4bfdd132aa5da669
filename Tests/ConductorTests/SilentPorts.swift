import Conductor

/// Ports without samples.
final class SilentPorts: AudioPorts {
  private var count = 0
  /// The names of those that are there.
  private(set) var names: Set<String> = []

  func register(_ port: AudioPortName) throws(AudioPortError) -> AudioPort {
    count += 1
    guard let handle = UnsafeMutableRawPointer(bitPattern: 4096 * count) else { throw AudioPortError("no port") }
    names.insert(port.name)
    return AudioPort(name: port.name, handle: handle)
  }
  func unregister(_ port: AudioPort) { names.remove(port.name) }
  func setTitle(_ title: String, of ports: [AudioPort]) {}
  func setPaths(_ paths: [AudioPath]) {}
}
