import Conductor

/// The ports of the conductor as buffers in memory. One thread.
final class MemoryPorts: AudioPorts {
  /// A port and the samples that go through it.
  final class Port {
    let name: AudioPortName
    private let buffer: SampleBuffer
    var samples: UnsafeMutableBufferPointer<Float> { buffer.samples }

    fileprivate init(_ name: AudioPortName, capacity: Int) {
      self.name = name
      buffer = SampleBuffer(capacity: capacity)
    }

    /// The mixer finds the memory by its address.
    fileprivate var handle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(buffer.start) }

    /// Silences the first frames.
    fileprivate func clear(_ frames: Int) { buffer.clear(frames) }
  }

  /// How many samples a port holds.
  let capacity: Int
  private var ports: [AudioPortName.Owner: [Port]] = [:]
  private var owners: [UInt: AudioPortName.Owner] = [:]

  /// - Parameter capacity: how many samples a port holds, at least 1.
  init(capacity: Int) { self.capacity = capacity }

  func register(_ port: AudioPortName) throws(AudioPortError) -> AudioPort {
    let made = Port(port, capacity: capacity)
    let result = AudioPort(name: port.name, handle: made.handle)
    ports[port.owner, default: []].append(made)
    owners[result.handle] = port.owner
    return result
  }

  func unregister(_ port: AudioPort) {
    guard let owner = owners.removeValue(forKey: port.handle) else { return }
    ports[owner]?.removeAll { UInt(bitPattern: $0.handle) == port.handle }
    if ports[owner]?.isEmpty ?? false { ports[owner] = nil }
  }

  /// Files show no titles.
  func setTitle(_ title: String, of ports: [AudioPort]) {}

  /// Files have no latency.
  func setPaths(_ paths: [AudioPath]) {}

  /// The ports of an owner, in the order in which they were made: its channels, and where a namesake is still fading
  /// out, those of both.
  subscript(owner: AudioPortName.Owner) -> [Port] { ports[owner] ?? [] }

  /// Silences what comes out, for the mixer writes only the outputs that it knows.
  func clearOutputs(_ frames: Int) {
    for (_, group) in ports {
      for port in group where port.name.direction == .output { port.clear(frames) }
    }
  }
}
