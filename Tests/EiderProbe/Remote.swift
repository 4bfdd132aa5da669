import AddressSpace
import Foundation
import JACKProbe
import OSCTransport

/// A program that drives a daemon by OSC over UDP from one port of its own: messages, bundles for a time to come,
/// subscriptions.
public final class Remote {
  private let descriptor: Int32
  private let port: UInt16
  private var encoder = OSCEncoder()
  private var lastMark: Int32 = 0
  /// What came and was not asked for: notices and changed values, in their order.
  public private(set) var news: [Message] = []

  /// Talks to the daemon on a port of this machine, from the address 127.0.0.`host`.
  public init(port: UInt16, from host: UInt8 = 1) throws {
    self.port = port
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { throw ProbeError("no socket: errno \(errno)") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = (UInt32(0x7f00_0000) + UInt32(host)).bigEndian
    func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    guard call({ bind(descriptor, $0, $1) }) == 0 else {
      throw ProbeError("no address for host \(host): errno \(errno)")
    }
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    guard call({ connect(descriptor, $0, $1) }) == 0 else {
      throw ProbeError("no connection to port \(port): errno \(errno)")
    }
    var size: Int32 = 4 << 20
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(descriptor) }

  // MARK: Packets

  /// Sends a packet and waits for nothing.
  public func send(_ packet: OSCPacket) throws {
    encoder.encode(packet)
    let bytes = encoder.bytes
    guard Glibc.send(descriptor, bytes, bytes.count, 0) == bytes.count else {
      throw ProbeError("nothing can be sent to port \(port): errno \(errno)")
    }
  }

  /// Sends each message by itself and waits for nothing.
  public func send(_ messages: Message...) throws {
    for message in messages { try send(.message(message)) }
  }

  /// The next packet; nil if none comes in so many seconds.
  private func receive(within seconds: Double) throws -> OSCPacket? {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, Int32((max(0, seconds) * 1000).rounded(.up))) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw ProbeError("port \(port) does not answer: errno \(errno)") }
    return try OSCPacket(decoding: Array(bytes.prefix(count)))
  }

  // MARK: Questions and answers

  /// Sends packets, and gathers what comes back until all of them are in force in the audio thread.
  public func exchange(_ packets: [OSCPacket], within seconds: Double = 20) throws -> [Message] {
    lastMark += 1
    let end = Message("/synced", .int(lastMark))
    for packet in packets { try send(packet) }
    try send(Message("/sync", .int(lastMark)))
    var answers: [Message] = []
    let deadline = Date(timeIntervalSinceNow: seconds)
    while let packet = try receive(within: deadline.timeIntervalSinceNow) {
      var isDone = false
      packet.forEachMessage { message, _ in
        if message == end { isDone = true } else { answers.append(message) }
      }
      if isDone { return answers }
    }
    throw ProbeError("\(packets) is not in force after \(seconds) s; so far came \(answers)")
  }

  /// Sends messages one after the other, and waits until they are in force. Throws if one is refused.
  public func set(_ messages: Message...) throws {
    let answers = try exchange(messages.map { .message($0) })
    if let refusal = answers.first(where: { $0.address == "/error" }) {
      throw ProbeError("refused: \(refusal.arguments.map(\.description).joined(separator: " "))")
    }
    news += answers
  }

  /// The value of an address. Throws if it is refused.
  public func get(_ address: String) throws -> [Argument] {
    let answers = try exchange([.message(Message(address))])
    guard let answer = answers.last(where: { $0.address == address }) else {
      throw ProbeError("\(address) was not answered but by \(answers)")
    }
    return answer.arguments
  }

  /// Waits until an address reads so.
  public func eventually(_ address: String, _ arguments: Argument..., within seconds: Double = 30) throws {
    var last: [Argument] = []
    let isSo = try JACKProbe.eventually(within: seconds) {
      last = try get(address)
      return last == arguments
    }
    guard isSo else { throw ProbeError("\(address) reads \(last) and not \(arguments) after \(seconds) s") }
  }

  /// Takes out what came unasked so far, and all that comes in so many seconds more.
  public func takeNews(within seconds: Double = 0) throws -> [Message] {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while let packet = try receive(within: deadline.timeIntervalSinceNow) {
      packet.forEachMessage { message, _ in news.append(message) }
    }
    defer { news = [] }
    return news
  }
}
