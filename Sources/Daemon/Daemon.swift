import AddressSpace
import Conductor
import Foundation
import JACKTransport
import MixCore
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
  private let signals = Signals()
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
  private var errors = ErrorRateLimit()
  private var refusedMessages = 0
  private var hasToEnd = false
  private var priority = ControlPriority()
  private var gathering = Gathering()
  private let start = Wake.seconds
  /// How many answers may wait while packets are read.
  private static let mostUnsaid = 4096

  /// Opens everything that it needs; `run` starts it.
  public init(_ configuration: DaemonConfiguration) throws(DaemonError) {
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
    priority.note(waitFrom: now.seconds, to: seconds, audio: audio.priorityToSpare)
    if ready.contains(signals.descriptor) { heed(signals.take()) }
    if let watch, ready.contains(watch.descriptor) { watch.note(at: seconds) }
    audio.follow(conductor, at: moment)
    watchAudio(at: moment.seconds)
    if ready.contains(osc.descriptor) { gathering.noteReading(at: seconds, packets: receive()) }
    conductor.advance(to: moment, lead: audio.lead)
    conductor.publish()
    followFiles(at: seconds)
    audio.side?.follow()
    deliver()
  }

  /// Waits for news. Messages are left to gather for a while. Returns the descriptors that can be read.
  private func wait(from start: Double, atMost patience: Double) -> Set<Int32> {
    let descriptors = [signals.descriptor, osc.descriptor] + [audio.descriptor, watch?.descriptor].compactMap { $0 }
    if gathering.isFlooded {
      // To be woken by the next message, and to sleep on until there are more, would be to wake up twice.
      Wake.sleep(seconds: min(patience, rest(at: start)))
      return Wake.wait(for: descriptors, seconds: 0).union([osc.descriptor])
    }
    let ready = Wake.wait(for: descriptors, seconds: patience)
    if ready.contains(osc.descriptor) { Wake.sleep(seconds: rest(at: seconds)) }
    return ready
  }

  /// How long messages are left to gather now, in seconds.
  private func rest(at seconds: Double) -> Double {
    gathering.rest(at: seconds, cycle: audio.cycle, timeToCycle: audio.timeToCycle)
  }

  private func heed(_ numbers: [Int32]) {
    for number in numbers {
      // Whoever has closed the terminal wants the end; whoever sends the signal, the preset read again.
      if number == SIGHUP, configuration.presetFile != nil, !Terminal.hasHungUp {
        readPresetFile()
      } else {
        hasToEnd = true
      }
    }
  }

  private var seconds: Double { Wake.seconds - start }

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
    let fade = 0.1
    let meters = audio.side?.mixer.meters
    let end = (meters?.frame ?? 0) + UInt64(fade * Double(audio.rate)) + UInt64(3 * audio.period)
    conductor.fadeOut(seconds: fade)
    // By the frames of the server, which may be slower than the clock; but not for a server that does not go on at all.
    let deadline = seconds + 3
    while let client = audio.side?.client, let meters, meters.frame < end, seconds < deadline, !client.isServerGone {
      _ = Wake.wait(for: [client.descriptor, osc.descriptor], seconds: 0.005)
      _ = client.drain()
      answer()
    }
    answer()
    log.info("ended")
  }

  // MARK: OSC

  /// Takes in what waits; what is read together has happened together.
  ///
  /// - Returns: how many packets that were.
  @discardableResult
  private func receive() -> Int {
    let moment = moment
    return osc.receive(limit: Gathering.limit) { presses, bytes, origin in
      take(presses, in: bytes, from: origin, at: moment)
    } _: {
      take($0, at: moment)
    }
  }

  /// Presses that are due are one event, as the packet is that they came in. What needs a closer look is left to others:
  /// what is to come, what may be forbidden, what is to be logged.
  private func take(
    _ presses: Span<Press>, in bytes: Span<UInt8>, from origin: PressOrigin, at moment: Moment
  ) -> Bool {
    guard !origin.isReadOnly, log.level != .debug,
      origin.timeTag.isImmediate || origin.timeTag.seconds(after: OSCTimeTag.now()) <= 0
    else { return false }
    conductor.perform(presses, in: bytes, from: reader(at: origin.client), at: moment)
    if conductor.outboxCount > Self.mostUnsaid { deliver() }
    return true
  }

  private func take(_ event: OSCServerEvent, at moment: Moment) {
    switch event {
    case .packet(let packet, let address, let isReadOnly):
      take(packet, from: reader(at: address), isReadOnly: isReadOnly, at: moment)
      // Whoever asks for everything over and over is answered before more is read, so that answers do not pile up.
      if conductor.outboxCount > Self.mostUnsaid { deliver() }
    case .hungUp(let address):
      if let reader = roster.hangUp(address) { conductor.forget(reader) }
    }
  }

  /// A packet is one event; the parts of a bundle that have a time to come are events of their own, at their time.
  private func take(_ packet: OSCPacket, from reader: ReaderID, isReadOnly: Bool, at moment: Moment) {
    guard case .bundle = packet else {
      packet.forEachMessage { message, _ in
        guard mayPass(message, from: reader, isReadOnly: isReadOnly) else { return }
        conductor.perform([message], from: reader, at: moment)
      }
      return
    }
    lazy var present = OSCTimeTag.now()
    var now: [Message] = []
    now.reserveCapacity(packet.messageCount)
    var later: [(tag: OSCTimeTag, messages: [Message])] = []
    packet.forEachMessage { message, tag in
      guard mayPass(message, from: reader, isReadOnly: isReadOnly) else { return }
      let distance = tag.isImmediate ? 0 : tag.seconds(after: present)
      if distance <= 0 {
        now.append(message)
      } else if distance > 3600 {
        refuse(message, .outOfRange, "a time tag is at most one hour ahead, got \(Int(distance)) s", from: reader)
      } else if later.last?.tag == tag {
        later[later.count - 1].messages.append(message)
      } else {
        later.append((tag, [message]))
      }
    }
    if !now.isEmpty { conductor.perform(now, from: reader, at: moment) }
    guard !later.isEmpty else { return }
    let (clock, seconds) = (clock, seconds)
    for (tag, messages) in later {
      let parts = tag.partsSince1970
      let nanoseconds = parts.seconds * 1_000_000_000 + Int64(Double(parts.fraction) / 4.294967296)
      conductor.schedule(
        messages, from: reader, atFrame: clock.frame(at: nanoseconds), seconds: seconds + tag.seconds(after: present))
    }
  }

  /// Whether a client may send a message: who may only read is refused what would set something.
  private func mayPass(_ message: Message, from reader: ReaderID, isReadOnly: Bool) -> Bool {
    log.debug("\(roster.address(of: reader).map(\.description) ?? "?"): \(message)")
    guard isReadOnly, !AddressTable.onlyReads(message) else { return true }
    refuse(message, .forbidden, "this address may read, but not set anything", from: reader)
    return false
  }

  func refuse(_ message: Message, _ code: Refusal.Code, _ text: String, from reader: ReaderID) {
    send(Refusal(code, text).message(for: message.address), to: reader)
  }

  private func deliver() {
    for outgoing in conductor.takeOutbox() {
      switch outgoing {
      case .answer(let message, let reader): send(message, to: reader)
      case .notice(let message, let readers):
        log.debug("notice \(message)")
        for reader in readers { send(message, to: reader) }
      case .time(let reader): send(time, to: reader)
      case .quit(let reader): quit(reader)
      case .boolsAsInts(let value, let reader): roster.setBooleans(value ? .int : .typed, for: reader)
      case .keepScene(let scene, let reader): keep(scene, for: reader)
      case .complaint(let text): log.warning(text)
      }
    }
  }

  private func quit(_ reader: ReaderID) {
    if roster.address(of: reader)?.isLoopback ?? false {
      hasToEnd = true
    } else {
      refuse(Message("/eider/quit"), .forbidden, "only a client on this machine may end the daemon", from: reader)
    }
  }

  private func send(_ message: Message, to reader: ReaderID) {
    guard let address = roster.address(of: reader) else {
      if message.address == "/error" { log.warning("\(message)") }
      return
    }
    if message.address == "/error" {
      refusedMessages += 1
      guard errors.allows(address.host, at: UInt64(Wake.seconds * 1e9)) else { return }
    }
    osc.send(message, to: address, booleans: roster.booleans(of: reader))
  }

  // MARK: Figures

  private func value(of figure: DaemonFigure) -> [Argument] {
    let counters = osc.counters
    let health = audio.health
    return switch figure {
    case .xruns: [.int(Int32(clamping: audio.xruns))]
    case .load: [.float(Float(audio.side?.client.load ?? 0))]
    case .period: [.int(Int32(clamping: audio.period))]
    case .rate: [.int(Int32(clamping: audio.rate))]
    case .jack: [.string(audio.isRunning && !service.serverStandsStill ? "running" : "lost")]
    case .uptime: [.float(Float(seconds.rounded(.down)))]
    case .oscReceived: [.int(Int32(clamping: counters.messages))]
    case .oscRefused: [.int(Int32(clamping: refusedMessages))]
    case .oscMalformed: [.int(Int32(clamping: counters.malformed))]
    case .oscDropped: [.int(Int32(clamping: counters.dropped + counters.refused + counters.droppedClients))]
    case .snapshots: [.int(Int32(clamping: audio.side?.mixer.planner.publishedSequence ?? 0))]
    case .lateCycles: [.int(Int32(clamping: health.lateCycles))]
    case .lostFrames: [.int(Int32(clamping: health.lostFrames))]
    case .lateChanges: [.int(Int32(clamping: health.lateChanges(on: audio.side)))]
    case .ownLoad: [.float(Float(health.load))]
    case .cycleTime:
      [
        .float(Float(health.cycleTime.half)), .float(Float(health.cycleTime.most)),
        .float(Float(health.cycleTime.longest)),
      ]
    case .pageFaults:
      [.int(Int32(clamping: health.thread.minorFaults)), .int(Int32(clamping: health.thread.majorFaults))]
    case .contextSwitches:
      [.int(Int32(clamping: health.thread.waits)), .int(Int32(clamping: health.thread.preemptions))]
    }
  }
}

extension OSCTransport.OSCAccess {
  /// What a preset says of who may reach the machine.
  init(_ access: Preset.OSCAccess) throws(OSCServerError) {
    func blocks(_ list: [IPBlock]) throws(OSCServerError) -> [CIDRBlock] {
      var blocks: [CIDRBlock] = []
      for block in list {
        do throws(CIDRError) { blocks.append(try CIDRBlock(block.description)) } catch {
          throw .badAddress(block.description)
        }
      }
      return blocks
    }
    self.init(allow: try blocks(access.allow), readOnly: try blocks(access.readOnly))
  }
}
