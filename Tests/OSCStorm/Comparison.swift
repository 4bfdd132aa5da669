import AddressSpace
import CJack
import EiderProbe
import Foundation
import JACKProbe
import OSCTransport

/// Eider and scsynth on one JACK server, measured in turns.
public final class Comparison {
  /// One of the two.
  public enum Engine: String, CaseIterable, Sendable {
    case eider = "Eider"
    case scsynth
  }

  let rig: StormRig
  let synth: SynthServer
  private let ear: ProbeClient
  private let player: ProbeClient
  private let socket: [Engine: StormSocket]
  private let stallWatch = StallWatch()
  private var isLoud = true

  /// - Parameter sessions: how many sessions Eider has, and scsynth nodes.
  public init(on server: ProbeServer, sessions: Int, program: URL) throws {
    var options = StormRig.Options()
    options.faders = sessions - 1
    options.program = program
    rig = try StormRig(on: server, options)
    player = rig.player
    synth = try SynthServer(on: server, nodes: sessions)
    ear = try ProbeClient("ear", on: server, inputs: ["eider", "scsynth"])
    try ear.connect("eider:speaker_out_1", "ear:eider")
    try ear.connect(SynthServer.output, "ear:scsynth")
    socket = [.eider: try StormSocket(to: rig.port), .scsynth: try StormSocket(to: synth.port)]
    player.start(play: [[Float](repeating: 0.5, count: 4800)], repeats: true)
  }

  /// Ends all but the server.
  public func close() {
    stallWatch.stop()
    ear.close()
    synth.quit()
    rig.close()
  }

  private func port(_ engine: Engine) -> UInt16 { engine == .eider ? rig.port : synth.port }
  private func process(_ engine: Engine) -> Int32 { engine == .eider ? rig.daemon.id : synth.id }

  /// Messages that set the level of what is not listened to.
  private func others(_ engine: Engine) -> [Message] {
    (0..<1000).map { number in
      let level = Float(number % 100) / 100
      let place = number % rig.faders.count
      return switch engine {
      case .eider: Message("/session/\(rig.faders[place])/volume", .float(level))
      case .scsynth: SynthServer.setting(node: place + 1, to: level / 1000)
      }
    }
  }

  // MARK: Latency

  /// What both took for the same thing at the same time, in milliseconds.
  public struct Latency: Sendable {
    public let eider, scsynth: Double
  }

  /// Sets a level of both over and over, and measures from before the datagram is sent to the time of the first sample that
  /// differs. Both are told within microseconds, in turns the one and the other first, and heard in one recording: whatever
  /// holds up the machine holds up both. What was measured while a processor of it stood still is left out.
  ///
  /// - Parameters:
  ///   - count: how often.
  ///   - rate: how many other messages come in a second meanwhile, to each of the two.
  public func latencies(count: Int, otherMessages rate: Int) throws -> [Latency] {
    let awakeProcessors = AwakeProcessors()
    defer { awakeProcessors.stop() }
    let noises = rate > 0 ? try Engine.allCases.map { try startNoise($0, rate: rate) } : []
    defer { for noise in noises { noise.cancel() } }
    var latencies: [Latency] = []
    for number in 0..<count {
      isLoud.toggle()
      let level: Float = isLoud ? 1 : 0.5
      let packets: [Engine: [UInt8]] = [
        .eider: OSCPacket.message(Message("/session/music/volume", .float(level))).encoded(),
        .scsynth: OSCPacket.message(SynthServer.setting(node: 0, to: level)).encoded(),
      ]
      let order = number % 2 == 0 ? Engine.allCases : Engine.allCases.reversed()
      let stalls = stallWatch.count
      let job = ear.start(record: rig.server.rate / 25)
      let begin = try job.begin()
      Clock.sleep(until: Clock.seconds + .random(in: 0.001...0.006))
      var sent: [Engine: UInt64] = [:]
      for engine in order {
        sent[engine] = jack_get_time()
        socket[engine]?.send(packets[engine] ?? [])
      }
      let recording = try job.recording(within: 30)
      ear.stop(job)
      func latency(_ engine: Engine) -> Double? {
        let samples = recording.channels[engine == .eider ? 0 : 1]
        return samples.indices.first { samples[$0] != samples[0] }.map {
          (Double(ear.microseconds(of: begin + $0)) - Double(sent[engine] ?? 0)) / 1000
        }
      }
      if stallWatch.count == stalls, recording.gaps.isEmpty, let eider = latency(.eider),
        let scsynth = latency(.scsynth)
      {
        latencies.append(Latency(eider: eider, scsynth: scsynth))
      }
      // Until the glide to the new level is over.
      Clock.sleep(until: Clock.seconds + 0.08)
    }
    return latencies
  }

  private func startNoise(_ engine: Engine, rate: Int) throws -> Thread {
    let socket = try StormSocket(to: port(engine))
    let volley = DatagramVolley(others(engine).map { OSCPacket.message($0).encoded() })
    let noise = Noise(socket: socket, volley: volley, rate: rate)
    let thread = Thread { noise.run() }
    thread.start()
    return thread
  }

  // MARK: Cost

  /// Microseconds of processor time for each message that the kernel delivered, beyond what the engine takes when idle.
  public func cost(_ engine: Engine, rate: Int, bundleSize: Int, seconds: Double) throws -> Double {
    let flood = Flood(rate: rate, seconds: seconds, bundleSize: bundleSize)
    let packets = flood.packets(others(engine))
    let idleStart = try ProcessFigures(of: process(engine)).cpuSeconds
    let begin = Clock.seconds
    Clock.sleep(until: begin + seconds)
    let idle = (try ProcessFigures(of: process(engine)).cpuSeconds - idleStart) / (Clock.seconds - begin)
    let drops = try DatagramPort.figures(of: port(engine)).drops
    let start = try ProcessFigures(of: process(engine)).cpuSeconds
    let floodBegin = Clock.seconds
    let sent = try flood.run(packets, to: port(engine))
    guard try eventually(within: 120, { try DatagramPort.figures(of: port(engine)).waiting == 0 }) else {
      throw ProbeError("\(engine.rawValue) reads no datagrams any more")
    }
    let used = try ProcessFigures(of: process(engine)).cpuSeconds - start - idle * (Clock.seconds - floodBegin)
    let delivered = sent.datagrams - (try DatagramPort.figures(of: port(engine)).drops - drops)
    return used / Double(max(1, delivered * bundleSize)) * 1e6
  }
}

/// Other messages, from a thread of their own.
private final class Noise: @unchecked Sendable {
  // Unchecked: one thread alone uses the socket and the volley.
  private let socket: StormSocket
  private let volley: DatagramVolley
  private let rate: Int

  init(socket: StormSocket, volley: DatagramVolley, rate: Int) {
    (self.socket, self.volley, self.rate) = (socket, volley, rate)
  }

  func run() {
    let start = Clock.seconds
    var sent = 0
    while !Thread.current.isCancelled {
      Clock.sleep(until: Clock.seconds + 0.001)
      let due = Int((Clock.seconds - start) * Double(rate))
      do { try volley.send(due - sent, on: socket) } catch { return }
      sent = due
    }
  }
}

extension [Double] {
  /// The value that this share of all does not exceed.
  public func percentile(_ share: Double) -> Double {
    let sorted = sorted()
    return sorted.isEmpty ? .nan : sorted[Swift.min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}
