import AddressSpace
import Foundation
import JACKProbe
import OSCTransport

/// A daemon on a private server, with a client that plays into its sessions, one that stands for the hardware of its
/// routes and records what comes there, and a remote.
///
/// Two clients, so that sound goes one way only, through the daemon from one to the other, in one cycle: what is
/// recorded on a frame is what became of what was played on it.
struct Rig {
  let server: ProbeServer
  let daemon: EiderProcess
  let remote: Remote
  let player: ProbeClient
  let desk: ProbeClient

  /// Starts all. Sessions take what they play from ports `player:SESSION_1`, `player:SESSION_2`; a route is recorded
  /// where the preset says that it has a port `desk:…`.
  ///
  /// - Parameters:
  ///   - sources: the names of the player's ports.
  ///   - hardware: the names of the desk's ports.
  init(
    on server: ProbeServer, preset: String, sources: [String], hardware: [String] = ["left", "right"]
  ) throws {
    self.server = server
    desk = try ProbeClient("desk", on: server, inputs: hardware)
    player = try ProbeClient("player", on: server, outputs: sources)
    daemon = try EiderProcess(["run", "--jack-server", server.name, "--port", "0"], preset: preset)
    remote = try Remote(port: try daemon.readyPort())
    try waitForWires()
  }

  /// Starts all on a server of its own, does something with it and ends it.
  static func run(
    _ options: ProbeServer.Options = ProbeServer.Options(), preset: String, sources: [String],
    hardware: [String] = ["left", "right"], isolation: isolated (any Actor)? = #isolation,
    _ body: (Rig) async throws -> Void
  ) async throws {
    try await withProbeServer(options) { server in
      let rig = try Rig(on: server, preset: preset, sources: sources, hardware: hardware)
      defer { rig.close() }
      try await body(rig)
    }
  }

  func close() {
    // In good order: a synchronous server waits long for a client that has vanished.
    daemon.terminate()
    _ = try? daemon.exitCode()
    player.close()
    desk.close()
  }

  /// Waits until all that the player plays goes somewhere.
  private func waitForWires() throws {
    let sources = player.ports.filter { $0.hasPrefix("player:") }
    guard eventually(within: 30, { sources.allSatisfy { !player.connections(of: $0).isEmpty } }) else {
      throw ProbeError("not wired: \(sources.filter { player.connections(of: $0).isEmpty }); \(daemon.complaints)")
    }
  }

  var rate: Int { server.rate }

  /// Frames of a number of milliseconds.
  func frames(_ milliseconds: Double) -> Int { Int((milliseconds * Double(rate) / 1000).rounded()) }

  /// Waits until a frame has been recorded.
  func wait(until frame: Int) throws {
    guard eventually(within: 60, { desk.heard > frame }) else { throw ProbeError("the server runs no cycles") }
  }

  /// A frame to come that leaves time to prepare what is to happen then.
  var soon: Int { desk.frame + frames(150) + 4 * desk.period }

  /// Plays sessions and waits until they are faded in.
  func play(_ sessions: String...) throws {
    for session in sessions { try remote.set(Message("/session/\(session)/playing", true)) }
    try settle(milliseconds: 250)
  }

  /// Waits until a fade that has begun by now is over.
  func settle(milliseconds: Double) throws { try wait(until: desk.heard + frames(milliseconds) + 2 * desk.period) }

  // MARK: Timed bundles

  /// Sends bundles, each for its frame, as one packet: all their time tags are converted to frames alike. Within `take`
  /// only.
  func send(_ timeline: [(frame: Int, messages: [Message])]) throws {
    guard let first = timeline.first else { return }
    let origin = timeTag(of: first.frame)
    let bundles = timeline.map { entry -> OSCPacket in
      let distance = UInt64((Double(entry.frame - first.frame) / Double(rate) * 4_294_967_296).rounded())
      return .bundle(OSCTimeTag(rawValue: origin.rawValue + distance), entry.messages.map { .message($0) })
    }
    try whileTimeHolds(first.frame) { try remote.send(.bundle(.immediate, bundles)) }
  }

  /// Sends something with time tags that were made now, and waits until the daemon has made frames of them. Within `take`
  /// only, which is done anew if a frame has got another time meanwhile.
  func whileTimeHolds(_ frame: Int, _ send: () throws -> Void) throws {
    let before = timeTag(of: frame)
    try send()
    _ = try remote.exchange([])
    let seconds = timeTag(of: frame).seconds(after: before)
    // Recordings leave much more room than this for what comes a little earlier or later as a whole.
    if abs(seconds) > 0.01 { throw Again(frames: Int(abs(seconds) * Double(rate))) }
  }

  /// Has `take` begin anew if a frame is over by now: what was to happen before may have come too late to be heard to its
  /// end.
  func expectToCome(_ frame: Int) throws {
    if desk.heard > frame { throw Again(frames: 0) }
  }

  /// A server that stands still for a while has its frames later from then on: what was sent for a frame is for another
  /// one, so many frames away. A client sees it on the server's clock, whatever the daemon does.
  private struct Again: Error {
    let frames: Int
  }

  /// The time of a frame as OSC has it.
  func timeTag(of frame: Int) -> OSCTimeTag {
    let unix = desk.unixNanoseconds(of: frame)
    guard let tag = OSCTimeTag(secondsSince1970: unix / 1_000_000_000, nanoseconds: unix % 1_000_000_000) else {
      preconditionFailure("the machine's clock is out of range")
    }
    return tag
  }

  // MARK: Recording

  /// Plays on the player and records on the desk, from one frame on. Done anew, with all that is asked for, if the
  /// server lost cycles or its frames got other times meanwhile, or the daemon says that it was too late for a change.
  ///
  /// - Parameters:
  ///   - play: By port of the player.
  ///   - repeats: Whether each begins again when it is at its end.
  ///   - prepare: What is to be so before.
  ///   - events: Is called with the first frame before it comes.
  func take(
    frames: Int, play: [[Float]], repeats: Bool = false, prepare: () throws -> Void = {},
    _ events: (Int) throws -> Void = { _ in }
  ) throws -> ProbeRecording {
    var faults = 0
    for _ in 0..<16 {
      try prepare()
      let before = try lateness
      let missedBefore = try misses
      let start = soon
      let sound = player.start(play: play, repeats: repeats, at: start)
      defer { player.stop(sound) }
      let recorder = desk.start(record: frames, at: start)
      defer { desk.stop(recorder) }
      let watch = WakeWatch()
      do {
        try events(start)
      } catch let error as Again {
        // What was sent is over before the next try.
        try wait(until: start + frames + error.frames)
        continue
      }
      let recording = try recorder.recording()
      guard recording.gaps.isEmpty, try misses == missedBefore else { continue }
      guard try lateness != before else { return recording }
      // Once or twice it may be another that was woken in time. The daemon has more than this for a change.
      if watch.latest < .milliseconds(10) { faults += 1 }
      guard faults < 4 else {
        throw ProbeError("the daemon was late for its changes, though the server and the machine were not")
      }
    }
    throw ProbeError("the machine is too busy: sixteen times the server lost cycles, or the daemon was late")
  }

  /// Records something of one's own. Done anew where PipeWire, which waits for nobody, went on meanwhile without the
  /// daemon or a program of the test: what is heard then is nobody's fault, silence or the sound of the cycle before.
  ///
  /// - Parameter attempt: Brings about what is recorded, each time anew. Nil if it was broken by itself.
  func unbroken<Result>(_ attempt: () throws -> Result?) throws -> Result {
    for _ in 0..<16 {
      let before = try misses
      if let result = try attempt(), try misses == before { return result }
    }
    throw ProbeError("the machine is too busy: sixteen times the server went on without somebody")
  }

  /// Cycles for which the server did not wait for the daemon, the player or the desk. Empty where it waits.
  private var misses: [Argument] {
    get throws {
      guard ServerKind.current == .pipeWire else { return [] }
      // Its audio thread has gone on since, and counted.
      _ = try remote.exchange([])
      return try remote.get("/eider/xruns") + [player, desk].map { .int(Int32($0.misses)) }
    }
  }

  /// Lets the player play half of full scale on its first port and the opposite on its second, without end, and records what
  /// comes of it while something happens: at most so many milliseconds.
  func recordEndlessSound(milliseconds: Double = 20_000, _ body: (ProbeJob) throws -> Void) throws {
    let sound = player.start(play: [[0.5], [-0.5]], repeats: true)
    defer { player.stop(sound) }
    let recorder = desk.start(record: frames(milliseconds))
    defer { desk.stop(recorder) }
    try body(recorder)
  }

  /// What the daemon itself says it has been too late for.
  private var lateness: [Argument] {
    get throws { try remote.get("/eider/lateChanges") }
  }
}

/// A preset with one route, `speaker`, on the desk, and sessions that take their sources from the player.
///
/// - Parameters:
///   - sessions: By name, how many channels and what else it has, as JSON5.
///   - fields: More fields of the preset.
func preset(_ sessions: [(name: String, channels: Int, attributes: String)], _ fields: String = "") -> String {
  let lines = sessions.map { session in
    let name = session.name
    return """
      { name: "\(name)", channels: \(session.channels), sources: ["player:\(name)_.*"], \(session.attributes) },
      """
  }
  return """
    {
      eider: 1,
      routes: [{ name: "speaker", kind: "speaker", ports: ["desk:left", "desk:right"] }],
      sessions: [\(lines.joined(separator: "\n"))],
      \(fields)
    }
    """
}
