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
  private let milliseconds: Int32
  private let faders: [String]
  private let isMoving = Mutex(true)
  private let state = Mutex(State())

  private struct State {
    var values: [String: [Argument]] = [:]
    var messages = 0
    var signsOfLife = 0
    var errors: [String] = []
    var failure: String?
    var isForgotten = false
    var isOver = false
  }

  /// - Parameter milliseconds: the period in which it wants to be told what changes.
  public init(port: UInt16, _ way: OSCProtocol, milliseconds: Int32, faders: [String]) throws {
    client = try OSCClient(host: "127.0.0.1", port: port, protocol: way)
    self.faders = faders
    self.milliseconds = milliseconds
    try subscribe()
    let thread = Thread { [self] in
      do { try run() } catch { state.withLock { $0.failure = "\(error)" } }
      state.withLock { $0.isOver = true }
    }
    thread.start()
  }

  private func subscribe() throws {
    try client.send(Message("/subscribe", "*", .int(milliseconds)), timeout: .seconds(10))
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
      let isForgotten = state.withLock { state in
        defer { state.isForgotten = false }
        return state.isForgotten
      }
      if isForgotten { try subscribe() }
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
      // The kernel may have dropped what was to keep its subscription: it subscribes again, as every surface should.
      case "/error" where message.arguments.prefix(2) == ["/renew", "resourceNotAvailable"]: state.isForgotten = true
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
          format:
            """
            %4.0f s: %d messages, %d own xruns, %d of them in a stall, %d of the server, %d stalls of the machine, \
            %.1f MiB, ping %.1f ms
            """,
          Clock.seconds - begin, after.received, after.ownXruns, after.excusedXruns, after.xruns, after.stalls,
          Double(after.figures.ownMemory) / 1048576, ping))
    } while Clock.seconds - begin < minutes * 60
    try faults += judge(surfaces, seconds: Clock.seconds - begin)
    if let start {
      let end = try count()
      faults += LateCycles(from: start, to: end, isAlone: isAlone).faults
      let growth = end.figures.ownMemory - start.figures.ownMemory
      if growth > StormReport.growthLimit { faults.append("memory has grown by \(growth / 1024) KiB") }
    }
    return faults
  }

  /// Whether both surfaces show what a third hand does, and have been told all along.
  private func judge(_ surfaces: [Surface], seconds: Double) throws -> [String] {
    for surface in surfaces { surface.rest() }
    var faults: [String] = []
    // What wrong packets have set for a time to come may come in between: tried several times.
    var unlike: [String] = []
    for attempt in 0..<3 {
      Clock.sleep(until: Clock.seconds + 1.2)
      func level(_ number: Int) -> Float { Float(number) / 100 + Float(attempt) / 1000 }
      for (number, fader) in faders.enumerated() { try ask("/session/\(fader)/volume", .float(level(number))) }
      func isRight(_ surface: Surface) -> Bool {
        faders.enumerated().allSatisfy { surface.value(at: "/session/\($1)/volume") == [.float(level($0))] }
      }
      _ = eventually(within: 5) { surfaces.allSatisfy(isRight) }
      unlike = zip(["UDP", "TCP"], surfaces).filter { !isRight($1) }.map(\.0)
      if unlike.isEmpty { break }
    }
    faults += unlike.map { "the \($0) surface does not show what was set last" }
    for (name, surface) in zip(["UDP", "TCP"], surfaces) {
      if Double(surface.signsOfLife) < seconds * (isAlone ? 0.9 : 0.5) {
        faults.append("the \(name) surface got \(surface.signsOfLife) signs of life in \(Int(seconds)) s")
      }
      faults += surface.complaints.prefix(3).map { "the \(name) surface: \($0)" }
    }
    return faults
  }
}
