import Dispatch
import Foundation
import Synchronization

/// Lines that are drawn again and again at the same place of a terminal (ECMA-48 control sequences).
struct TerminalScreen {
  private struct Size: Equatable {
    var columns = 80
    var rows = 24
  }

  private var drawnLines = 0
  private var drawnSize: Size?

  /// Whether the output goes to a terminal. Wraps `isatty`.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether the terminal has been given another size since the last drawing.
  var hasNewSize: Bool { drawnSize != Self.size }

  /// The size of the terminal, 80 × 24 where it does not say. Wraps `ioctl` (`TIOCGWINSZ`).
  private static var size: Size {
    var window = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return Size()
    }
    return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  /// Draws lines in place of those drawn before, as many as there is room for.
  ///
  /// - Parameter note: what stands for so many lines that there is no room for.
  mutating func draw(_ lines: [String], note: (Int) -> String) {
    let size = Self.size
    var lines = lines
    // The cursor needs a line for itself.
    let room = max(1, size.rows - 1)
    if lines.count > room { lines = lines.prefix(room - 1) + [note(lines.count - room + 1)] }
    var text = ""
    if drawnSize == nil { text += hideCursor }
    if let drawnSize, drawnSize != size {
      text += "\u{1B}[2J\u{1B}[H"
    } else if drawnLines > 0 {
      text += "\u{1B}[\(drawnLines)A\r"
    }
    for line in lines { text += line.prefix(size.columns) + "\u{1B}[K\n" }
    text += "\u{1B}[J"
    write(text)
    drawnLines = lines.count
    drawnSize = size
  }

  /// Leaves the terminal as it was; what was drawn last stays.
  mutating func close() {
    if drawnSize != nil { write(showCursor) }
    drawnSize = nil
    drawnLines = 0
  }

  private var hideCursor: String { "\u{1B}[?25l" }
  private var showCursor: String { "\u{1B}[?25h" }

  private func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }
}

/// Raised by the signals that end a program, so that it can clear up behind itself.
final class StopFlag {
  private final class Flag: Sendable {
    let isRaised = Atomic(false)
  }

  private let flag = Flag()
  private var sources: [any DispatchSourceSignal] = []

  /// Takes the signals over from the system's default, which would end the program at once.
  init(_ signals: [Int32] = [SIGINT, SIGTERM, SIGHUP]) {
    for number in signals {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [flag] in flag.isRaised.store(true, ordering: .relaxed) }
      source.activate()
      sources.append(source)
    }
  }

  var isRaised: Bool { flag.isRaised.load(ordering: .relaxed) }
}
