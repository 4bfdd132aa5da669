import CJack
import Foundation
import Synchronization

/// A JACK client for tests, which plays given samples from a known frame on and records sample by sample.
public final class ProbeClient {
  /// The name on the server.
  public let name: String
  private let handle: OpaquePointer
  private let cycle: ProbeCycle
  private var isClosed = false

  /// Opens and activates a client with ports of these names.
  public convenience init(_ name: String, on server: ProbeServer, outputs: [String] = [], inputs: [String] = []) throws
  {
    try self.init(name, server: server.name, outputs: outputs, inputs: inputs)
  }

  /// Opens and activates a client on the server of a name.
  public init(_ name: String, server: String, outputs: [String] = [], inputs: [String] = []) throws {
    silenceLibjack()
    var status = JackStatus(rawValue: 0)
    let options = JackNoStartServer.rawValue | JackServerName.rawValue | JackUseExactName.rawValue
    guard let handle = eider_jack_client_open(name, JackOptions(rawValue: options), &status, server) else {
      throw ProbeError("client “\(name)” cannot be opened on “\(server)”: status \(status.rawValue)")
    }
    self.handle = handle
    self.name = String(cString: jack_get_client_name(handle))
    func register(_ port: String, _ flags: JackPortFlags) throws -> OpaquePointer {
      guard let port = jack_port_register(handle, port, JACK_DEFAULT_AUDIO_TYPE, UInt(flags.rawValue), 0) else {
        throw ProbeError("port “\(port)” of “\(name)” cannot be registered")
      }
      return port
    }
    do {
      cycle = ProbeCycle(
        client: handle, outputs: try outputs.map { try register($0, JackPortIsOutput) },
        inputs: try inputs.map { try register($0, JackPortIsInput) })
      jack_set_process_callback(handle, runProbeCycle, Unmanaged.passUnretained(cycle).toOpaque())
      guard jack_activate(handle) == 0 else { throw ProbeError("client “\(name)” cannot be activated") }
    } catch {
      jack_client_close(handle)
      throw error
    }
  }

  deinit { close() }

  /// Takes the client away, in good order.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    jack_client_close(handle)
  }

  // MARK: Sound

  /// Plays and records from one frame on: that given, else the first of the next cycle.
  ///
  /// - Parameters:
  ///   - play: By output, what is played; added to what other jobs play.
  ///   - repeats: Whether each begins again when it is at its end.
  ///   - record: How many frames of every input are recorded.
  @discardableResult
  public func start(play: [[Float]] = [], repeats: Bool = false, record: Int = 0, at frame: Int? = nil) -> ProbeJob {
    let job = ProbeJob(play: play, repeats: repeats, record: record, inputs: cycle.inputs.count, at: frame)
    cycle.add(job)
    return job
  }

  /// Ends a job after the running cycle.
  public func stop(_ job: ProbeJob) { cycle.remove(job) }

  /// Has the next cycle come too late.
  public func stall(milliseconds: Int) { cycle.stall.store(milliseconds, ordering: .relaxed) }

  /// The present frame, counted from the newest cycle on as in `unixNanoseconds`.
  public var frame: Int {
    let newest = cycle.position
    let elapsed = Double(Int64(jack_get_time()) - Int64(newest.time)) / 1e6
    return newest.frame + Int(elapsed * Double(jack_get_sample_rate(handle)))
  }

  /// The first frame after the newest cycle: all before has been played and recorded.
  public var heard: Int { cycle.end.load(ordering: .acquiring) }

  /// For how many cycles it was woken too late, or was not done at their end: PipeWire, which waits for nobody, went on
  /// with what it had. 0 on jackd.
  public var misses: Int { ServerKind.current == .pipeWire ? cycle.misses.load(ordering: .relaxed) : 0 }

  /// JACK's time of a frame in microseconds: counted from the newest cycle by the rate that the server is to have. Its own
  /// estimate of its rate is good for one cycle only, and after it has stood still not even for that.
  public func microseconds(of frame: Int) -> UInt64 {
    let newest = cycle.position
    let later = (Double(frame - newest.frame) * 1e6 / Double(jack_get_sample_rate(handle))).rounded()
    return UInt64(max(0, Int64(newest.time) + Int64(later)))
  }

  /// When a frame is, in nanoseconds since 1970 (UTC): counted as `microseconds`.
  public func unixNanoseconds(of frame: Int) -> Int64 {
    let newest = cycle.position
    let later = (Double(frame - newest.frame) * 1e9 / Double(jack_get_sample_rate(handle))).rounded()
    // Between the two clocks the test may be put aside: of a few readings the closest counts.
    let readings = (0..<8).map { _ -> (distance: Int64, length: Int64) in
      var before = timespec()
      var after = timespec()
      clock_gettime(CLOCK_REALTIME, &before)
      let now = Int64(jack_get_time())
      clock_gettime(CLOCK_REALTIME, &after)
      let length = after.nanoseconds - before.nanoseconds
      return (before.nanoseconds + length / 2 - now * 1000, length)
    }
    let distance = readings.min { $0.length < $1.length }?.distance ?? 0
    return Int64(newest.time) * 1000 + distance + Int64(later)
  }

  /// Frames per cycle.
  public var period: Int { Int(jack_get_buffer_size(handle)) }

  /// Has the server use another number of frames per cycle.
  public func setPeriod(_ frames: Int) throws {
    guard jack_set_buffer_size(handle, UInt32(frames)) == 0 else { throw ProbeError("no period of \(frames)") }
  }

  /// Has the server run as fast as it can, or in time again.
  public func setFreewheeling(_ isOn: Bool) throws {
    guard jack_set_freewheel(handle, isOn ? 1 : 0) == 0 else { throw ProbeError("no freewheeling") }
  }

  // MARK: Ports

  /// The full names of all ports.
  public var ports: [String] { strings(jack_get_ports(handle, nil, nil, 0)) }

  /// The full names of the ports that a port is connected to, sorted.
  public func connections(of port: String) -> [String] {
    guard let port = jack_port_by_name(handle, port) else { return [] }
    return strings(jack_port_get_all_connections(handle, port)).sorted()
  }

  /// The range of a port's latency in frames: since sound was captured, or until it is played.
  public func latency(of port: String, isCapture: Bool) -> ClosedRange<Int>? {
    guard let port = jack_port_by_name(handle, port) else { return nil }
    var range = jack_latency_range_t()
    jack_port_get_latency_range(port, isCapture ? JackCaptureLatency : JackPlaybackLatency, &range)
    return Int(range.min)...Int(max(range.min, range.max))
  }

  /// Connects two ports by their full names: waits until both are there, and until the connection can be read.
  public func connect(_ source: String, _ destination: String) throws {
    guard eventually({ [0, EEXIST].contains(jack_connect(handle, source, destination)) }) else {
      throw ProbeError("“\(source)” cannot be connected to “\(destination)”; there are \(ports)")
    }
    try awaitNextCycle()
  }

  /// Takes a connection away, and waits until it reads so.
  public func disconnect(_ source: String, _ destination: String) throws {
    guard jack_disconnect(handle, source, destination) == 0 else {
      throw ProbeError("“\(source)” cannot be disconnected from “\(destination)”")
    }
    try awaitNextCycle()
  }

  /// Waits until the connections of ports read as they are: a server shows a change from its next cycle on, whenever that
  /// comes.
  private func awaitNextCycle() throws {
    // The first to end may have been under way when the change came.
    let first = heard
    guard eventually({ heard - first >= 2 * period }) else { throw ProbeError("the server runs no cycles") }
  }

  /// Registers a further port, in silence.
  public func addPort(_ port: String, isInput: Bool) throws {
    let flags = isInput ? JackPortIsInput : JackPortIsOutput
    guard jack_port_register(handle, port, JACK_DEFAULT_AUDIO_TYPE, UInt(flags.rawValue), 0) != nil else {
      throw ProbeError("port “\(port)” cannot be registered")
    }
  }

  /// Takes a port that `addPort` registered away.
  public func removePort(_ port: String) throws {
    guard let handle = jack_port_by_name(self.handle, "\(name):\(port)"), jack_port_unregister(self.handle, handle) == 0
    else { throw ProbeError("no port “\(port)” to take away") }
  }

  /// Gives a port that `addPort` registered another name.
  public func renamePort(_ port: String, to new: String) throws {
    guard let handle = jack_port_by_name(self.handle, "\(name):\(port)"),
      jack_port_rename(self.handle, handle, new) == 0
    else { throw ProbeError("port “\(port)” cannot be renamed") }
  }

  /// Gives a port a further name.
  public func setAlias(_ port: String, _ alias: String) throws {
    guard let handle = jack_port_by_name(self.handle, port), jack_port_set_alias(handle, alias) == 0 else {
      throw ProbeError("no alias for “\(port)”")
    }
  }

  /// Sets a property of a port.
  public func setProperty(_ port: String, key: String, value: String) throws {
    guard let handle = jack_port_by_name(self.handle, port),
      jack_set_property(self.handle, jack_port_uuid(handle), key, value, nil) == 0
    else { throw ProbeError("no property of “\(port)”") }
  }

  /// A property of a port, nil if it has none.
  public func property(_ port: String, key: String) -> String? {
    jack_port_by_name(handle, port).flatMap { property(jack_port_uuid($0), key) }
  }

  /// A property of a client, nil if it has none.
  public func property(ofClient name: String, key: String) -> String? {
    guard let text = jack_get_uuid_for_client_name(handle, name) else { return nil }
    defer { jack_free(text) }
    var uuid: jack_uuid_t = 0
    return jack_uuid_parse(text, &uuid) == 0 ? property(uuid, key) : nil
  }

  /// How many properties there are of all subjects together, on whichever server they were set.
  public var propertyCount: Int {
    var descriptions: UnsafeMutablePointer<jack_description_t>?
    let count = Int(jack_get_all_properties(&descriptions))
    defer { jack_free(descriptions) }
    var sum = 0
    for index in 0..<max(0, count) {
      guard let description = descriptions.map({ $0 + index }) else { break }
      sum += Int(description.pointee.property_cnt)
      jack_free_description(description, 0)
    }
    return sum
  }

  private func property(_ subject: jack_uuid_t, _ key: String) -> String? {
    var value: UnsafeMutablePointer<CChar>?
    var type: UnsafeMutablePointer<CChar>?
    guard jack_get_property(subject, key, &value, &type) == 0, let value else { return nil }
    defer {
      jack_free(value)
      jack_free(type)
    }
    return String(cString: value)
  }

  private func strings(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
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

extension timespec {
  fileprivate var nanoseconds: Int64 { Int64(tv_sec) * 1_000_000_000 + Int64(tv_nsec) }
}

/// The audio thread's side of a probe client. It takes a lock that is held only while a job is added: good enough for
/// a test's own equipment.
private final class ProbeCycle: @unchecked Sendable {
  let client: OpaquePointer
  let outputs: [OpaquePointer]
  let inputs: [OpaquePointer]
  let stall = Atomic(0)
  let end = Atomic(0)
  let misses = Atomic(0)
  /// How far frames are ahead of the server's, which PipeWire counts anew by each device that drives the client.
  let lead = Atomic(0)
  private let jobs = Mutex<[ProbeJob]>([])
  private let newest = Mutex<(frame: Int, time: UInt64)>((0, 0))

  init(client: OpaquePointer, outputs: [OpaquePointer], inputs: [OpaquePointer]) {
    self.client = client
    self.outputs = outputs
    self.inputs = inputs
  }

  func add(_ job: ProbeJob) { jobs.withLock { $0.append(job) } }

  func remove(_ job: ProbeJob) { jobs.withLock { jobs in jobs.removeAll { $0 === job } } }

  func run(frames: UInt32) {
    func buffer(_ port: OpaquePointer) -> UnsafeMutablePointer<Float>? {
      jack_port_get_buffer(port, frames)?.assumingMemoryBound(to: Float.self)
    }
    let delay = stall.exchange(0, ordering: .relaxed)
    if delay > 0 { usleep(UInt32(delay) * 1000) }
    let playing = outputs.map(buffer)
    let heard = inputs.map(buffer)
    for output in playing { output?.update(repeating: 0, count: Int(frames)) }
    let frame = count()
    let time = startOfCycle()
    newest.withLock { $0 = (frame, time) }
    for job in jobs.withLock({ $0 }) { job.run(cycle: frame, frames: Int(frames), outputs: playing, inputs: heard) }
    let period = UInt64(frames) * 1_000_000 / UInt64(jack_get_sample_rate(client))
    if jack_get_time() > time + period { misses.add(1, ordering: .relaxed) }
    end.store(frame + Int(frames), ordering: .releasing)
  }

  /// The first frame of the newest cycle, and when that was, in microseconds of JACK's clock.
  var position: (frame: Int, time: UInt64) { newest.withLock { $0 } }

  private func startOfCycle() -> UInt64 {
    var frame: jack_nframes_t = 0
    var (start, next): (jack_time_t, jack_time_t) = (0, 0)
    var length: Float = 0
    return jack_get_cycle_times(client, &frame, &start, &next, &length) == 0 ? start : jack_get_time()
  }

  /// The first frame of the cycle: where the server's count has gone on, that.
  private func count() -> Int {
    let server = Int(jack_last_frame_time(client))
    let former = end.load(ordering: .relaxed)
    let frame = server + lead.load(ordering: .relaxed)
    let second = Int(jack_get_sample_rate(client))
    if former != 0, frame != former { misses.add(1, ordering: .relaxed) }
    guard former != 0, frame < former - second || frame > former + 60 * second else { return frame }
    lead.store(former - server, ordering: .releasing)
    return former
  }
}

private func runProbeCycle(frames: UInt32, argument: UnsafeMutableRawPointer?) -> Int32 {
  guard let argument else { return 0 }
  Unmanaged<ProbeCycle>.fromOpaque(argument).takeUnretainedValue().run(frames: frames)
  return 0
}
