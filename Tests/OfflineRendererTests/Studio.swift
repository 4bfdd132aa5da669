import Foundation
import Presets
import Scripts
import SessionPolicy

@testable import OfflineRenderer

/// A place for the files of a test, with what it needs to render there. It is taken away at the end.
final class Studio {
  let folder: URL
  /// A speaker and a microphone; fades as short as they can be, so that sounds are easy to foretell.
  var preset = Preset()

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("render-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    preset.inputs = [Preset.Input(name: "desk")]
    preset.fades.resume = 0
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Adds a session to the preset.
  func session(
    _ name: String, _ category: SessionPolicy.Category = .playback, _ change: (inout Preset.Session) -> Void = { _ in }
  ) {
    var session = Preset.Session(name: name)
    session.category = category
    if category == .playback { session.options = .mixWithOthers }
    change(&session)
    preset.sessions.append(session)
  }

  /// Writes a sound file; a channel is given by its sample at each frame.
  func write(
    _ name: String, frames: Int, rate: Int = 48_000, _ channels: ((Int) -> Float)...
  ) throws -> String {
    let writer = try SoundFileWriter(path(name), rate: rate, channels: channels.count, frames: frames)
    let samples = channels.map { channel in (0..<frames).map(channel) }
    try samples.withBuffers { try writer.write($0, frames: frames) }
    try writer.finish()
    return path(name)
  }

  /// Reads a sound file: the samples of each channel.
  func read(_ name: String) throws -> [[Float]] {
    let reader = try SoundFileReader(path(name))
    let samples = Array(try reader.read(reader.length))
    return (0..<reader.channels).map { channel in
      stride(from: channel, to: samples.count, by: reader.channels).map { samples[$0] }
    }
  }

  func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

  /// Renders a script to `speaker.wav`.
  @discardableResult
  func render(
    _ script: String, inputs: [String: String] = [:], _ change: (inout RenderRequest) -> Void = { _ in }
  ) throws -> RenderReport {
    var request = RenderRequest(preset: preset, script: try Script(name: "test.osc", text: script))
    request.inputs = inputs.sorted { $0.key < $1.key }.map { RenderRequest.Binding(name: $0.key, path: $0.value) }
    request.outputs = [RenderRequest.Binding(name: "speaker", path: path("speaker.wav"))]
    change(&request)
    return try Rendering(request, version: "test").run()
  }

  /// What rendering complains of.
  func complaint(
    _ script: String = "", inputs: [String: String] = [:], _ change: (inout RenderRequest) -> Void = { _ in }
  ) throws -> String {
    do {
      try render(script, inputs: inputs, change)
      return ""
    } catch let error as RenderError {
      return error.description
    }
  }
}

extension [[Float]] {
  /// Lends the memory of all arrays at once.
  fileprivate func withBuffers(_ body: ([UnsafeBufferPointer<Float>]) throws -> Void) throws {
    func lend(_ index: Int, _ buffers: [UnsafeBufferPointer<Float>]) throws {
      guard index < count else { return try body(buffers) }
      try self[index].withUnsafeBufferPointer { try lend(index + 1, buffers + [$0]) }
    }
    try lend(0, [])
  }
}

/// A sequence of pseudo-random samples −0.5…0.5: the value at an index depends on nothing else.
func noise(_ index: Int, seed: UInt64 = 1) -> Float {
  var state = UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15 &+ seed &* 0xD1B5_4A32_D192_ED03
  state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
  state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
  state ^= state >> 31
  return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(1 << 32)
}
