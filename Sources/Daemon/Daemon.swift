import Conductor
import Glibc
import JACKTransport
import OSCTransport
import Presets
import SessionPolicy

/// Why the daemon cannot do its work.
public enum DaemonError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no JACK server, or it refused the client.
  case jack(JACKError)
  case server(ServerProcessError)
  case osc(OSCServerError)

  public var description: String {
    switch self {
    case .jack(let error): error.description
    case .server(let error): error.description
    case .osc(let error): error.description
    }
  }
}

/// Eider as it runs: JACK in, JACK out, OSC in between. One thread does everything but the mixing.
public final class Daemon {
  /// The version of this program.
  public static let version = "0.1.0"

  var configuration: DaemonConfiguration
  let log: Log
  private let signals: Signals
  let conductor: Conductor
  let osc: OSCServer
  let audio: AudioLink
  let scribe = Scribe()
  /// Tells when the preset file may have changed.
  let watch: FolderWatch?
  /// The preset file as it was read last.
  var presetText = ""
  let statePath: String?
  /// When the state is to be written, in seconds.
  var stateDue: Double?
  /// The memory as it was written last.
  var writtenMemory: Memory?
  var hasComplainedOfState = false
  var service = ServiceLink()
  var roster = ClientRoster()
  var errors = ErrorRateLimit()
  var refusedMessages = 0
  var hasToEnd = false
  private var priority = ControlPriority()
  var gathering = Gathering()
  private var vigil = Vigil()
  private let start = Wake.seconds

  /// Opens everything that it needs; `run` starts it.
  public init(_ configuration: DaemonConfiguration) throws(DaemonError) {
    RealtimeLimits.saveMemory()
    signals = Signals()
    self.configuration = configuration
    let log = Log(level: configuration.logLevel)
    self.log = log
    let audio = try AudioLink(configuration, log: log)
    self.audio = audio
    let preset = configuration.preset
    do throws(OSCServerError) {
      osc = try OSCServer(
        addresses: configuration.listenAddresses, port: configuration.listenPort, access: OSCAccess(preset.osc))
    } catch {
      audio.close()
      throw .osc(error)
    }
    watch = configuration.presetFile.flatMap { FolderWatch(of: $0) }
    statePath = StateFile.path(of: configuration.state, jackName: configuration.jackName)
    conductor = Conductor(preset: preset, version: Self.version) { audio.side?.portsExist(of: $0) ?? false }
    conductor.figures = { [unowned self] in value(of: $0) }
    conductor.clients = ClientDirectory { [unowned self] in
      roster.address(of: $0)?.protocol == .tcp
    } reader: { [unowned self] url, owner throws(Refusal) in
      try reader(atURL: url, for: owner)
    }
    conductor.presetReport = configuration.presetFile.map { [$0] } ?? []
    recollect()
  }

  // MARK: Running

  /// Runs until a signal or a client ends it, then fades out. The loss of the JACK server does not end it.
  public func run() throws(DaemonError) {
    do throws(JACKError) {
      try audio.start(conductor)
    } catch {
      audio.close()
      throw .jack(error)
    }
    let limits = RealtimeLimits.current()
    for advice in limits.advice { log.warning(advice) }
    if !limits.lockMemory() { log.debug("memory could not be locked") }
    log.info(readiness)
    service.manager.tellReady(status)
    // It may have changed since it was read.
    readPresetFile()
    while !hasToEnd { turn() }
    fadeOut()
    finishFiles()
    audio.close()
  }

  /// One turn of the control thread: waits for news and deals with all of it.
  private func turn() {
    let now = moment
    var patience = conductor.timeToNext(from: now, lead: audio.lead, rate: Double(audio.rate))
    for next in [audio.nextTime, service.nextLook, nextFileTime].compactMap(\.self) {
      patience = min(patience, max(0, next - now.seconds))
    }
    let ready = wait(from: now.seconds, atMost: patience)
    let waitEnd = seconds
    // What a server has told counts for whoever asks after it.
    let hasNews = audio.descriptor.map(ready.contains) ?? false
    if hasNews { audio.follow(conductor, at: moment) }
    // The next cycle may be about to begin: what people do comes before all that can wait.
    read(at: waitEnd, ready.contains(osc.descriptor))
    keepVigil()
    priority.note(waitFrom: now.seconds, to: waitEnd, audio: audio.priorityToSpare)
    if ready.contains(signals.descriptor) { heed(signals.take()) }
    if let watch, ready.contains(watch.descriptor) { watch.note(at: seconds) }
    if !hasNews { audio.follow(conductor, at: moment) }
    watchAudio(at: moment.seconds)
    conductor.advance(to: moment, lead: audio.lead)
    conductor.publish()
    followFiles(at: seconds)
    audio.side?.follow()
    deliver()
  }

  /// Waits for news. Messages are left to gather for a while. Returns the descriptors that can be read.
  private func wait(from start: Double, atMost patience: Double) -> [Int32] {
    let descriptors = [signals.descriptor, osc.descriptor] + [audio.descriptor, watch?.descriptor].compactMap { $0 }
    if gathering.isFlooded {
      // To be woken by the next message, and to sleep on until there are more, would be to wake up twice.
      Wake.sleep(seconds: min(patience, rest(at: start)))
      return Wake.wait(for: descriptors, seconds: 0) + [osc.descriptor]
    }
    let vigil = vigilSpan(at: start)
    let ready = Wake.wait(for: descriptors, seconds: min(patience, vigil?.start ?? patience))
    if ready.contains(osc.descriptor) { Wake.sleep(seconds: rest(at: seconds)) }
    return ready
  }

  /// Reads messages if there are any.
  private func read(at seconds: Double, _ isReady: Bool) {
    let packets = isReady ? receive() : 0
    if packets > 0 { vigil.noteMessage(at: seconds) }
    gathering.noteReading(at: seconds, packets: packets)
  }

  /// When to keep a vigil. A dense flood is read in portions only.
  private func vigilSpan(at seconds: Double) -> (start: Double, end: Double)? {
    guard !gathering.isDense else { return nil }
    return vigil.span(at: seconds, timeToCycle: audio.timeToCycle, cycle: audio.cycle)
  }

  /// Reads what comes in the last moments before a cycle, until the audio thread has begun it.
  private func keepVigil() {
    guard !gathering.isDense, let client = audio.side?.client else { return }
    let (now, cycle) = (seconds, client.cycleStart)
    guard let span = vigilSpan(at: now), span.start <= 0 else {
      return vigil.look(at: now, cycle: cycle)
    }
    var packets = 0
    while seconds < now + span.end, client.cycleStart == cycle, packets < Gathering.limit { packets += receive() }
    vigil.end(from: cycle, in: client.cycleStart)
    if packets > 0 { vigil.noteMessage(at: seconds) }
    gathering.noteFurther(at: seconds, packets: packets)
  }

  /// How long messages are left to gather now, in seconds.
  private func rest(at seconds: Double) -> Double {
    gathering.rest(
      at: seconds, cycle: audio.cycle, timeToCycle: audio.timeToCycle, lead: vigil.lead(cycle: audio.cycle))
  }

  private func heed(_ numbers: [Int32]) {
    for number in numbers {
      // Whoever has closed the terminal wants the end; whoever sends the signal, the preset read again.
      if number == SIGHUP, configuration.presetFile != nil, !Terminal.hasHungUp {
        reload()
      } else {
        hasToEnd = true
      }
    }
  }

  var seconds: Double { Wake.seconds - start }

  var moment: Moment { Moment(seconds: seconds, frame: audio.frame(at: seconds)) }

  /// How frames stand to Unix time.
  var clock: FrameClock { audio.clock(at: seconds) }

  private var readiness: String {
    let title = configuration.preset.title.map { "preset “\($0)”" } ?? "no preset"
    let addresses = configuration.listenAddresses
    return "ready: \(title); JACK client \(audio.side?.client.name ?? ""), \(audio.rate) Hz, \(audio.period) frames; "
      + "OSC on \(addresses.joined(separator: ", ")) port \(osc.port)"
  }

  /// Whoever waits to be told that all is in force is told, also if he asks while all falls silent.
  private func answer() {
    receive()
    conductor.advance(to: moment, lead: audio.lead)
    conductor.publish()
    conductor.advance(to: moment, lead: audio.lead)
    deliver()
  }

  /// Falls silent without a click.
  private func fadeOut() {
    service.manager.tellStopping()
    conductor.fadeOut(seconds: 0.1, rest: 3 * audio.period)
    // By the frames of the server, which may be slower than the clock; but not for a server that does not go on at all.
    let deadline = seconds + 3
    while let client = audio.side?.client, !conductor.isFadedOut, seconds < deadline, !client.isServerGone {
      _ = Wake.wait(for: [client.descriptor, osc.descriptor], seconds: 0.005)
      _ = client.drain()
      answer()
    }
    answer()
    log.info("ended")
  }
}
