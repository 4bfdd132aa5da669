import AddressSpace
import Conductor
import Presets
import SessionPolicy
import Testing

/// A daemon without audio and without a wire, and the clients that talk to it, in virtual time.
final class Host {
  let conductor: Conductor
  /// Seconds since the start.
  private(set) var now = 0.0
  /// Clients that have a connection.
  var connected: Set<ReaderID> = []
  /// Clients that URLs lead to.
  var byURL: [String: ReaderID] = [:]
  /// What was sent to each client, and when.
  private var mail: [ReaderID: [(time: Double, message: Message)]] = [:]
  private(set) var others: [Outgoing] = []
  /// How often the loop has turned.
  private(set) var turns = 0

  static let rate = 48000.0

  init(_ preset: Preset = .scriptDefault) {
    conductor = Conductor(preset: preset, version: "1.2.3")
    conductor.clients = ClientDirectory { [unowned self] in
      connected.contains($0)
    } reader: { [unowned self] url, _ throws(Refusal) in
      guard let reader = byURL[url] else { throw Refusal(.badArguments, "\"\(url)\" is no OSC URL") }
      return reader
    }
    _ = conductor.takeOutbox()
  }

  private var moment: Moment { Moment(seconds: now, frame: UInt64(now * Self.rate)) }

  /// Sends messages as one event, by the way that the daemon lets them take.
  func send(_ messages: Message..., from client: ReaderID = .only) {
    let packet = PressPacket(messages)
    if packet.presses.count == messages.count {
      conductor.perform(packet.presses.span, in: packet.bytes.span, from: client, at: moment)
    } else {
      conductor.perform(messages, from: client, at: moment)
    }
    turn()
  }

  /// Sends messages that take effect in so many seconds.
  func schedule(_ messages: Message..., from client: ReaderID = .only, in seconds: Double) {
    conductor.schedule(
      messages, from: client, atFrame: UInt64((now + seconds) * Self.rate), seconds: now + seconds)
    turn()
  }

  /// Something happens to the machine.
  func happen(_ events: Event...) {
    conductor.perform(events, at: moment)
    turn()
  }

  /// Lets time go by, as the daemon does: it sleeps for as long as nothing is due.
  func wait(_ seconds: Double) {
    let end = now + seconds
    while now < end {
      now = min(end, now + max(1e-6, conductor.timeToNext(from: moment, lead: 0, rate: Self.rate)))
      turn()
    }
  }

  private func turn() {
    turns += 1
    conductor.advance(to: moment, lead: 1)
    conductor.publish()
    conductor.advance(to: moment, lead: 1)
    for outgoing in conductor.takeOutbox() {
      switch outgoing {
      case .answer(let message, let reader): mail[reader, default: []].append((now, message))
      case .notice(let message, let readers):
        for reader in readers { mail[reader, default: []].append((now, message)) }
      case .quit, .boolsAsInts, .time, .keepScene, .complaint: others.append(outgoing)
      }
    }
  }

  /// Takes what a client has been sent since it last looked, but for the signs of life.
  func mail(of client: ReaderID = .only) -> [Message] {
    timedMail(of: client).map(\.message).filter { $0.address != "/eider/alive" }
  }

  func timedMail(of client: ReaderID = .only) -> [(time: Double, message: Message)] {
    defer { mail[client] = nil }
    return mail[client] ?? []
  }

  /// Subscribes, and takes the first values and their end mark away.
  @discardableResult
  func subscribe(_ client: ReaderID, to pattern: String = "*", every milliseconds: Int32 = 50) -> [Message] {
    send(Message("/subscribe", .string(pattern), .int(milliseconds)), from: client)
    var values: [Message] = []
    while values.last?.address != "/subscribed", turns < 100_000 {
      values += mail(of: client)
      if values.last?.address == "/subscribed" || values.last?.address == "/error" { break }
      wait(0.001)
    }
    return values
  }
}

/// Messages as they lie in a packet, as far as they are presses.
struct PressPacket {
  private(set) var bytes: [UInt8] = []
  private(set) var presses: [Press] = []

  init(_ messages: [Message]) {
    for message in messages where message.arguments.count == 1 && message.address.utf8.allSatisfy({ $0 < 128 }) {
      guard let value = message.arguments[0].press else { continue }
      let start = bytes.count
      bytes += Array(message.address.utf8)
      presses.append(Press(address: start..<bytes.count, hash: AddressHash(message.address.utf8.span), value: value))
    }
  }
}

extension ReaderID {
  static let surface = ReaderID(number: 1)
  static let tablet = ReaderID(number: 2)
  static let phone = ReaderID(number: 3)
}

extension Message {
  /// The code of an error.
  var errorCode: String? {
    guard address == "/error", arguments.count == 3, case .string(let code) = arguments[1] else { return nil }
    return code
  }
}

extension [Message] {
  /// The messages of one address.
  func of(_ address: String) -> [Message] { filter { $0.address == address } }
}
