import Conductor
import Foundation
import Presets
import SessionPolicy

/// Each session's part of each route on which it may sound, and of the microphone, in files of their own. One thread.
///
/// A session has a file for a route from the moment on when the route is one of its routes, whether it sounds or not; it
/// begins with the rendering like all others.
final class StemFiles {
  /// What a file holds.
  private struct Part: Hashable {
    let session: String
    /// The index of an output route; `nil`: the microphone send.
    let route: Int?
  }

  private struct Stem {
    let writer: SoundFileWriter
    /// One or two channels; what is beyond repeats them, as on the route.
    let buffers: [SampleBuffer]

    func write(_ frames: Int) throws(SoundFileError) {
      let channels = (0..<writer.channels).map { UnsafeBufferPointer(buffers[$0 % buffers.count].samples) }
      try writer.write(channels, frames: frames)
    }
  }

  /// Where a strip's part of a route goes during a stretch.
  struct Place {
    let strip: Int
    let route: Int
    let first: UnsafeMutablePointer<Float>
    let second: UnsafeMutablePointer<Float>?
  }

  private let folder: URL
  private let routes: [String]
  private let preset: Preset
  private let rate: Int
  private let frames: Int
  private let capacity: Int
  private var wanted: Set<Part> = []
  private var stems: [Part: Stem] = [:]

  /// Makes the folder, where it is missing.
  /// - Parameters:
  ///   - frames: how long the rendering is.
  ///   - capacity: the frames of the longest stretch.
  init(_ path: String, _ preset: Preset, rate: Int, frames: Int, capacity: Int) throws(RenderError) {
    (folder, self.preset) = (URL(fileURLWithPath: path), preset)
    (self.rate, self.frames, self.capacity) = (rate, frames, capacity)
    routes = preset.routes.map(\.name)
    guard !routes.contains("mic") else {
      throw RenderError("--stems: SESSION@mic.wav is the microphone of a session; give the route mic another name")
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw RenderError("\(path): this directory cannot be made: \(error.localizedDescription)")
    }
  }

  /// Notes which parts there are.
  func note(_ state: PolicyState) {
    let surroundings = Surroundings(state)
    for session in state.sessions {
      if session.effectiveCategory.hasOutput {
        let places = surroundings.routes(of: session)
        for route in routes.indices where places.contains(route) {
          wanted.insert(Part(session: session.name, route: route))
        }
      }
      if session.effectiveCategory.usesMicrophone { wanted.insert(Part(session: session.name, route: nil)) }
    }
  }

  /// Silences everything, and makes the files of parts that are new.
  /// - Parameter start: the frame at which the stretch begins.
  func begin(_ frames: Int, at start: Int) throws(RenderError) {
    if stems.count < wanted.count {
      for part in wanted where stems[part] == nil { stems[part] = try makeStem(part, silence: start) }
    }
    for stem in stems.values {
      for buffer in stem.buffers { buffer.clear(frames) }
    }
  }

  private func makeStem(_ part: Part, silence: Int) throws(RenderError) -> Stem {
    let place = part.route.map { routes[$0] } ?? "mic"
    let channels =
      part.route.map { preset.expectedChannels(ofRoute: routes[$0]) } ?? preset.channels(ofSession: part.session)
    let path = folder.appendingPathComponent("\(part.session)@\(place).wav").path
    let buffers = (0..<min(channels, 2)).map { _ in SampleBuffer(capacity: capacity) }
    do throws(SoundFileError) {
      let writer = try SoundFileWriter(path, rate: rate, channels: channels, frames: frames)
      let stem = Stem(writer: writer, buffers: buffers)
      var rest = silence
      while rest > 0 {
        try stem.write(min(rest, capacity))
        rest -= min(rest, capacity)
      }
      return stem
    } catch {
      throw RenderError(error.description)
    }
  }

  /// Where the parts of the strips go.
  func places(_ strips: [(session: String, index: Int)]) -> [Place] {
    strips.flatMap { strip in
      routes.indices.compactMap { route in
        guard let stem = stems[Part(session: strip.session, route: route)] else { return nil }
        return Place(
          strip: strip.index, route: route, first: stem.buffers[0].start,
          second: stem.buffers.count > 1 ? stem.buffers[1].start : nil)
      }
    }
  }

  /// Writes the stretch that was mixed.
  func write(_ ports: MemoryPorts, frames: Int) throws(RenderError) {
    for (part, stem) in stems {
      if part.route == nil {
        // Of namesakes, one after the other, each has its own ports.
        for port in ports[.microphoneSend(part.session)] where port.name.channel <= stem.buffers.count {
          let sum = stem.buffers[port.name.channel - 1].samples
          for frame in 0..<frames { sum[frame] += port.samples[frame] }
        }
      }
      do throws(SoundFileError) {
        try stem.write(frames)
      } catch {
        throw RenderError(error.description)
      }
    }
  }

  /// Finishes every file.
  func finish() throws(RenderError) {
    for stem in stems.values {
      do throws(SoundFileError) {
        try stem.writer.finish()
      } catch {
        throw RenderError(error.description)
      }
    }
  }
}
