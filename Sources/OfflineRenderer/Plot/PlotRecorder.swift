import AddressSpace
import Conductor
import Foundation
import Scripts
import SessionPolicy

/// Watches a rendering for its drawing. One thread; it changes nothing.
final class PlotRecorder {
  private(set) var record: PlotRecord
  /// The conductor's peaks are kept for each reader; this is none of the script.
  private let reader = ReaderID(number: .max)
  private var lastSample = 0
  private var lanes: [String: Int] = [:]

  /// How many columns the drawing has at most.
  private static let mostColumns = 500

  init(_ request: RenderRequest, routes: [OutputRoute], rate: Int, length: Int) {
    let script = URL(fileURLWithPath: request.script.name).lastPathComponent
    record = PlotRecord(
      title: request.preset.title ?? script,
      subtitle: (request.preset.title == nil ? "" : "\(script), ")
        + "\(String(format: "%.3g", Double(length) / Double(rate))) s at \(rate) Hz",
      rate: rate, length: length, step: max(16, (length + Self.mostColumns - 1) / Self.mostColumns))
    let columns = record.columns
    for route in routes {
      record.routes.append(
        PlotRecord.RouteTrack(
          name: route.name, title: route.title, limit: route.limit, peak: Array(repeating: 0, count: columns),
          energy: Array(repeating: 0, count: columns)))
    }
    for name in request.preset.sessions.map(\.name) + request.script.openedSessions { addLane(name) }
  }

  private func addLane(_ name: String) {
    guard lanes[name] == nil else { return }
    lanes[name] = record.sessions.count
    let columns = record.columns
    record.sessions.append(
      PlotRecord.SessionTrack(
        name: name, title: name, played: Array(repeating: 0, count: columns),
        heard: Array(repeating: -120, count: columns), reduction: Array(repeating: 0, count: columns)))
  }

  /// A line of the script was sent.
  func mark(_ text: String, at frame: UInt64) { record.marks.append(PlotRecord.Mark(frame: Int(frame), text: text)) }

  /// Takes down the states that hold from a frame on.
  func note(_ state: PolicyState, at frame: UInt64) {
    let surroundings = Surroundings(state)
    var open: Set<String> = []
    for session in state.sessions {
      guard let lane = lanes[session.name] else { continue }
      open.insert(session.name)
      record.sessions[lane].title = session.title
      record.sessions[lane].states.note(surroundings.silence(of: session), at: frame)
      record.sessions[lane].microphone.note(state.isMicrophoneOpen(session), at: frame)
    }
    for (name, lane) in lanes where !open.contains(name) {
      record.sessions[lane].states.note(nil, at: frame)
      record.sessions[lane].microphone.note(false, at: frame)
    }
    for (index, route) in state.outputRoutes.enumerated() {
      record.routes[index].availability.note(route.isAvailable, at: frame)
    }
  }

  // MARK: Sound

  /// A file was read, from a frame on: interleaved samples.
  func hear(_ owner: AudioPortName.Owner, _ samples: ArraySlice<Float>, channels: Int, at frame: UInt64) {
    guard case .session(let name) = owner, let lane = lanes[name] else { return }
    samples.withUnsafeBufferPointer { samples in
      forEachColumn(frames: samples.count / channels, at: frame) { column, range in
        var peak = record.sessions[lane].played[column]
        for sample in samples[(range.lowerBound * channels)..<(range.upperBound * channels)] {
          peak = max(peak, abs(sample))
        }
        record.sessions[lane].played[column] = peak
      }
    }
  }

  /// Something came out of the routes, from a frame on.
  func hear(_ ports: MemoryPorts, frames: Int, at frame: UInt64) {
    for index in record.routes.indices {
      let group = ports[.outputRoute(record.routes[index].name)]
      forEachColumn(frames: frames, at: frame) { column, range in
        var peak = record.routes[index].peak[column]
        var energy = 0.0
        for port in group {
          var sum = 0.0
          for sample in port.samples[range] {
            peak = max(peak, abs(sample))
            sum += Double(sample) * Double(sample)
          }
          energy = max(energy, sum)
        }
        record.routes[index].peak[column] = peak
        record.routes[index].energy[column] += energy
      }
    }
  }

  /// The parts of a stretch that fall into each column; ranges count from the beginning of the stretch.
  private func forEachColumn(frames: Int, at frame: UInt64, _ body: (Int, Range<Int>) -> Void) {
    let (first, step) = (Int(frame), record.step)
    var start = 0
    while start < frames {
      let column = (first + start) / step
      let end = min(frames, (column + 1) * step - first)
      body(column, start..<end)
      start = end
    }
  }

  /// The frame at which the meters are to be read next.
  func nextSample(after frame: UInt64) -> UInt64 { (frame / UInt64(record.step) + 1) * UInt64(record.step) }

  /// Reads the meters, if a column ends here.
  func sample(_ conductor: Conductor, at frame: UInt64) {
    let frame = Int(frame)
    guard frame > lastSample, frame % record.step == 0 || frame == record.length else { return }
    let column = (frame - 1) / record.step
    lastSample = frame
    for session in conductor.policy.sessions {
      guard let lane = lanes[session.name] else { continue }
      record.sessions[lane].heard[column] = Float(conductor.peak(of: session.id, reader: reader))
      if record.sessions[lane].states.last == .some(.some(.none)) {
        record.sessions[lane].reduction[column] = Float(conductor.reduction(of: session.id))
      }
    }
  }
}
