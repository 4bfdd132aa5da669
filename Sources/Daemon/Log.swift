import Foundation

/// Says what happens, one plain line each, on standard error. From any thread.
struct Log: Sendable {
  let level: LogLevel

  func error(_ text: String) { write(.error, text) }
  func warning(_ text: String) { write(.warning, text) }
  func info(_ text: String) { write(.info, text) }
  func debug(_ text: @autoclosure () -> String) { if level >= .debug { write(.debug, text()) } }

  private func write(_ severity: LogLevel, _ text: String) {
    guard severity <= level else { return }
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let mark = severity <= .warning ? "\(severity.rawValue): " : ""
    try? FileHandle.standardError.write(contentsOf: Data("eider: \(mark)\(line)\n".utf8))
  }
}
