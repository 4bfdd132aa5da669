import AddressSpace
import Foundation
import JACKProbe
import OSCTransport
import Synchronization

/// A control surface: listens to everything, moves faders now and then, and keeps its subscription. It has a thread of its
/// own.
public final class Surface: @unchecked Sendable {
  // Unchecked: after the start the thread alone uses the client; all else is behind the lock or never changes.
  private let client: OSCClient
  private let faders: [String]
  private let isMoving = Mutex(true)
  private let state = Mutex(State())

  private struct State {
    var values: [String: [Argument]] = [:]
    var messages = 0
    var signsOfLife = 0
    var errors: [String] = []
    var failure: String?
    var isOver = false
  }

  /// - Parameter milliseconds: the period in which it wants to be told what changes.
  public init(port: UInt16, _ way: OSCProtocol, milliseconds: Int32, faders: [String]) throws {
    client = try OSCClient(host: "127.0.0.1", port: port, protocol: way)
    self.faders = faders
    try client.send(Message("/subscribe", "*", .int(milliseconds)), timeout: .seconds(10))
    let thread = Thread { [self] in
      do { try run() } catch { state.withLock { $0.failure = "\(error)" } }
      state.withLock { $0.isOver = true }
    }
    thread.start()
  }

  private func run() throws {
    var random = StormRandom(seed: 5)
    var nextMove = Clock.seconds
    var nextRenewal = Clock.seconds + 4
    while !state.withLock({ $0.isOver }) {
      if let packet = try client.receive(timeout: .milliseconds(20)) {
        packet.forEachMessage { message, _ in take(message) }
      }
      let now = Clock.seconds
      if now >= nextMove, isMoving.withLock({ $0 }) {
        nextMove = now + 0.05
        let fader = faders[Int(random.next() % UInt64(faders.count))]
        let level = Float(random.next() % 1000) / 1000
        try client.send(Message("/session/\(fader)/volume", .float(level)), timeout: .seconds(10))
      }
      if now >= nextRenewal {
        nextRenewal = now + 4
        try client.send(Message("/renew"), timeout: .seconds(10))
      }
    }
  }

  private func take(_ message: Message) {
    state.withLock { state in
      state.messages += 1
      switch message.address {
      case "/eider/alive": state.signsOfLife += 1
      case "/error": state.errors.append(message.arguments.map(\.description).joined(separator: " "))
      default: state.values[message.address] = message.arguments
      }
    }
  }

  /// What it shows at an address.
  public func value(at address: String) -> [Argument]? { state.withLock { $0.values[address] } }
  /// How many messages it has been sent.
  public var messageCount: Int { state.withLock { $0.messages } }
  /// How often the daemon has shown that it lives.
  public var signsOfLife: Int { state.withLock { $0.signsOfLife } }
  /// What it was refused, and why it has failed.
  public var complaints: [String] { state.withLock { $0.errors + ($0.failure.map { [$0] } ?? []) } }

  /// Takes its hands off the faders.
  public func rest() { isMoving.withLock { $0 = false } }

  /// Ends it.
  public func stop() { state.withLock { $0.isOver = true } }
}

extension StormRig {
  /// Two surfaces work while floods, wrong packets and scenes come in turns.
  ///
  /// - Parameter progress: is told after each round what has come of it so far.
  /// - Returns: what should not be so; empty if all is well.
  public func session(minutes: Double, seed: UInt64, progress: (String) -> Void) throws -> [String] {
    let surfaces = [
      try Surface(port: port, .udp, milliseconds: 50, faders: faders),
      try Surface(port: port, .tcp, milliseconds: 20, faders: faders),
    ]
    defer { for surface in surfaces { surface.stop() } }
    var faults: [String] = []
    var start: Count?
    let begin = Clock.seconds
    var round: UInt64 = 0
    repeat {
      round += 1
      let before = try count()
      var sent = Flood.Sent()
      for flood in [Flood(rate: 100_000, seconds: 3), Flood(rate: 1_000_000, seconds: 1, bundleSize: 20)] {
        let drops = try DatagramPort.figures(of: port).drops
        let received = try count()
        sent = try flood.run(flood.packets(Flood.messages(sessions: faders)), to: port)
        try settle()
        let after = try count()
        let delivered = (sent.datagrams - (try DatagramPort.figures(of: port).drops - drops)) * flood.bundleSize
        // The surfaces send too: at least what the flood has sent has to be there.
        let heard = after.received - received.received
        if heard < delivered { faults.append("round \(round): \(delivered) messages delivered, \(heard) read") }
      }
      for scene in ["day", "night", "day"] { try ask("/scene/recall", .string(scene)) }
      try Bombardment(packets: 40_000, seed: seed &+ round, sessions: faders).run(to: port)
      try settle()
      for scene in ["night", "day"] { try ask("/scene/recall", .string(scene)) }
      let ping = try ping()
      let after = try count()
      // Room that the first round makes is no leak.
      if start == nil { start = after }
      progress(
        String(
          format: "%4.0f s: %d messages received, %d own xruns, %d xruns of the server, %.1f MiB, ping %.1f ms",
          Clock.seconds - begin, after.received, after.ownXruns, after.xruns,
          Double(after.figures.ownMemory) / 1048576, ping))
      if after.ownXruns > before.ownXruns { faults.append("round \(round): the audio thread was late") }
    } while Clock.seconds - begin < minutes * 60
    try faults += judge(surfaces, seconds: Clock.seconds - begin)
    if let start {
      let growth = try count().figures.ownMemory - start.figures.ownMemory
      if growth > StormReport.growthLimit { faults.append("memory has grown by \(growth / 1024) KiB") }
    }
    return faults
  }

  /// Whether both surfaces show what a third hand does, and have been told all along.
  private func judge(_ surfaces: [Surface], seconds: Double) throws -> [String] {
    for surface in surfaces { surface.rest() }
    Clock.sleep(until: Clock.seconds + 1.2)
    for (number, fader) in faders.enumerated() {
      try ask("/session/\(fader)/volume", .float(Float(number) / 100 + 0.003))
    }
    var faults: [String] = []
    for (name, surface) in zip(["UDP", "TCP"], surfaces) {
      let isRight = eventually(within: 30) {
        faders.enumerated().allSatisfy { number, fader in
          surface.value(at: "/session/\(fader)/volume") == [.float(Float(number) / 100 + 0.003)]
        }
      }
      if !isRight { faults.append("the \(name) surface does not show what was set last") }
      if Double(surface.signsOfLife) < seconds * 0.8 {
        faults.append("the \(name) surface got \(surface.signsOfLife) signs of life in \(Int(seconds)) s")
      }
      faults += surface.complaints.prefix(3).map { "the \(name) surface: \($0)" }
    }
    return faults
  }
}
