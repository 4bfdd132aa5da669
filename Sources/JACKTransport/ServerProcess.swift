import Glibc
import Synchronization

/// A JACK server that Eider started for itself, and ends again: that process and no other. Control thread only.
public final class ServerProcess {
  /// What the server plays on.
  public enum Driver: Hashable, Sendable {
    case card(SoundCard)
    /// No hardware: time passes, sound goes nowhere.
    case dummy

    /// The first sound card of the machine if there is one.
    public static func automatic() -> Driver { SoundCard.first().map { .card($0) } ?? .dummy }

    /// For people, as in “started jackd on …”.
    public var title: String {
      switch self {
      case .card(let card): "the sound card “\(card.title)” (\(card.id))"
      case .dummy: "the dummy driver (there is no sound card)"
      }
    }
  }

  /// How a server is started.
  public struct Configuration: Hashable, Sendable {
    /// Nil for the default server, the one that programs use if they are not told otherwise.
    public var name: String?
    public var driver: Driver
    /// Frames per second.
    public var sampleRate: Int
    /// Frames per cycle.
    public var period: Int
    /// Whether it runs before all other programs.
    public var isRealtime: Bool

    public init(
      name: String? = nil, driver: Driver, sampleRate: Int = 48000, period: Int = 256, isRealtime: Bool = true
    ) {
      self.name = name
      self.driver = driver
      self.sampleRate = sampleRate
      self.period = period
      self.isRealtime = isRealtime
    }

    /// The command line.
    var command: [String] {
      var words = ["jackd"]
      if let name { words += ["-n", name] }
      words.append(isRealtime ? "-R" : "-r")
      let timing = ["-r", "\(sampleRate)", "-p", "\(period)"]
      switch driver {
      case .dummy: words += ["-d", "dummy"] + timing
      case .card(let card):
        words += ["-d", "alsa", "-d", "hw:\(card.id),\(card.device)"] + timing + ["-n", card.isUSB ? "3" : "2"]
        if !card.records { words.append("-P") }
      }
      return words
    }
  }

  /// The number of the process.
  public let id: Int32
  private let lines: ServerLines
  private var hasEnded = false

  private init(id: Int32, lines: ServerLines) {
    self.id = id
    self.lines = lines
  }

  deinit { end() }

  /// Starts a server and waits until clients can be opened on it.
  ///
  /// - Parameter report: Gets each line that the server prints, on a thread of its own.
  public static func start(
    _ configuration: Configuration, timeout: Duration = .seconds(15), report: @escaping @Sendable (String) -> Void
  ) throws(ServerProcessError) -> ServerProcess {
    guard !Libjack.isPipeWire else { throw .pipeWire }
    let server: ServerProcess
    do throws(SystemError) {
      server = try launch(configuration, report: report)
    } catch {
      throw .notStarted(error)
    }
    try server.waitUntilReady(configuration, timeout)
    return server
  }

  /// Starts a server and does not wait for it: clients can be opened on it a little later, or it has ended by then.
  ///
  /// - Parameter report: Gets each line that the server prints, on a thread of its own.
  public static func launch(
    _ configuration: Configuration, report: @escaping @Sendable (String) -> Void
  ) throws(SystemError) -> ServerProcess {
    let lines = ServerLines(report)
    let pipe = try System.pipe()
    System.makeBlocking(pipe.reading)
    System.makeBlocking(pipe.writing)
    defer { System.close(pipe.writing) }
    let server: ServerProcess
    do throws(SystemError) {
      let environment = environment(System.environment)
      server = ServerProcess(
        id: try System.spawn(configuration.command, output: pipe.writing, environment: environment), lines: lines)
      try System.detachThread { lines.follow(pipe.reading) }
    } catch {
      System.close(pipe.reading)
      throw error
    }
    return server
  }

  /// What it has printed last, at most five lines.
  public var lastLines: [String] { lines.last }

  /// Whether it lives.
  public var isRunning: Bool {
    if !hasEnded { hasEnded = System.hasEnded(id) }
    return !hasEnded
  }

  /// Ends the server: asks it to, and kills it where it does not in time.
  public func end(timeout: Duration = .seconds(5)) {
    guard isRunning else { return }
    System.signal(id, SIGTERM)
    let deadline = ContinuousClock.now + timeout
    while isRunning && ContinuousClock.now < deadline { System.sleep(milliseconds: 20) }
    guard isRunning else { return }
    System.signal(id, SIGKILL)
    while isRunning { System.sleep(milliseconds: 5) }
  }

  private func waitUntilReady(_ configuration: Configuration, _ timeout: Duration) throws(ServerProcessError) {
    Libjack.silenceMessages()
    let deadline = ContinuousClock.now + timeout
    while isRunning {
      if let client = Libjack.open(name: "eider-start-\(id)", server: configuration.name).client {
        Libjack.close(client)
        return
      }
      guard ContinuousClock.now < deadline else {
        end()
        throw .notReady(configuration.driver, lastLines: lastLines)
      }
      System.sleep(milliseconds: 100)
    }
    // What it said last may still be on its way.
    System.sleep(milliseconds: 50)
    throw .ended(configuration.driver, lastLines: lastLines)
  }

  /// Where there is no session bus, a server must not wait for one to reserve the sound card.
  static func environment(_ variables: [String]) -> [String] {
    let hasBus = variables.contains { $0.hasPrefix("DBUS_SESSION_BUS_ADDRESS=") }
    return hasBus ? variables : variables + ["JACK_NO_AUDIO_RESERVATION=1"]
  }
}

/// Why a server could not be started.
public enum ServerProcessError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libjack is PipeWire's, which would not find a jackd.
  case pipeWire
  case notStarted(SystemError)
  case ended(ServerProcess.Driver, lastLines: [String])
  case notReady(ServerProcess.Driver, lastLines: [String])

  /// A sentence for people that says what to do.
  public var description: String {
    switch self {
    case .pipeWire:
      "JACK programs play on PipeWire here, and it does not run: start it by "
        + "“systemctl --user start pipewire wireplumber”"
    case .notStarted(let error):
      "the JACK server could not be started (\(error)): install it, on Debian “sudo apt-get install jackd2”"
    case .ended(let driver, let lines):
      "the JACK server ended at once on \(driver.title): \(Self.said(lines)); if another program holds the card, end it"
    case .notReady(let driver, let lines):
      "the JACK server was not ready in time on \(driver.title): \(Self.said(lines))"
    }
  }

  private static func said(_ lines: [String]) -> String {
    lines.isEmpty ? "it said nothing" : "it said “\(lines.joined(separator: " / "))”"
  }
}

/// Follows what a server prints.
private final class ServerLines: Sendable {
  private let report: @Sendable (String) -> Void
  private let kept = Mutex<[String]>([])

  init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }

  /// The newest lines, at most five.
  var last: [String] { kept.withLock { $0 } }

  /// Reads lines until the other end is closed, and closes this one.
  func follow(_ descriptor: Int32) {
    var rest: [UInt8] = []
    while true {
      let bytes = System.read(descriptor)
      rest += bytes
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        tell(rest[..<end])
        rest.removeSubrange(...end)
      }
      if bytes.isEmpty { break }
    }
    tell(rest[...])
    System.close(descriptor)
  }

  private func tell(_ bytes: ArraySlice<UInt8>) {
    let line = String(decoding: bytes, as: UTF8.self)
    guard !line.allSatisfy(\.isWhitespace) else { return }
    kept.withLock { $0 = ($0 + [line]).suffix(5) }
    report(line)
  }
}
