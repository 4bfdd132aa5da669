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
  /// Two free UDP ports, as far as one can know: of Eider and of scsynth.
  let port = 20_000 + 2 * (Int(ProcessInfo.processInfo.processIdentifier) % 5000)
  var synthPort: Int { port + 1 }
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

  /// What the audio threads of some of them cost in a cycle while all of them mix the same at the same time, so that what
  /// disturbs one disturbs all: nanoseconds, one number for each half of a second.
  ///
  /// - Parameters:
  ///   - contestants: In the order in which they are started and connected, and so run in each cycle.
  ///   - sounding: How many of the strips are connected and sound.
  ///   - inputs: What they play.
  ///   - slices: Halves of a second.
  func measure(
    _ contestants: [Contestant], strips: Int, sounding: Int? = nil, inputs: Inputs = .shared, slices: Int
  ) throws -> [Contestant: [Double]] {
    let sounding = sounding ?? strips
    if sounding > 0 { try play(strips: inputs == .own ? sounding : 1) }
    var children: [(contestant: Contestant, child: Child)] = []
    defer { for (_, child) in children { child.end() } }
    for contestant in contestants {
      children.append((contestant, try contestant.start(strips: strips, sounding: sounding, in: self)))
      try connect(contestant, sounding: sounding, inputs: inputs)
    }
    for contestant in contestants where sounding > 0 { try contestant.move(in: self) }
    Thread.sleep(forTimeInterval: 0.7)
    let threads = try children.map { ($0.contestant, try AudioThread(ofProcess: $0.child.id) { cycles }) }
    return try undisturbed {
      var costs: [Contestant: [Double]] = [:]
      for _ in 0..<slices {
        let before = (times: try threads.map { try $0.1.time() }, cycles: cycles)
        Thread.sleep(forTimeInterval: 0.5)
        let after = (times: try threads.map { try $0.1.time() }, cycles: cycles)
        if let ended = children.first(where: { !$0.child.isRunning }) {
          throw ProbeError("\(ended.contestant.rawValue) has ended")
        }
        guard after.cycles > before.cycles else { throw ProbeError("the server stands still") }
        for (place, (contestant, _)) in threads.enumerated() {
          costs[contestant, default: []].append(
            Double(after.times[place] - before.times[place]) / (after.cycles - before.cycles))
        }
      }
      return costs
    }
  }

  /// How many cycles there were so far.
  private var cycles: Double { Double(wire.heard) / Double(Self.period) }

  private func connect(_ contestant: Contestant, sounding: Int, inputs: Inputs) throws {
    for strip in 0..<sounding {
      for channel in 0...1 {
        let source = (inputs == .own ? 2 * strip : 0) + channel + 1
        try wire.connect("play:out_\(source)", contestant.input(strip, channel))
      }
    }
    for (channel, output) in contestant.outputs.enumerated() {
      try wire.connect(output, "system:playback_\(channel + 1)")
    }
  }

  /// Measures again if something goes wrong on the way, a few times: one of them crashes.
  func measurePatiently(
    _ contestants: [Contestant], strips: Int, sounding: Int? = nil, inputs: Inputs = .shared, slices: Int
  ) throws -> [Contestant: [Double]] {
    func costs() throws -> [Contestant: [Double]] {
      try measure(contestants, strips: strips, sounding: sounding, inputs: inputs, slices: slices)
    }
    for _ in 0..<3 {
      if let costs = try? costs() { return costs }
    }
    return try costs()
  }

  /// What the audio thread of Eider by itself costs in a cycle.
  func measureEider(strips: Int, sounding: Int? = nil, slices: Int) throws -> [Double] {
    try measurePatiently([.eider], strips: strips, sounding: sounding, slices: slices)[.eider] ?? []
  }
}
