import CJack
import Synchronization

/// What libjack's notification thread writes to: names are read here, at once, for a port may be gone when the control
/// thread looks. Nothing else happens in the callbacks: no call that needs the server's answer, no decision.
final class NotificationListener: Sendable {
  let queue: NotificationQueue
  /// The client, which outlives its callbacks; libjack's functions that read it may be called on any thread.
  private nonisolated(unsafe) let client: Libjack.Client
  /// The names of ports by their handles: the server forgets a name before it tells that the port is gone.
  private let names = Mutex<[UInt: String]>([:])
  /// What the latency callback answers from. Held only for reading and writing it and the server's memory.
  private let book = Mutex(LatencyBook())
  /// The directions (raw values) in which the server has asked for latencies, as far as the callback may not answer.
  private let unanswered = Mutex<Set<UInt32>>([])

  init(client: Libjack.Client, queue: NotificationQueue) {
    self.client = client
    self.queue = queue
  }

  /// Has every callback of `client` come here. The listener must live until the client is closed.
  func install() {
    let listener = Unmanaged.passUnretained(self).toOpaque()
    jack_set_port_registration_callback(client, portRegistration, listener)
    jack_set_port_rename_callback(client, portRename, listener)
    jack_set_port_connect_callback(client, portConnect, listener)
    jack_set_client_registration_callback(client, clientRegistration, listener)
    jack_set_property_change_callback(client, propertyChange, listener)
    jack_set_graph_order_callback(client, graphOrder, listener)
    jack_set_xrun_callback(client, xrun, listener)
    jack_set_buffer_size_callback(client, bufferSize, listener)
    jack_set_sample_rate_callback(client, sampleRate, listener)
    jack_set_freewheel_callback(client, freewheel, listener)
    jack_set_latency_callback(client, latency, listener)
    jack_on_info_shutdown(client, shutdown, listener)
    // PipeWire up to 0.3.65 calls this one only.
    jack_on_shutdown(client, shutdownWithoutReason, listener)
  }

  /// Remembers the names of ports that were there before the first notification.
  func learn(_ ports: [String]) {
    for name in ports {
      guard let port = Libjack.port(client, name: name) else { continue }
      names.withLock { $0[UInt(bitPattern: port), default: name] = name }
    }
  }

  // MARK: Latency

  func setPaths(_ paths: [LatencyPath]) {
    func handles(_ ports: [OwnPort]) -> [UInt] { ports.map { UInt(bitPattern: $0.handle) } }
    let plain = paths.map {
      LatencyBook.Path(
        sources: handles($0.sources), destinations: handles($0.destinations), frames: UInt32(clamping: $0.frames))
    }
    book.withLock { $0.set(plain) }
  }

  /// A port of one's own goes.
  func forget(_ port: OwnPort) { book.withLock { $0.forget(UInt(bitPattern: port.handle)) } }

  /// Answers the server, or notes that it has asked: within an answer on this thread PipeWire's libjack tells the next
  /// piece of news, with locks that it holds already, and stands still for ever.
  fileprivate func answerLatency(_ mode: jack_latency_callback_mode_t) {
    guard Libjack.isPipeWire else { return setLatencies(mode) }
    let isFirst = unanswered.withLock { unanswered in
      defer { unanswered.insert(mode.rawValue) }
      return unanswered.isEmpty
    }
    if isFirst { queue.announce() }
  }

  /// Answers what could not be answered in the callback. Control thread only.
  func answerLatencies() {
    let modes = unanswered.withLock { unanswered in
      defer { unanswered = [] }
      return unanswered
    }
    for mode in modes { setLatencies(jack_latency_callback_mode_t(rawValue: mode)) }
  }

  private func setLatencies(_ mode: jack_latency_callback_mode_t) {
    let isCapture = mode == JackCaptureLatency
    book.withLock { book in
      let latencies = book.latencies(isCapture: isCapture) { handle in
        OpaquePointer(bitPattern: handle).map { Libjack.latency(of: $0, mode) } ?? 0...0
      }
      for handle in book.ports {
        guard let port = OpaquePointer(bitPattern: handle), Libjack.flags(of: port).isInput != isCapture else {
          continue
        }
        Libjack.setLatency(of: port, mode, latencies[handle] ?? 0...0)
      }
    }
  }

  fileprivate func post(_ notification: JACKNotification) { queue.post(notification, time: Libjack.microseconds) }

  fileprivate func portChanged(id: UInt32, isThere: Bool) {
    guard let port = Libjack.port(client, id: id) else { return post(.missed) }
    let key = UInt(bitPattern: port)
    if isThere {
      let name = Libjack.portName(port)
      names.withLock { $0[key] = name }
      post(.portRegistered(name))
    } else {
      let known = names.withLock { $0.removeValue(forKey: key) }
      post(.portUnregistered(known ?? Libjack.portName(port)))
    }
  }

  fileprivate func portRenamed(id: UInt32, from old: String, to new: String) {
    if let port = Libjack.port(client, id: id) { names.withLock { $0[UInt(bitPattern: port)] = new } }
    post(.portRenamed(from: old, to: new))
  }

  fileprivate func connectionChanged(_ source: UInt32, _ destination: UInt32, isThere: Bool) {
    guard let source = name(id: source), let destination = name(id: destination) else { return post(.missed) }
    let connection = PortConnection(source, destination)
    post(isThere ? .connected(connection) : .disconnected(connection))
  }

  private func name(id: UInt32) -> String? {
    guard let port = Libjack.port(client, id: id) else { return nil }
    return names.withLock { $0[UInt(bitPattern: port)] } ?? Libjack.portName(port)
  }
}

/// Tells the listener that a callback got as its argument, which the client's owner keeps alive until after the close.
///
/// libjack ends its thread where it is when the client is closed, and it is closed at once when a server has gone: in here
/// the thread is not ended, or what it holds of the listener would never be given back.
private func tell(_ argument: UnsafeMutableRawPointer?, _ news: (NotificationListener) -> Void) {
  guard let argument else { return }
  System.withoutCancellation { news(Unmanaged<NotificationListener>.fromOpaque(argument).takeUnretainedValue()) }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

private func portRegistration(port: UInt32, isThere: Int32, argument: UnsafeMutableRawPointer?) {
  tell(argument) { $0.portChanged(id: port, isThere: isThere != 0) }
}

private func portRename(
  port: UInt32, old: UnsafePointer<CChar>?, new: UnsafePointer<CChar>?, argument: UnsafeMutableRawPointer?
) {
  tell(argument) { $0.portRenamed(id: port, from: text(old), to: text(new)) }
}

private func portConnect(a: UInt32, b: UInt32, isThere: Int32, argument: UnsafeMutableRawPointer?) {
  tell(argument) { $0.connectionChanged(a, b, isThere: isThere != 0) }
}

private func clientRegistration(name: UnsafePointer<CChar>?, isThere: Int32, argument: UnsafeMutableRawPointer?) {
  tell(argument) { $0.post(isThere != 0 ? .clientRegistered(text(name)) : .clientUnregistered(text(name))) }
}

private func propertyChange(
  subject: UInt64, key: UnsafePointer<CChar>?, change: jack_property_change_t, argument: UnsafeMutableRawPointer?
) {
  tell(argument) { $0.post(.metadataChanged(subject)) }
}

private func graphOrder(argument: UnsafeMutableRawPointer?) -> Int32 {
  tell(argument) { $0.post(.graphReordered) }
  return 0
}

private func xrun(argument: UnsafeMutableRawPointer?) -> Int32 {
  tell(argument) { $0.post(.xrun) }
  return 0
}

private func bufferSize(frames: UInt32, argument: UnsafeMutableRawPointer?) -> Int32 {
  tell(argument) { $0.post(.periodChanged(Int(frames))) }
  return 0
}

private func sampleRate(rate: UInt32, argument: UnsafeMutableRawPointer?) -> Int32 {
  tell(argument) { $0.post(.sampleRateChanged(Int(rate))) }
  return 0
}

private func freewheel(isStarting: Int32, argument: UnsafeMutableRawPointer?) {
  tell(argument) { $0.post(.freewheelingChanged(isStarting != 0)) }
}

private func shutdownWithoutReason(argument: UnsafeMutableRawPointer?) {
  tell(argument) { $0.post(.serverGone(reason: "")) }
}

private func latency(mode: jack_latency_callback_mode_t, argument: UnsafeMutableRawPointer?) {
  tell(argument) { $0.answerLatency(mode) }
}

private func shutdown(status: jack_status_t, reason: UnsafePointer<CChar>?, argument: UnsafeMutableRawPointer?) {
  tell(argument) { $0.post(.serverGone(reason: text(reason))) }
}
