import CJack
import Glibc

/// The calls to libjack, each through one small function, so that a reader sees all of what Eider asks of it, and C
/// types end here. Unsafe by nature: handles are pointers that libjack owns, valid until the client is closed.
enum Libjack {
  /// A `jack_client_t *`.
  typealias Client = OpaquePointer
  /// A `jack_port_t *`.
  typealias Port = OpaquePointer

  // MARK: Client

  /// Opens a client, never starting a server. `jack_client_open`
  static func open(name: String, server: String?) -> (client: Client?, status: JackStatus) {
    var options = JackNoStartServer.rawValue | JackUseExactName.rawValue
    if server != nil { options |= JackServerName.rawValue }
    var status = JackStatus(rawValue: 0)
    let client = eider_jack_client_open(name, JackOptions(rawValue: options), &status, server ?? "")
    return (client, status)
  }

  /// Whether the server has a client of this name. `jack_get_uuid_for_client_name`
  static func hasClient(_ client: Client, named name: String) -> Bool { uuid(client, ofClient: name) != nil }

  /// The identity of the client of a name in the metadata, nil if there is none. `jack_get_uuid_for_client_name`,
  /// `jack_uuid_parse`
  static func uuid(_ client: Client, ofClient name: String) -> UInt64? {
    guard let text = jack_get_uuid_for_client_name(client, name) else { return nil }
    defer { jack_free(text) }
    var uuid: jack_uuid_t = 0
    return jack_uuid_parse(text, &uuid) == 0 ? uuid : nil
  }

  /// Closes a client; may hang when its server is sick. `jack_client_close`
  @discardableResult
  static func close(_ client: Client) -> Bool { jack_client_close(client) == 0 }

  /// Starts the cycles. `jack_activate`
  static func activate(_ client: Client) -> Bool { jack_activate(client) == 0 }

  /// Ends the cycles and takes away all connections. `jack_deactivate`
  @discardableResult
  static func deactivate(_ client: Client) -> Bool { jack_deactivate(client) == 0 }

  /// The name that the server gave. `jack_get_client_name`
  static func clientName(_ client: Client) -> String { String(cString: jack_get_client_name(client)) }

  /// Bytes of the longest client name. jackd2 says 64 and refuses more than 63. `jack_client_name_size`
  static var clientNameLimit: Int { min(Int(jack_client_name_size()) - 1, 63) }

  /// Bytes of the longest full port name, `CLIENT:PORT`. jackd2 says 320 and cuts after 256, wherever that is in a
  /// character. `jack_port_name_size`
  static var portNameLimit: Int { min(Int(jack_port_name_size()) - 1, 255) }

  /// Frames per second. `jack_get_sample_rate`
  static func sampleRate(_ client: Client) -> Int { Int(jack_get_sample_rate(client)) }

  /// Frames per cycle. `jack_get_buffer_size`
  static func period(_ client: Client) -> Int { Int(jack_get_buffer_size(client)) }

  /// Whether the server runs its clients with realtime priority. `jack_is_realtime`
  static func isRealtime(_ client: Client) -> Bool { jack_is_realtime(client) != 0 }

  /// The realtime priority of a client's audio thread; −1 without any. `jack_client_real_time_priority`
  static func realtimePriority(_ client: Client) -> Int32 { jack_client_real_time_priority(client) }

  /// The server's load in per cent of a period. `jack_cpu_load`
  static func load(_ client: Client) -> Float { jack_cpu_load(client) }

  /// Whether this libjack is PipeWire's, which speaks to no other server. `jack_get_version_string`
  static let isPipeWire = String(cString: jack_get_version_string()).contains("PipeWire")

  /// Keeps libjack from writing to standard error by itself. Concerns the whole program. `jack_set_error_function`,
  /// `jack_set_info_function`
  static func silenceMessages() {
    jack_set_error_function(discardMessage)
    jack_set_info_function(discardMessage)
  }

  // MARK: Time

  /// The present frame, estimated between two cycles; of 32 bits. PipeWire says anything before the first cycle.
  /// `jack_frame_time`
  static func frame(_ client: Client) -> UInt32 { jack_frame_time(client) }

  /// The first frame of the server's newest cycle. `jack_last_frame_time`
  static func cycleStart(_ client: Client) -> UInt32 { jack_last_frame_time(client) }

  /// The first frame of the running cycle, and when it began in microseconds of JACK's clock; on the audio thread only,
  /// wait-free. `jack_get_cycle_times`
  @_noLocks @_noAllocation @inline(__always)
  static func cycle(_ client: Client) -> (frame: UInt32, time: UInt64) {
    var frame: jack_nframes_t = 0
    var (start, next): (jack_time_t, jack_time_t) = (0, 0)
    var length: Float = 0
    guard jack_get_cycle_times(client, &frame, &start, &next, &length) == 0 else {
      return (jack_last_frame_time(client), jack_get_time())
    }
    return (frame, start)
  }

  /// Microseconds of JACK's clock. `jack_get_time`
  static var microseconds: UInt64 { jack_get_time() }

  /// Nanoseconds of a clock that never goes back; wait-free. `clock_gettime`
  static var nanoseconds: UInt64 { @_noLocks @_noAllocation get { eider_nanoseconds() } }

  /// Whether the time of the running cycle is over; on the audio thread only, wait-free. `jack_get_cycle_times`
  @_noLocks @_noAllocation
  static func isCycleOver(_ client: Client) -> Bool {
    var frame: jack_nframes_t = 0
    var (start, next): (jack_time_t, jack_time_t) = (0, 0)
    var length: Float = 0
    guard jack_get_cycle_times(client, &frame, &start, &next, &length) == 0 else { return false }
    return jack_get_time() > next
  }

  // MARK: Own ports

  /// Registers an audio port. `jack_port_register`
  static func register(_ client: Client, name: String, isInput: Bool) -> Port? {
    let flags = isInput ? JackPortIsInput : JackPortIsOutput
    return jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(flags.rawValue), 0)
  }

  /// Takes a port of one's own away. `jack_port_unregister`
  @discardableResult
  static func unregister(_ client: Client, _ port: Port) -> Bool { jack_port_unregister(client, port) == 0 }

  /// The samples of a port in this cycle; on the audio thread only, wait-free. `jack_port_get_buffer`
  @_noLocks @_noAllocation
  static func buffer(_ port: Port, frames: UInt32) -> UnsafeMutableRawPointer? { jack_port_get_buffer(port, frames) }

  // MARK: Latency

  /// The range of a port's latency, in frames. `jack_port_get_latency_range`
  static func latency(of port: Port, _ mode: jack_latency_callback_mode_t) -> ClosedRange<UInt32> {
    var range = jack_latency_range_t()
    jack_port_get_latency_range(port, mode, &range)
    return range.min...max(range.min, range.max)
  }

  /// Says the latency of a port of one's own, in the latency callback only. `jack_port_set_latency_range`
  static func setLatency(of port: Port, _ mode: jack_latency_callback_mode_t, _ latency: ClosedRange<UInt32>) {
    var range = jack_latency_range_t(min: latency.lowerBound, max: latency.upperBound)
    jack_port_set_latency_range(port, mode, &range)
  }

  /// Has the server ask all clients for their latencies anew. `jack_recompute_total_latencies`
  @discardableResult
  static func recomputeLatencies(_ client: Client) -> Bool { jack_recompute_total_latencies(client) == 0 }

  // MARK: The graph

  /// The names of all ports. `jack_get_ports`
  static func ports(_ client: Client) -> [String] { strings(jack_get_ports(client, nil, nil, 0)) }

  /// The port of a full name. `jack_port_by_name`
  static func port(_ client: Client, name: String) -> Port? { jack_port_by_name(client, name) }

  /// The port of a number from a notification. `jack_port_by_id`
  static func port(_ client: Client, id: UInt32) -> Port? { jack_port_by_id(client, id) }

  /// The full name of a port. `jack_port_name`
  static func portName(_ port: Port) -> String { jack_port_name(port).map { String(cString: $0) } ?? "" }

  /// What a port is. `jack_port_flags`
  static func flags(of port: Port) -> (isInput: Bool, isPhysical: Bool) {
    let flags = UInt32(bitPattern: jack_port_flags(port))
    return (flags & JackPortIsInput.rawValue != 0, flags & JackPortIsPhysical.rawValue != 0)
  }

  /// Whether a port carries audio. `jack_port_type`
  static func isAudio(_ port: Port) -> Bool {
    jack_port_type(port).map { String(cString: $0) } == JACK_DEFAULT_AUDIO_TYPE
  }

  /// Up to two further names of a port. `jack_port_get_aliases`
  static func aliases(of port: Port) -> [String] {
    let size = Int(jack_port_name_size())
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 2 * size)
    defer { text.deallocate() }
    text.initialize(repeating: 0, count: 2 * size)
    let slots: [UnsafeMutablePointer<CChar>?] = [text, text + size]
    let count = Int(jack_port_get_aliases(port, slots))
    return slots.prefix(max(0, count)).compactMap { $0.map { String(cString: $0) } }.filter { !$0.isEmpty }
  }

  /// The names of the ports that a port is connected to. `jack_port_get_all_connections`
  static func connections(_ client: Client, of port: Port) -> [String] {
    strings(jack_port_get_all_connections(client, port))
  }

  /// Connects an output to an input; true also if they were connected before. `jack_connect`
  static func connect(_ client: Client, _ source: String, _ destination: String) -> Bool {
    [0, EEXIST].contains(jack_connect(client, source, destination))
  }

  /// Takes a connection away. `jack_disconnect`
  static func disconnect(_ client: Client, _ source: String, _ destination: String) -> Bool {
    jack_disconnect(client, source, destination) == 0
  }

  // MARK: Metadata

  /// The identity of a port in the metadata. `jack_port_uuid`
  static func uuid(of port: Port) -> UInt64 { jack_port_uuid(port) }

  /// Sets a property; `type` is an URI or nil for text. `jack_set_property`
  @discardableResult
  static func setProperty(_ client: Client, _ subject: UInt64, key: String, value: String, type: String?) -> Bool {
    jack_set_property(client, subject, key, value, type) == 0
  }

  /// Reads a property. `jack_get_property`
  static func property(_ subject: UInt64, key: String) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    var type: UnsafeMutablePointer<CChar>?
    guard jack_get_property(subject, key, &value, &type) == 0, let value else { return nil }
    defer {
      jack_free(value)
      jack_free(type)
    }
    return String(cString: value)
  }

  /// Takes all properties of a subject away. `jack_remove_properties`
  @discardableResult
  static func removeProperties(_ client: Client, _ subject: UInt64) -> Bool {
    jack_remove_properties(client, subject) >= 0
  }

  /// A list that libjack allocated, freed. `jack_free`
  private static func strings(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
    guard let list else { return [] }
    defer { jack_free(list) }
    var result: [String] = []
    var next = list
    while let text = next.pointee {
      result.append(String(cString: text))
      next += 1
    }
    return result
  }
}

/// Takes what libjack would print and keeps it to itself.
private func discardMessage(_: UnsafePointer<CChar>?) {}
