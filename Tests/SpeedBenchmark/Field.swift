import Foundation
import JACKProbe

/// What the strips play.
enum Inputs {
  /// All the same two channels of noise: what differs between those who mix is then their own.
  case shared
  /// Each its own two channels: what all of them read no longer fits the processor's nearest cache, and who mixes waits
  /// for the memory as all others do.
  case own
}

/// A private JACK server, on which all are measured under the same conditions: 64 frames at 48 kHz, and one client that
/// plays noise into all strips.
final class Field {
  struct Programs {
    let eider: String
    let bareClient: String
  }

  static let period = 64
  static let rate = 48_000
  /// Nanoseconds from one cycle to the next.
  static let cycle = Double(period) / Double(rate) * 1e9

  let programs: Programs
  let server: ProbeServer
  /// Connects, and counts the cycles.
  let wire: ProbeClient
  let directory: URL
  /// A free UDP port, as far as one can know.
  let port = 20_000 + Int(ProcessInfo.processInfo.processIdentifier) % 10_000
  private var player: (child: Child, strips: Int)?

  init(_ programs: Programs) throws {
    self.programs = programs
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("eider-speed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    var options = ProbeServer.Options(
      rate: Self.rate, period: Self.period, portMax: 4096, isSynchronous: false)
    options.name = "eider-speed-\(ProcessInfo.processInfo.processIdentifier)"
    server = try ProbeServer.start(options)
    wire = try ProbeClient("wire", on: server)
  }

  func close() {
    player = nil
    wire.close()
    server.stop()
    try? FileManager.default.removeItem(at: directory)
  }

  /// Lets noise play, two channels for each of so many strips.
  private func play(strips: Int) throws {
    if player?.strips == strips { return }
    player?.child.end()
    let child = try Child(programs.bareClient, [server.name, "play", "play", "\(strips)"], in: directory)
    try child.waitFor("ready")
    player = (child, strips)
  }

  /// What the audio thread of one of them costs in a cycle: nanoseconds, one number for each half of a second.
  ///
  /// - Parameters:
  ///   - sounding: How many of the strips are connected and sound.
  ///   - inputs: What they play.
  ///   - slices: Halves of a second.
  func measure(
    _ contestant: Contestant, strips: Int, sounding: Int? = nil, inputs: Inputs = .shared, slices: Int
  ) throws -> [Double] {
    let sounding = sounding ?? strips
    if sounding > 0 { try play(strips: inputs == .own ? sounding : 1) }
    let child = try contestant.start(strips: strips, sounding: sounding, in: self)
    defer { child.end() }
    for strip in 0..<sounding {
      for channel in 0...1 {
        let source = (inputs == .own ? 2 * strip : 0) + channel + 1
        try wire.connect("play:out_\(source)", contestant.input(strip, channel))
      }
    }
    for (channel, output) in contestant.outputs.enumerated() {
      try wire.connect(output, "system:playback_\(channel + 1)")
    }
    if sounding > 0 { try contestant.move(in: self) }
    Thread.sleep(forTimeInterval: 0.7)
    let thread = try AudioThread(ofProcess: child.id)
    return try undisturbed {
      try (0..<slices).map { _ in
        let before = (time: try thread.time(), frame: wire.heard)
        Thread.sleep(forTimeInterval: 0.5)
        let after = (time: try thread.time(), frame: wire.heard)
        guard child.isRunning, after.frame > before.frame else { throw ProbeError("\(contestant.rawValue) has ended") }
        return Double(after.time - before.time) / (Double(after.frame - before.frame) / Double(Self.period))
      }
    }
  }

  /// Measures again if something goes wrong on the way, a few times: one of them crashes.
  func measurePatiently(
    _ contestant: Contestant, strips: Int, sounding: Int? = nil, inputs: Inputs = .shared, slices: Int
  ) throws -> [Double] {
    func costs() throws -> [Double] {
      try measure(contestant, strips: strips, sounding: sounding, inputs: inputs, slices: slices)
    }
    for _ in 0..<3 {
      if let costs = try? costs() { return costs }
    }
    return try costs()
  }
}
