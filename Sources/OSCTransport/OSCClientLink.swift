import Glibc

/// Why a link to a server failed.
enum OSCLinkError: Error {
  /// Neither connected nor ready to send in time: after so many seconds.
  case timedOut(seconds: Double)
  case hungUp
  case system(SystemError)
}

/// One connected socket of a client, UDP or TCP (in SLIP frames).
final class OSCClientLink {
  private let descriptor: Descriptor
  private let way: OSCProtocol
  private var buffer = [UInt8](repeating: 0, count: OSCLimits.packetSize)
  private var deframer = StreamDeframer(framing: .slip, packetLimit: OSCLimits.answerSize)
  /// Packets that came in with others.
  private var waiting: [OSCPacket] = []

  private static let receiveBufferSize: Int32 = 8 << 20

  init(
    to host: HostAddress, port: UInt16, way: OSCProtocol, until deadline: ContinuousClock.Instant
  ) throws(OSCLinkError) {
    self.way = way
    let begun = ContinuousClock.now
    do throws(SystemError) {
      descriptor = try SocketCalls.open(host.family, way)
      SocketCalls.enlargeReceiveBuffer(descriptor, to: Self.receiveBufferSize)
      if try SocketCalls.connect(descriptor, to: host, port: port) { return }
      while try !SocketCalls.wait(for: descriptor, writing: true, milliseconds: deadline.millisecondsLeft) {
        if ContinuousClock.now >= deadline { break }
      }
    } catch {
      throw .system(error)
    }
    guard ContinuousClock.now < deadline else { throw .timedOut(seconds: (ContinuousClock.now - begun) / .seconds(1)) }
    let failure = SocketCalls.pendingError(descriptor)
    guard failure == 0 else { throw .system(SystemError(call: "connect", code: failure)) }
  }

  /// Sends a packet whole.
  func send(_ packet: [UInt8], until deadline: ContinuousClock.Instant) throws(OSCLinkError) {
    var bytes: [UInt8] = []
    if way == .tcp { StreamFraming.slip.append(packet.span, to: &bytes) } else { bytes = packet }
    var sent = 0
    let begun = ContinuousClock.now
    while sent < bytes.count {
      switch SocketCalls.send(bytes.span.extracting(sent...), on: descriptor) {
      case .bytes(let count): sent += count
      case .ended: throw .hungUp
      case .failed(EPIPE), .failed(ECONNRESET): throw .hungUp
      case .failed(let code): throw .system(SystemError(call: "send", code: code))
      case .wouldBlock:
        guard try wait(writing: true, until: deadline) else {
          throw .timedOut(seconds: (ContinuousClock.now - begun) / .seconds(1))
        }
      }
    }
  }

  /// The next packet; nil if none comes in time. Bytes that are no packet are passed over.
  func receive(until deadline: ContinuousClock.Instant) throws(OSCLinkError) -> OSCPacket? {
    while waiting.isEmpty {
      switch SocketCalls.receive(into: &buffer, from: descriptor) {
      case .bytes(let count): take(count)
      case .ended where way == .tcp: throw .hungUp
      case .ended: continue
      case .failed(ECONNRESET): throw .hungUp
      case .failed(let code): throw .system(SystemError(call: "recv", code: code))
      case .wouldBlock: guard try wait(writing: false, until: deadline) else { return nil }
      }
    }
    return waiting.removeFirst()
  }

  private func take(_ count: Int) {
    let bytes = buffer
    guard way == .tcp else {
      if let packet = try? OSCPacket(decoding: bytes.span.extracting(..<count)) { waiting.append(packet) }
      return
    }
    var packets: [OSCPacket] = []
    deframer.consume(bytes.span.extracting(..<count)) { frame, _ in
      if let frame, let packet = try? OSCPacket(decoding: frame, sizeLimit: OSCLimits.answerSize) {
        packets.append(packet)
      }
    }
    waiting = packets
  }

  private func wait(writing: Bool, until deadline: ContinuousClock.Instant) throws(OSCLinkError) -> Bool {
    let left = deadline.millisecondsLeft
    guard left > 0 else { return false }
    do {
      // Interrupted or too early: the next try finds nothing and waits again.
      return try SocketCalls.wait(for: descriptor, writing: writing, milliseconds: left)
        || ContinuousClock.now < deadline
    } catch {
      throw .system(error)
    }
  }
}

extension ContinuousClock.Instant {
  /// Milliseconds until this instant, rounded up; 0 if it has passed.
  fileprivate var millisecondsLeft: Int32 {
    Int32(min(max((self - ContinuousClock.now) / .milliseconds(1), 0), 1e9).rounded(.up))
  }
}
