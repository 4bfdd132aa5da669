import Dispatch
import MixCore

/// Eider as a client of a JACK server. All methods are for the control thread only.
public final class JACKClient {
  /// How a client is opened.
  public struct Configuration: Hashable, Sendable {
    /// The name that is asked for; cut where it is too long.
    public var name: String
    /// The server's name; nil for the default one (which `JACK_DEFAULT_SERVER` names).
    public var server: String?
    /// Whether a name that is taken gets a number at its end, or is an error.
    public var numbersTakenName: Bool
    /// The first cycle gets a frame number from here on, so that time goes on where the server before left it.
    public var firstFrame: UInt64

    public init(name: String = "eider", server: String? = nil, numbersTakenName: Bool = false, firstFrame: UInt64 = 0) {
      self.name = name
      self.server = server
      self.numbersTakenName = numbersTakenName
      self.firstFrame = firstFrame
    }
  }

  /// The name that it has on the server.
  public let name: String
  /// Can be read (`poll`) while there are notifications to `drain`.
  public var descriptor: Int32 { queue.descriptor }
  /// Whether the server has ended or thrown the client out, as far as notifications were drained.
  public private(set) var isServerGone = false
  public private(set) var isClosed = false
  /// Is signalled when a client that could not be closed in time is closed at last.
  private var closing: DispatchSemaphore?
  /// The clients of ports that have several colons in their names, as far as the server was asked.
  var owners: [String: String] = [:]
  /// The subject of the client's own metadata, if it has some.
  var labelledIdentity: UInt64?
  /// What people are to see of ports, where they must be known first.
  var lateLabels: [LateLabel] = []

  /// The server's name; nil for the default one.
  private let server: String?
  private let openHandle: Libjack.Client
  private let openCycles: UnsafeMutablePointer<CycleShell>
  private let queue: NotificationQueue
  let listener: NotificationListener
  let metadata = MetadataThread()
  /// Whether a pretty name could not be read since all were.
  var hasMissedName = false
  private(set) var isActive = false
  public let mixer: Mixer?

  private init(
    handle: Libjack.Client, queue: NotificationQueue, mixer: Mixer?, server: String?, firstFrame: UInt64
  ) {
    name = Libjack.clientName(handle)
    openHandle = handle
    self.server = server
    self.queue = queue
    self.mixer = mixer
    listener = NotificationListener(client: handle, queue: queue)
    openCycles = .allocate(capacity: 1)
    let start = FrameClock.extend(Libjack.frame(handle), from: firstFrame)
    openCycles.initialize(
      to: CycleShell(client: handle, engine: mixer?.engine, start: start, rate: Libjack.sampleRate(handle)))
    listener.install()
    CycleShell.install(openCycles)
  }

  deinit { close() }

  /// Opens a client on a running server; it takes part in its cycles from `activate` on.
  ///
  /// - Parameter mixer: Whose engine is run in each cycle, kept until the client is closed; nil to watch only.
  public static func open(_ configuration: Configuration, mixer: Mixer?) throws(JACKError) -> JACKClient {
    try open(configuration) { _ in mixer }
  }

  /// Opens a client on a running server, with a mixer that is made for the server's frames per second.
  public static func open(
    _ configuration: Configuration, makingMixer make: (_ sampleRate: Int) -> Mixer?
  ) throws(JACKError) -> JACKClient {
    Libjack.silenceMessages()
    let wanted = JACKNames.cut(configuration.name, bytes: Libjack.clientNameLimit)
    guard !wanted.isEmpty, !wanted.contains(":") else { throw .unusableName(configuration.name) }
    let queue: NotificationQueue
    do { queue = try NotificationQueue() } catch { throw .system(error) }
    let handle = try open(wanted, configuration)
    let mixer = make(Libjack.sampleRate(handle))
    return JACKClient(
      handle: handle, queue: queue, mixer: mixer, server: configuration.server, firstFrame: configuration.firstFrame)
  }

  private static func open(_ wanted: String, _ configuration: Configuration) throws(JACKError) -> Libjack.Client {
    let last = configuration.numbersTakenName ? 99 : 1
    for number in 1...last {
      let name = number == 1 ? wanted : JACKNames.numbered(wanted, number, bytes: Libjack.clientNameLimit)
      let (handle, status) = Libjack.open(name: name, server: configuration.server)
      if let handle {
        guard hasPorts(handle, of: name) else { return handle }
        // PipeWire lets several clients have one name: they could not be told apart.
        Libjack.close(handle)
        continue
      }
      let error = JACKError(status: status.rawValue, name: name, server: configuration.server)
      guard isTaken(name, error, configuration) else { throw error }
    }
    throw .nameTaken(wanted)
  }

  /// Whether there are ports of a name that a client has just been given, and which therefore has none.
  private static func hasPorts(_ handle: Libjack.Client, of name: String) -> Bool {
    Libjack.ports(handle).contains { $0.hasPrefix(name + ":") }
  }

  /// Whether a name was refused because another client has it. jackd2 tells only that something is wrong, so it is
  /// asked by a client of another name.
  private static func isTaken(_ name: String, _ error: JACKError, _ configuration: Configuration) -> Bool {
    switch error {
    case .nameTaken:
      return true
    case .notOpened:
      return isKnown(name, to: configuration.server)
    default:
      return false
    }
  }

  /// Whether a server has a client of a name, as another client sees it.
  private static func isKnown(_ name: String, to server: String?) -> Bool {
    let asking = "eider-asks-\(System.processNumber)"
    guard let client = Libjack.open(name: asking, server: server).client else { return false }
    defer { Libjack.close(client) }
    return Libjack.hasClient(client, named: name)
  }

  /// Starts to take part in the server's cycles. From now on there are notifications.
  public func activate() throws(JACKError) {
    try checkServer()
    openCycles.pointee.frames.prepare(at: Libjack.microseconds)
    guard Libjack.activate(handle) else { throw .notActivated }
    isActive = true
    listener.learn(Libjack.ports(handle))
  }

  /// Whether the names that people see stand still, because another program stands still in the midst of changing some.
  /// Nothing else depends on them.
  public var isMetadataStuck: Bool { metadata.isStuck }

  /// Where libjack keeps metadata, with the locks of those who have died over them: no server takes them away.
  public static var metadataFolder: String { "/dev/shm/jack_db-\(System.userNumber)" }

  /// Takes out all notifications in their order, and answers what the server has asked.
  public func drain() -> [TimedNotification] {
    var all = queue.drain()
    // PipeWire says that it has ended also when it has only refused something, as to take away a wire that somebody else
    // has just taken away. Then it still has this client, which goes on.
    if Libjack.isPipeWire, all.contains(where: \.notification.endsEverything), Self.isKnown(name, to: server) {
      all.removeAll(where: \.notification.endsEverything)
    }
    for news in all {
      switch news.notification {
      case .serverGone: isServerGone = true
      case .portUnregistered(let port), .portRenamed(let port, _): owners[port] = nil
      default: break
      }
    }
    if !isServerGone { listener.answerLatencies() }
    return all
  }

  /// Ends the client, whether the server lives or not; nothing else may be called afterwards. libjack may hang here
  /// when a server is sick, so it is called on a thread of its own; what that thread still uses then is not freed.
  ///
  /// - Returns: Whether it was closed in time.
  @discardableResult
  public func close(timeout: Duration = .seconds(3)) -> Bool {
    guard !isClosed else { return true }
    isClosed = true
    let remains = Remains(
      handle: openHandle, cycles: openCycles, listener: listener, metadata: metadata, mixer: mixer)
    let done = DispatchSemaphore(value: 0)
    do {
      try System.detachThread {
        remains.close()
        done.signal()
      }
    } catch {
      return false
    }
    if done.wait(timeout: .now() + .milliseconds(Int(timeout / .milliseconds(1)))) == .success { return true }
    closing = done
    return false
  }

  /// Whether libjack is still closing the client that could not be closed in time. It opens no other meanwhile: whoever
  /// asks it to, waits as long.
  public var isStillClosing: Bool {
    guard let closing else { return false }
    if closing.wait(timeout: .now()) == .success { self.closing = nil }
    return self.closing != nil
  }

  /// Leaves a client that cannot be closed because metadata stand still to libjack, which clears it away when the next one
  /// is opened, as it does with all whose server is gone. What the client and its mixer occupy is lost for this process.
  ///
  /// - Returns: Whether that was in the way; otherwise it goes on closing.
  public func abandon() -> Bool {
    guard closing != nil, metadata.abandon() else { return false }
    closing = nil
    return true
  }

  // What libjack holds for the client is freed when it is closed: whoever asks then has made a mistake.

  var handle: Libjack.Client {
    precondition(!isClosed, "a JACK client was used after it was closed")
    return openHandle
  }

  /// The first frame of the newest cycle.
  public var cycleStart: UInt64 {
    precondition(!isClosed, "a JACK client was used after it was closed")
    return openCycles.pointee.frames.start
  }

  /// The first frame of the newest cycle, and when that was, in microseconds of JACK's clock.
  var cyclePosition: (frame: UInt64, time: UInt64) {
    precondition(!isClosed, "a JACK client was used after it was closed")
    return openCycles.pointee.frames.position
  }

  /// The present frame, estimated between two cycles.
  public var frame: UInt64 {
    precondition(!isClosed, "a JACK client was used after it was closed")
    return openCycles.pointee.frames.frame(at: Libjack.microseconds)
  }

  /// In how many seconds the audio thread will be woken again, one period after the last time; below 0 where it is late, nil
  /// before the first cycle. The server's own notion of when its cycles begin can be milliseconds off for a while after a
  /// machine has stood still.
  public var timeToCycle: Double? {
    precondition(!isClosed, "a JACK client was used after it was closed")
    let began = openCycles.pointee.began.load(ordering: .relaxed)
    guard began > 0 else { return nil }
    let age = Double(Int64(bitPattern: Libjack.nanoseconds &- began)) / 1e9
    return Double(period) / Double(sampleRate) - age
  }

  /// The first frame of the newest cycle that this client has finished: `cycleStart` while it is in none.
  public var finishedCycle: UInt64 {
    precondition(!isClosed, "a JACK client was used after it was closed")
    return openCycles.pointee.finished.load(ordering: .acquiring)
  }

  /// What the audio thread has counted so far.
  public func takeCycleReport() -> CycleReport {
    precondition(!isClosed, "a JACK client was used after it was closed")
    return openCycles.pointee.counts.takeReport()
  }

  /// Late cycles of the server that it does not tell of: PipeWire goes on without a program that is late, be it that this
  /// was woken too late for its cycle or that it was not done at its end.
  public var untoldXruns: Int {
    precondition(!isClosed, "a JACK client was used after it was closed")
    return Libjack.isPipeWire ? Int(openCycles.pointee.counts.misses.load(ordering: .relaxed)) : 0
  }

  /// What the system says of the audio thread, nil while there is none.
  public var audioThread: AudioThreadReport? { audioThreadNumber.flatMap { AudioThreadReport(thread: $0) } }

  /// The system's number of the audio thread, nil while there is none.
  var audioThreadNumber: Int32? {
    precondition(!isClosed, "a JACK client was used after it was closed")
    let thread = openCycles.pointee.thread.load(ordering: .acquiring)
    return openCycles.pointee.prepared.withLock { $0[thread] }
  }

  /// Whether libjack holds on to the semaphore of a program that has gone. It does where a program closes while a client
  /// of this process opens, does not notice that the next program has taken the place of that one, and never wakes it: whoever
  /// hears Eider there is silent for ever. Only another client helps. While a program closes it is so for a moment, too.
  public static var hasStaleSemaphore: Bool { hasStaleSemaphore(maps: System.text(ofFile: "/proc/self/maps")) }

  /// The same by the text of `/proc/self/maps`.
  static func hasStaleSemaphore(maps: String) -> Bool {
    maps.split(separator: "\n").contains { $0.hasSuffix(" (deleted)") && $0.contains("/jack_sem.") }
  }

  func checkServer() throws(JACKError) {
    if isServerGone || isClosed { throw .serverGone }
  }
}

/// What libjack uses until a client is closed, on its way to the thread that closes it. Unsafe because of the pointers:
/// the client, marked closed, does not touch them any more.
private struct Remains: @unchecked Sendable {
  let handle: Libjack.Client
  let cycles: UnsafeMutablePointer<CycleShell>
  let listener: NotificationListener
  let metadata: MetadataThread
  let mixer: Mixer?

  func close() {
    withExtendedLifetime((listener, mixer)) {
      metadata.finish()
      Libjack.close(handle)
      cycles.deinitialize(count: 1)
      cycles.deallocate()
    }
  }
}
