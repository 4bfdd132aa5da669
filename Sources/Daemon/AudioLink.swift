import Conductor
import Foundation
import JACKTransport
import MixCore
import Presets
import ServiceManager
import SessionPolicy

/// The tie to a JACK server, which may go and come back: Eider, its sessions and its clients live on meanwhile. Control
/// thread only.
final class AudioLink {
  /// How long it waits before it looks for a lost server again, in seconds: first and at most.
  private static let delays = 0.1...2.0
  /// How long a dead client may take to close, before it is left to itself.
  private static let closing = Duration.milliseconds(500)
  /// How long it is waited for before another is opened, in seconds: a server that waits for a program that does not
  /// answer has let it go by then.
  private static let longestClosing = 120.0
  /// How long metadata may stand still in the way of closing it, in seconds.
  private static let metadataPatience = 1.0
  /// How long it insists on its former name, on which the wires of others depend, in seconds.
  private static let patience = 10.0

  private var configuration: DaemonConfiguration
  private let log: Log
  /// What plays while there is a server.
  private(set) var side: AudioSide?
  private var server: ServerProcess?
  /// How the audio thread fares.
  private(set) var health = Health()
  /// Late cycles on the servers that are gone.
  private var formerXruns = 0
  /// Where frames were when the last server went, for they go on.
  private var loss: Loss?
  /// The last client that could not be closed in time.
  private var former: JACKClient?
  /// How many were given up, for metadata stood still.
  private var abandonedClients = 0

  private struct Loss {
    let frame: UInt64
    let seconds: Double
    let rate: Int
    let period: Int
    let memory: AudioMemory
    var delay: Double
    var nextAttempt: Double
  }

  /// Opens a client on the server; starts a server where there is none, if that is wanted.
  init(_ configuration: DaemonConfiguration, log: Log) throws(DaemonError) {
    self.configuration = configuration
    self.log = log
    do throws(JACKError) {
      side = try AudioSide(configuration, log: log)
      noteName()
      return
    } catch {
      guard case .noServer = error, configuration.startsServer else { throw .jack(error) }
    }
    try startServer()
    do throws(JACKError) {
      side = try AudioSide(configuration, log: log)
    } catch {
      server?.end()
      throw .jack(error)
    }
  }

  private func noteName() {
    let wanted = JACKNames.cut(configuration.jackName, bytes: JACKNames.clientLimit)
    guard let name = side?.client.name, name != wanted else { return }
    log.warning("another JACK client is called “\(wanted)”: this one is “\(name)”; --jack-name chooses another name")
  }

  private func startServer() throws(DaemonError) {
    do throws(ServerProcessError) {
      server = try ServerProcess.start(wantedServer) { [log] line in log.debug("jackd: \(line)") }
    } catch {
      throw .server(error)
    }
  }

  /// How a server of Eider's own is started now.
  private var wantedServer: ServerProcess.Configuration {
    let driver = ServerProcess.Driver.automatic()
    log.info("no JACK server is running: starting jackd on \(driver.title)")
    return ServerProcess.Configuration(
      name: configuration.jackServer, driver: driver, isRealtime: RealtimeLimits.current().mayRunRealtime)
  }

  /// Starts a server that was Eider's own and has ended again; a server of others is left to them. Nobody waits for it
  /// here, for OSC goes on meanwhile: the search finds it.
  private func restartServer() {
    guard let server, !server.isRunning else { return }
    log.debug("jackd said last: \(server.lastLines.joined(separator: " / "))")
    do throws(SystemError) {
      self.server = try ServerProcess.launch(wantedServer) { [log] line in log.debug("jackd: \(line)") }
    } catch {
      log.warning("the JACK server could not be started again (\(error)): trying on")
    }
  }

  // MARK: Time

  /// Whether a server runs.
  var isRunning: Bool { side != nil }
  var rate: Int { side?.client.sampleRate ?? loss?.rate ?? 48_000 }
  var period: Int { side?.client.period ?? loss?.period ?? 0 }
  var xruns: Int { formerXruns + (side?.xruns ?? 0) }

  /// The present frame. Without a server frames go on as if it ran.
  func frame(at seconds: Double) -> UInt64 {
    if let side { return side.client.frame }
    guard let loss else { return 0 }
    return loss.frame + UInt64(max(0, seconds - loss.seconds) * Double(loss.rate))
  }

  /// How long a cycle of the server is, in seconds; 0 without one.
  var cycle: Double { Double(period) / Double(rate) }

  /// In how many seconds the audio thread begins the next cycle, below 0 where it is late; nil where nobody knows.
  var timeToCycle: Double? { side?.client.timeToCycle }

  /// How frames stand to Unix time.
  func clock(at seconds: Double) -> FrameClock {
    if let side { return side.client.clock }
    let now = Int64(Date().timeIntervalSince1970 * 1e9)
    return FrameClock(frame: frame(at: seconds), nanoseconds: now, rate: rate)
  }

  /// A timed event is performed two periods and the control thread's own delay ahead of its frame.
  var lead: Int { isRunning ? 2 * period + rate / 100 : 0 }

  /// The realtime priority of the audio thread, if there is time for others like it: nil where audio takes more than half
  /// of a processor, for the kernel stops all realtime threads together, audio too, when they take more than nearly all.
  var priorityToSpare: Int32? {
    guard let client = side?.client, client.load < 50 else { return nil }
    return client.realtimePriority
  }

  /// Can be read when there is news of the server.
  var descriptor: Int32? { side?.client.descriptor }

  /// When something is to be done next, in seconds.
  var nextTime: Double? {
    if let side { return side.nextDeadline }
    return loss?.nextAttempt
  }

  /// How far the audio thread is, nil while there is no server.
  var progress: AudioProgress? {
    side.map { side in
      AudioProgress(
        begun: side.client.cycleStart, finished: side.client.finishedCycle, server: side.client.serverCycle)
    }
  }

  // MARK: Life

  /// Starts to mix what a conductor wants.
  func start(_ conductor: Conductor) throws(JACKError) { try side?.start(conductor) }

  /// Another preset is in force. What is to be done about it is done with the audio side, if there is a server.
  func adopt(_ preset: Preset, _ body: (AudioSide) -> Void, orWithout other: () -> Void) {
    configuration.preset = preset
    guard let side else { return other() }
    side.adopt(preset)
    body(side)
  }

  /// Wires what the preset wants now, and tells of the routes that are there by it.
  func followPreset(_ conductor: Conductor, insteadOf old: Preset, at moment: Moment) {
    guard let side else { return }
    let events = side.rewire(conductor.policy, insteadOf: old, at: moment.seconds)
    if !events.isEmpty { conductor.perform(events, at: moment) }
  }

  /// Deals with what has happened on the server, with its loss, and with its return.
  func follow(_ conductor: Conductor, at moment: Moment) {
    guard let side else {
      search(conductor, at: moment.seconds)
      return
    }
    let events =
      side.takeNews(conductor.policy, at: moment.seconds) + side.takeDue(conductor.policy, at: moment.seconds)
    if side.client.isServerGone {
      log.warning("the JACK server has ended: looking for it until it is back")
      lose(side, conductor, at: moment, patience: Self.delays.lowerBound)
      return
    }
    if !events.isEmpty { conductor.perform(events, at: moment) }
    if side.isDeaf {
      log.warning("libjack has lost track of a program that came while Eider was opened: opening it again")
      side.remember()
      lose(side, conductor, at: moment, patience: 0)
      return
    }
    health.look(at: side, seconds: moment.seconds)
    side.completePorts(conductor)
    side.releaseWired(conductor)
  }

  private func lose(_ side: AudioSide, _ conductor: Conductor, at moment: Moment, patience: Double) {
    loss = Loss(
      frame: side.client.cycleStart + UInt64(side.client.period), seconds: moment.seconds,
      rate: side.client.sampleRate, period: side.client.period, memory: side.memory, delay: Self.delays.lowerBound,
      nextAttempt: moment.seconds + patience)
    formerXruns += side.xruns
    health.end(side)
    conductor.detach()
    self.side = nil
    side.removeLabels()
    guard !side.client.close(timeout: Self.closing) else { return }
    log.debug("the former JACK client does not close")
    former = side.client
  }

  private func search(_ conductor: Conductor, at seconds: Double) {
    guard var loss, loss.nextAttempt <= seconds else { return }
    if let former, former.isStillClosing, !abandon(former, loss, at: seconds),
      loss.seconds + Self.longestClosing > seconds
    {
      // To open another would wait as long, and with it all who send messages.
      self.loss?.nextAttempt = seconds + Self.delays.lowerBound
      return
    }
    former = nil
    do throws(JACKError) {
      let side = try AudioSide(
        configuration, log: log, remembering: loss.memory, numbersName: loss.seconds + Self.patience < seconds,
        firstFrame: frame(at: seconds), at: seconds)
      do throws(JACKError) {
        try side.start(conductor)
      } catch {
        conductor.detach()
        throw error
      }
      self.side = side
      self.loss = nil
      log.info("the JACK server is back: \(side.client.sampleRate) Hz, \(side.client.period) frames")
    } catch {
      if case .noServer = error { restartServer() }
      loss.delay = min(Self.delays.upperBound, loss.delay * 1.5)
      loss.nextAttempt = seconds + loss.delay
      self.loss = loss
      log.debug(error.description)
    }
  }

  /// Gives up a client that stands still over metadata, which may be for ever; true if it was so.
  private func abandon(_ former: JACKClient, _ loss: Loss, at seconds: Double) -> Bool {
    guard loss.seconds + Self.metadataPatience <= seconds, former.abandon() else { return false }
    abandonedClients += 1
    log.warning(
      "the former JACK client could not be closed, for JACK's metadata stand still: its memory is lost until Eider is "
        + "started anew (\(abandonedClients) times so far)")
    return true
  }

  /// Ends the client, and the server if it is Eider's own.
  func close() {
    side?.removeLabels()
    if let side, !side.client.close() {
      log.warning("the JACK server does not answer: its client was left to itself")
    }
    server?.end()
  }
}
