import AddressSpace
import EiderProbe
import Foundation
import JACKProbe
import OSCTransport

/// A daemon on a private server that plays music, and has sessions with faders for others to move meanwhile.
public final class StormRig {
  /// How the rig is set up.
  public struct Options: Sendable {
    /// How many sessions there are beside the music.
    public var faders = 16
    /// Whether cycles wait for all clients (`ProbeServer.Options`).
    public var isSynchronous = true
    /// Frames per cycle.
    public var period = 256
    /// Whether the machine has nothing else to do: a late cycle of the daemon is excused by nothing but a machine that stands
    /// still.
    public var isAlone = false
    /// The daemon; that which was built beside this program by default.
    public var program = builtProgram("eider")

    public init() {}
  }

  public let server: ProbeServer
  public let daemon: EiderProcess
  /// The OSC port.
  public let port: UInt16
  /// The names of the sessions beside the music.
  public let faders: [String]
  let isAlone: Bool
  private let stallWatch = StallWatch()
  private let xrunWatch: XrunWatch
  let player: ProbeClient
  let desk: ProbeClient
  /// By TCP, so that what the kernel drops are datagrams of the storm alone.
  private let asker: OSCClient
  /// How many messages the rig itself has sent.
  private var askedCount = 0

  /// Starts all but the server, and waits until the music is wired and plays.
  public init(on server: ProbeServer, _ options: Options = Options()) throws {
    self.server = server
    isAlone = options.isAlone
    xrunWatch = try XrunWatch(server)
    faders = (0..<options.faders).map { "fader\($0)" }
    desk = try ProbeClient("desk", on: server, inputs: ["left"])
    player = try ProbeClient("player", on: server, outputs: ["music_1"])
    daemon = try EiderProcess(
      ["run", "--jack-server", server.name, "--port", "0"], preset: Self.preset(faders), program: options.program)
    port = try daemon.readyPort()
    asker = try OSCClient(host: "127.0.0.1", port: port, protocol: .tcp)
    guard eventually(within: 60, { !player.connections(of: "player:music_1").isEmpty }) else {
      throw ProbeError("the music is not wired: \(daemon.complaints)")
    }
    try ask("/session/music/playing", .bool(true))
    let start = desk.heard
    guard eventually(within: 60, { desk.heard > start + server.rate / 2 }) else {
      throw ProbeError("the server runs no cycles")
    }
  }

  /// The preset of the rig.
  public static func preset(_ faders: [String]) -> String {
    """
    {
      eider: 1,
      routes: [{ name: "speaker", kind: "speaker", ports: ["desk:left"] }],
      sessions: [
        { name: "music", category: "ambient", channels: 1, sources: ["player:music_1"] },
        \(faders.map { "{ name: \"\($0)\", category: \"ambient\", channels: 1 }," }.joined(separator: "\n"))
      ],
      scenes: [
        { name: "day", set: { "/session/music/title": "Day", "/host/ringer": 1 } },
        { name: "night", set: { "/session/music/title": "Night", "/host/ringer": 0.2 } },
      ],
    }
    """
  }

  /// Ends all in good order.
  public func close() {
    stallWatch.stop()
    xrunWatch.stop()
    daemon.terminate()
    _ = try? daemon.exitCode()
    player.close()
    desk.close()
  }

  // MARK: Questions

  /// Sends a message and waits until it is in force.
  ///
  /// - Returns: what came back.
  @discardableResult
  public func ask(_ address: String, _ arguments: Argument..., within seconds: Double = 60) throws -> [Message] {
    try ask(address, arguments, within: seconds)
  }

  /// Sends a message and waits until it is in force.
  func ask(_ address: String, _ arguments: [Argument], within seconds: Double = 60) throws -> [Message] {
    askedCount += 2
    let exchange = try asker.exchange([Message(address, arguments)], timeout: .seconds(seconds))
    guard exchange.isComplete else {
      throw ProbeError("\(address) is not answered within \(seconds) s; it has said \(daemon.complaints)")
    }
    return exchange.answers
  }

  /// A figure of the daemon.
  func figure(_ figure: DaemonFigure) throws -> Int {
    let address = "/eider/\(figure.rawValue)"
    guard case .int(let value)? = try ask(address).first(where: { $0.address == address })?.arguments.first else {
      throw ProbeError("\(address) does not read as a number")
    }
    return Int(value)
  }

  /// How many milliseconds a ping takes.
  public func ping(within seconds: Double = 60) throws -> Double {
    let start = Clock.seconds
    askedCount += 1
    try asker.send(Message("/eider/ping"), timeout: .seconds(seconds))
    while let packet = try asker.receive(timeout: .seconds(start + seconds - Clock.seconds)) {
      if packet == .message(Message("/eider/pong")) { return (Clock.seconds - start) * 1000 }
    }
    throw ProbeError("no answer to a ping within \(seconds) s")
  }

  /// Waits until the daemon has read all that the kernel keeps for it.
  func settle(within seconds: Double = 120) throws {
    guard try eventually(within: seconds, { try DatagramPort.figures(of: port).waiting == 0 }) else {
      throw ProbeError("datagrams wait for the daemon even after \(seconds) s")
    }
  }

  /// What is counted of the daemon, at one moment.
  public struct Count {
    public let received: Int
    public let refused: Int
    public let malformed: Int
    public let dropped: Int
    public let kernelDrops: Int
    public let ownXruns: Int
    /// Those of `ownXruns` while which the machine stood still.
    public let excusedXruns: Int
    public let xruns: Int
    public let stalls: Int
    public let figures: ProcessFigures
    /// How many messages the rig itself had sent when `received` was counted.
    let asked: Int
  }

  /// Counts all now.
  public func count() throws -> Count {
    // The question itself has been received when it is answered, its /sync not yet.
    let asked = askedCount + 1
    let received = try figure(.oscReceived)
    let (own, stalls) = (xrunWatch.all, stallWatch.all)
    return Count(
      received: received, refused: try figure(.oscRefused), malformed: try figure(.oscMalformed),
      dropped: try figure(.oscDropped), kernelDrops: try DatagramPort.figures(of: port).drops, ownXruns: own.count,
      excusedXruns: LateCycles.excused(own, by: stalls, cycle: Double(desk.period) / Double(server.rate)),
      xruns: try figure(.xruns), stalls: stalls.count,
      figures: try ProcessFigures(of: daemon.id), asked: asked)
  }

  // MARK: Music

  /// Plays noise while something happens, and compares what comes out with it bit by bit.
  ///
  /// - Returns: what came of it, how many samples were compared and how many of them differ.
  public func withMusic<Result>(_ body: () throws -> Result) throws -> (result: Result, compared: Int, wrong: Int) {
    let noise = Self.noise(server.rate)
    // Frames that were recorded in one piece, with those beside a gap left out: there the server cut the music itself.
    let start = desk.frame + server.rate / 5
    let sound = player.start(play: [noise], repeats: true, at: start)
    defer { player.stop(sound) }
    let judge = MusicJudge(noise: noise, start: start, margin: 4 * desk.period, desk: desk)
    let result = try judge.listen(body)
    return (result, judge.compared, judge.wrong)
  }

  private static func noise(_ count: Int) -> [Float] {
    var random = StormRandom(seed: 1)
    return (0..<count).map { _ in Float(random.next() >> 40) / Float(1 << 24) - 0.5 }
  }
}

/// Numbers that are the same for the same seed (SplitMix64).
public struct StormRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
