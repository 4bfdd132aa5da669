import AddressSpace
import Conductor
import JACKTransport
import OSCTransport
import Presets
import SessionPolicy

/// What clients say to the daemon, and what it answers.
extension Daemon {
  /// How many answers may wait while packets are read.
  private static let mostUnsaid = 4096

  /// Takes in what waits, and brings it into force: outside of floods the first at once, for mostly it is all there is.
  ///
  /// - Returns: how many packets that were.
  @discardableResult
  func receive() -> Int {
    let moment = moment
    var isFirst = !gathering.isFlooded
    func publishFirst() {
      if isFirst { conductor.publish() }
      isFirst = false
    }
    defer { conductor.publish() }
    return osc.receive(limit: Gathering.limit) { presses, bytes, origin in
      guard take(presses, in: bytes, from: origin, at: moment) else { return false }
      publishFirst()
      return true
    } _: {
      take($0, at: moment)
      publishFirst()
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

  func deliver() {
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
