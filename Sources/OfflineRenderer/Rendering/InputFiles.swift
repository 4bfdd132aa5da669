import Conductor
import Presets

/// The sound files that sessions play and input routes hear. One thread.
struct InputFiles {
  private struct Source {
    let owner: AudioPortName.Owner
    let reader: SoundFileReader
  }

  private var sources: [Source] = []
  /// The sessions that play one.
  private(set) var sessions: Set<String> = []
  /// The frames of the longest one.
  var length: Int { sources.map(\.reader.length).max() ?? 0 }
  /// Their common rate; `nil` where there is none.
  var rate: Int? { sources.first?.reader.rate }

  /// Opens the files of a request.
  init(_ request: RenderRequest) throws(RenderError) {
    let known = Names(request)
    for binding in request.inputs {
      let owner = try known.owner(of: binding)
      guard !sources.contains(where: { $0.owner == owner }) else {
        throw RenderError("--in \(binding.name) is given twice; a session or input hears one file")
      }
      let reader: SoundFileReader
      do throws(SoundFileError) {
        reader = try SoundFileReader(binding.path)
      } catch {
        throw RenderError(error.description)
      }
      try check(reader, request)
      sources.append(Source(owner: owner, reader: reader))
      if case .session(let name) = owner { sessions.insert(name) }
    }
  }

  private func check(_ reader: SoundFileReader, _ request: RenderRequest) throws(RenderError) {
    guard (1...2).contains(reader.channels) else {
      throw RenderError("\(reader.path) has \(reader.channels) channels; a session or input hears 1 or 2")
    }
    if let wanted = request.rate, wanted != reader.rate {
      throw RenderError(
        "\(reader.path) has \(reader.rate) Hz, but --rate says \(wanted) Hz; convert the file, or leave out --rate")
    }
    if let first = sources.first?.reader, first.rate != reader.rate {
      throw RenderError(
        "\(reader.path) has \(reader.rate) Hz, but \(first.path) has \(first.rate) Hz; convert one of them")
    }
  }

  /// The names that can be fed.
  private struct Names {
    let sessions: [String]
    let inputs: [String]

    init(_ request: RenderRequest) {
      var sessions = request.preset.sessions.map(\.name)
      for name in request.script.openedSessions where !sessions.contains(name) { sessions.append(name) }
      self.sessions = sessions
      inputs = request.preset.inputs.map(\.name)
    }

    func owner(of binding: RenderRequest.Binding) throws(RenderError) -> AudioPortName.Owner {
      let (isSession, isInput) = (sessions.contains(binding.name), inputs.contains(binding.name))
      switch (isSession, isInput) {
      case (true, false): return .session(binding.name)
      case (false, true): return .inputRoute(binding.name)
      case (true, true):
        throw RenderError("--in \(binding.name): both a session and an input have this name; rename one of them")
      case (false, false):
        let known = sessions + inputs
        throw RenderError(
          "--in \(binding.name): there is no such session in the preset or the script, and no such input; there "
            + (known.isEmpty ? "are none" : "is \(known.joined(separator: " "))"))
      }
    }
  }

  /// Fills the ports with the next frames of every file, from the first sample of their buffers on.
  /// - Parameter heard: is given the owner and the samples of each file: interleaved, and how many channels they have.
  func fill(
    _ ports: MemoryPorts, frames: Int, heard: (AudioPortName.Owner, ArraySlice<Float>, Int) -> Void
  ) throws(RenderError) {
    for source in sources {
      let samples: ArraySlice<Float>
      do throws(SoundFileError) {
        samples = try source.reader.read(frames)
      } catch {
        throw RenderError(error.description)
      }
      heard(source.owner, samples, source.reader.channels)
      let group = ports[source.owner]
      let isMono = group.allSatisfy { $0.name.channel == 1 }
      for port in group {
        port.fill(samples, channels: source.reader.channels, isMono: isMono)
      }
    }
  }
}

extension MemoryPorts.Port {
  /// Takes its channel of a file: a mono file goes to every port, stereo folds down to a single one at −3 dB.
  fileprivate func fill(_ interleaved: ArraySlice<Float>, channels: Int, isMono: Bool) {
    interleaved.withUnsafeBufferPointer { source in
      let frames = source.count / channels
      if channels == 1 {
        for frame in 0..<frames { samples[frame] = source[frame] }
      } else if isMono {
        for frame in 0..<frames { samples[frame] = (source[2 * frame] + source[2 * frame + 1]) * 0.70710678 }
      } else {
        let channel = (name.channel - 1) % 2
        for frame in 0..<frames { samples[frame] = source[2 * frame + channel] }
      }
    }
  }
}
