import AddressSpace
import Foundation
import OSCTransport

/// `eider watch`: what goes on, as it goes on.
enum WatchCommand: Command {
  static let name = "watch"
  static let summary = "shows the sessions of the daemon as they change: who is heard, who is not, and why"
  static let help = """
    usage: eider watch [--host HOST] [--port N] [PATTERN]

    \(DaemonAddress.help)

    In a terminal a table of all sessions, which is drawn anew as they change. With a pattern, or where the output goes
    into a file or another program, a line ADDRESS VALUES for each value, then for each change and notice:
      eider watch
      eider watch '/session/*/{state,silence,interruption}'
      eider watch '*'
    It goes on until Ctrl-C. If the daemon ends it says so, and waits for its return.
    Exits with 1 if the pattern can match nothing, 3 if there is no daemon at the start.
    """

  static func run(_ words: inout CommandWords) throws -> ExitCode {
    let (daemon, rest) = try DaemonAddress.take(&words)
    guard rest.count < 2 else { throw UsageError("one pattern") }
    if let pattern = rest.first {
      guard pattern.hasPrefix("/") || pattern == SubscriptionWish.everything else {
        throw UsageError("a pattern begins with /, or is * for everything, got \(pattern)")
      }
      return watch(DaemonFeed(daemon, patterns: [pattern], milliseconds: 50), LineView())
    }
    let feed = DaemonFeed(daemon, patterns: SessionTable.patterns, milliseconds: 100)
    return TerminalScreen.isTerminal ? watch(feed, TableView(daemon)) : watch(feed, LineView())
  }

  private static func watch(_ feed: DaemonFeed, _ view: some WatchView) -> ExitCode {
    let signals = StopFlag()
    var view = view
    defer { view.close() }
    while !signals.isRaised {
      switch feed.next(timeout: .milliseconds(100)) {
      case .message(let message): view.show(message)
      case .quiet: view.rest()
      case .lost(let reason): view.lost(reason)
      case .back: view.back()
      case .never(let error):
        Console.complain("eider: \(error)")
        return error.meansNoServer ? .noServer : .wrongUse
      case .refused(let message):
        Console.complain(message.arguments.map(\.plainText).joined(separator: ": "))
        return .notSo
      }
    }
    return .done
  }
}

/// How what is watched is shown.
protocol WatchView {
  mutating func show(_ message: Message)
  /// There is nothing new for now.
  mutating func rest()
  /// The daemon is gone.
  mutating func lost(_ reason: String)
  /// It is back: all values come anew.
  mutating func back()
  mutating func close()
}

/// A line for every value.
struct LineView: WatchView {
  func show(_ message: Message) {
    let values = message.arguments.isEmpty ? "none" : message.arguments.map(\.plainText).joined(separator: " ")
    Console.say("\(message.address) \(values)")
  }

  func rest() {}
  func lost(_ reason: String) { Console.complain("eider: \(reason); waiting for it to return") }
  func back() { Console.complain("eider: the daemon is back") }
  func close() {}
}

/// The table of sessions, in place.
struct TableView: WatchView {
  private var table = SessionTable()
  private var screen = TerminalScreen()
  private let place: String
  private var complaint: String?
  /// Since when there is something that is not drawn yet.
  private var dirtySince: ContinuousClock.Instant? = .now

  private static let pause = Duration.milliseconds(100)

  init(_ daemon: DaemonAddress) { place = "\(daemon.host) port \(daemon.port)" }

  mutating func show(_ message: Message) {
    table.take(message)
    let now = ContinuousClock.now
    guard let since = dirtySince else {
      dirtySince = now
      return
    }
    if now - since >= Self.pause { draw() }
  }

  mutating func rest() { draw() }

  mutating func lost(_ reason: String) {
    complaint = "\(reason); waiting for it to return"
    dirtySince = .now
    draw()
  }

  mutating func back() {
    complaint = nil
    table = SessionTable()
    dirtySince = .now
  }

  private mutating func draw() {
    guard dirtySince != nil || screen.hasNewSize else { return }
    dirtySince = nil
    let title = "eider on \(place): \(complaint ?? table.summary)"
    screen.draw([title, ""] + table.lines, note: { "… \($0) more" })
  }

  mutating func close() { screen.close() }
}
