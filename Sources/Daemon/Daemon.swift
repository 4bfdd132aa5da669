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

  private let configuration: DaemonConfiguration
  private let log: Log
  private let signals = StopSignals()
  let conductor: Conductor
  let osc: OSCServer
  private(set) var audio: AudioSide
  private var server: ServerProcess?
  var roster = ClientRoster()
  private var errors = ErrorRateLimit()
  private var refusedMessages = 0
  private var hasToEnd = false
  private let start = Wake.seconds

  /// Opens everything that it needs; `run` starts it.
  public init(_ configuration: DaemonConfiguration) throws(DaemonError) {
    self.configuration = configuration
    let log = Log(level: configuration.logLevel)
    self.log = log
    (audio, server) = try Self.openAudio(configuration, log: log)
    let preset = configuration.preset
    do throws(OSCServerError) {
      osc = try OSCServer(
        addresses: configuration.listen ?? preset.osc.listen.map(\.description),
        port: configuration.port ?? UInt16(clamping: preset.osc.port), access: OSCAccess(preset.osc))
    } catch {
      audio.client.close()
      server?.end()
      throw .osc(error)
    }
    let audio = audio
    conductor = Conductor(preset: preset, version: Self.version) { audio.portsExist(of: $0) }
    conductor.figures = { [unowned self] in value(of: $0) }
    conductor.clients = ClientDirectory { [unowned self] in
      roster.address(of: $0)?.protocol == .tcp
    } reader: { [unowned self] url, owner throws(Refusal) in
      try reader(atURL: url, for: owner)
    }
  }

  private static func openAudio(
    _ configuration: DaemonConfiguration, log: Log
  ) throws(DaemonError) -> (AudioSide, ServerProcess?) {
    do throws(JACKError) {
      return (try AudioSide(configuration, log: log), nil)
    } catch {
      guard case .noServer = error, configuration.startsServer else { throw .jack(error) }
    }
    let driver = ServerProcess.Driver.automatic()
    log.info("no JACK server is running: starting jackd on \(driver.title)")
    let server: ServerProcess
    do throws(ServerProcessError) {
      let wanted = ServerProcess.Configuration(
        name: configuration.jackServer, driver: driver, isRealtime: RealtimeLimits.current().mayRunRealtime)
      server = try ServerProcess.start(wanted) { line in log.debug("jackd: \(line)") }
    } catch {
      throw .server(error)
    }
    do throws(JACKError) {
      return (try AudioSide(configuration, log: log), server)
    } catch {
      server.end()
      throw .jack(error)
    }
  }

  // MARK: Running

  /// Runs until a signal or a client ends it, then fades out.
  /// - Returns: whether it ended because it was asked to; else the JACK server is gone.
  public func run() throws(DaemonError) {
    do throws(JACKError) {
      try audio.start(conductor)
    } catch {
      end()
      throw .jack(error)
    }
    let limits = RealtimeLimits.current()
    for advice in limits.advice { log.warning(advice) }
    if !limits.lockMemory() { log.debug("memory could not be locked") }
    log.info(readiness)
    while !hasToEnd, !audio.client.isServerGone { turn() }
    if audio.client.isServerGone, !hasToEnd {
      log.error("the JACK server has ended")
    } else {
      fadeOut()
    }
    let wasLost = audio.client.isServerGone && !hasToEnd
    end()
    if wasLost { throw .jack(.serverGone) }
  }

  /// One turn of the control thread: waits for news and deals with all of it.
  private func turn() {
    let lead = self.lead
    let now = moment
    var patience = conductor.timeToNext(from: now, lead: lead, rate: Double(audio.client.sampleRate))
    if let deadline = audio.nextDeadline { patience = min(patience, max(0, deadline - now.seconds)) }
    let ready = Wake.wait(
      for: [signals.descriptor, osc.descriptor, audio.client.descriptor], seconds: patience)
    if ready.contains(signals.descriptor) { hasToEnd = true }
    followJACK()
    if ready.contains(osc.descriptor) { osc.receive { take($0) } }
    conductor.advance(to: moment, lead: lead)
    conductor.publish()
    audio.follow()
    deliver()
  }

  private func followJACK() {
    let now = moment
    let events = audio.takeNews(conductor.policy, at: now.seconds) + audio.expireFeeds(at: now.seconds)
    if !events.isEmpty { conductor.perform(events, at: now) }
  }

  private var moment: Moment { Moment(seconds: Wake.seconds - start, frame: audio.client.frame) }

  /// A timed event is performed two periods and the control thread's own delay ahead of its frame.
  private var lead: Int { 2 * audio.client.period + audio.client.sampleRate / 100 }

  private var readiness: String {
    let title = configuration.preset.title.map { "preset “\($0)”" } ?? "no preset"
    let client = audio.client
    let addresses = configuration.listen ?? configuration.preset.osc.listen.map(\.description)
    return "ready: \(title); JACK client \(client.name), \(client.sampleRate) Hz, \(client.period) frames; "
      + "OSC on \(addresses.joined(separator: ", ")) port \(osc.port)"
  }

  /// Falls silent without a click.
  private func fadeOut() {
    let fade = 0.1
    conductor.fadeOut(seconds: fade)
    let period = Double(audio.client.period) / Double(audio.client.sampleRate)
    let deadline = Wake.seconds + fade + 3 * period + 0.02
    while Wake.seconds < deadline, !audio.client.isServerGone {
      _ = Wake.wait(for: [audio.client.descriptor], seconds: deadline - Wake.seconds)
      _ = audio.client.drain()
    }
    // Whoever waits to be told that all is in force is told.
    conductor.advance(to: moment, lead: 0)
    deliver()
    log.info("ended")
  }

  private func end() {
    if !audio.client.close() { log.warning("the JACK server does not answer: its client was left to itself") }
    server?.end()
  }

  // MARK: OSC

  private func take(_ event: OSCServerEvent) {
    switch event {
    case .packet(let packet, let address, let isReadOnly):
      take(packet, from: reader(at: address), isReadOnly: isReadOnly)
    case .hungUp(let address):
      if let reader = roster.hangUp(address) { conductor.forget(reader) }
    }
  }

  /// A packet is one event; the parts of a bundle that have a time to come are events of their own, at their time.
  private func take(_ packet: OSCPacket, from reader: ReaderID, isReadOnly: Bool) {
    guard case .bundle = packet else {
      packet.forEachMessage { message, _ in
        guard mayPass(message, from: reader, isReadOnly: isReadOnly) else { return }
        conductor.perform([message], from: reader, at: moment)
      }
      return
    }
    let present = OSCTimeTag.now()
    var now: [Message] = []
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
    let clock = audio.client.clock
    for (tag, messages) in later {
      let parts = tag.partsSince1970
      let nanoseconds = parts.seconds * 1_000_000_000 + Int64(Double(parts.fraction) / 4.294967296)
      let seconds = moment.seconds + tag.seconds(after: present)
      conductor.schedule(messages, from: reader, atFrame: clock.frame(at: nanoseconds), seconds: seconds)
    }
  }

  /// Whether a client may send a message: who may only read is refused what would set something.
  private func mayPass(_ message: Message, from reader: ReaderID, isReadOnly: Bool) -> Bool {
    log.debug("\(roster.address(of: reader).map(\.description) ?? "?"): \(message)")
    guard isReadOnly, !AddressTable.onlyReads(message) else { return true }
    refuse(message, .forbidden, "this address may read, but not set anything", from: reader)
    return false
  }

  private func refuse(_ message: Message, _ code: Refusal.Code, _ text: String, from reader: ReaderID) {
    send(Message("/error", .string(message.address), .string(code.rawValue), .string(text)), to: reader)
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
    return switch figure {
    case .xruns: [.int(Int32(clamping: audio.xruns))]
    case .load: [.float(Float(audio.client.load))]
    case .period: [.int(Int32(clamping: audio.client.period))]
    case .rate: [.int(Int32(clamping: audio.client.sampleRate))]
    case .jack: [.string(audio.client.isServerGone ? "lost" : "running")]
    case .uptime: [.float(Float((Wake.seconds - start).rounded(.down)))]
    case .oscReceived: [.int(Int32(clamping: counters.messages))]
    case .oscRefused: [.int(Int32(clamping: refusedMessages))]
    case .oscMalformed: [.int(Int32(clamping: counters.malformed))]
    case .oscDropped: [.int(Int32(clamping: counters.dropped + counters.refused))]
    case .snapshots: [.int(Int32(clamping: audio.mixer.planner.publishedSequence))]
    }
  }
}

extension OSCTransport.OSCAccess {
  /// What a preset says of who may reach the machine.
  fileprivate init(_ access: Preset.OSCAccess) throws(OSCServerError) {
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
