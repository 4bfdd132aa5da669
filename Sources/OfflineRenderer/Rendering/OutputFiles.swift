import Conductor
import Foundation
import Presets

/// The files that the sound of output routes is written to. One thread.
final class OutputFiles {
  private struct Sink {
    let route: String
    let writer: SoundFileWriter
    var isSilent = true
  }

  private var sinks: [Sink] = []
  /// The routes that sounded though nobody writes them down.
  private var missed: Set<String> = []
  private let routes: [String]

  /// Makes the files of a request. None has its name before `finish`.
  init(_ request: RenderRequest, rate: Int, frames: Int) throws(RenderError) {
    routes = request.preset.routes.map(\.name)
    var paths: Set<String> = []
    for binding in request.outputs {
      guard routes.contains(binding.name) else {
        throw RenderError(
          "--out \(binding.name): there is no such route in the preset; there is \(routes.joined(separator: " "))")
      }
      guard !sinks.contains(where: { $0.route == binding.name }) else {
        throw RenderError("--out \(binding.name) is given twice; a route is written to one file")
      }
      let path = URL(fileURLWithPath: binding.path).resolvingSymlinksInPath().path
      guard paths.insert(path).inserted || path == "/dev/null" else {
        throw RenderError("\(binding.path) is to hold two routes; a route has a file of its own")
      }
      let channels = request.preset.expectedChannels(ofRoute: binding.name)
      do throws(SoundFileError) {
        let writer = try SoundFileWriter(binding.path, rate: rate, channels: channels, frames: frames)
        sinks.append(Sink(route: binding.name, writer: writer))
      } catch {
        throw RenderError(error.description)
      }
    }
  }

  /// Writes what has come out of the routes' ports, from the first sample of their buffers on.
  func write(_ ports: MemoryPorts, frames: Int) throws(RenderError) {
    for index in sinks.indices {
      let samples = ports[.outputRoute(sinks[index].route)].map { UnsafeBufferPointer($0.samples) }
      do throws(SoundFileError) {
        try sinks[index].writer.write(samples, frames: frames)
      } catch {
        throw RenderError(error.description)
      }
      if sinks[index].isSilent { sinks[index].isSilent = !ports.sounds(sinks[index].route, frames: frames) }
    }
    for route in routes where !missed.contains(route) && !sinks.contains(where: { $0.route == route }) {
      if ports.sounds(route, frames: frames) { missed.insert(route) }
    }
  }

  /// Finishes every file.
  func finish() throws(RenderError) {
    for sink in sinks {
      do throws(SoundFileError) {
        try sink.writer.finish()
      } catch {
        throw RenderError(error.description)
      }
    }
  }

  /// Which file stayed silent while the sound went where nobody writes it down.
  var surprises: [String] {
    guard !missed.isEmpty else { return [] }
    let elsewhere = routes.filter(missed.contains)
    return sinks.filter(\.isSilent).map {
      "\($0.route) was silent all the time; the sound was on \(elsewhere.joined(separator: " and ")), which no --out "
        + "names. All ports exist in a rendering; “0 /host/route \($0.route)” in the script chooses another route"
    }
  }
}

extension MemoryPorts {
  /// Whether anything but silence has come out of a route.
  fileprivate func sounds(_ route: String, frames: Int) -> Bool {
    self[.outputRoute(route)].contains { port in port.samples[..<frames].contains { $0 != 0 } }
  }
}
