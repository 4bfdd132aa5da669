import CGlibc
import Dispatch
import Foundation

/// The signals that the daemon heeds, as a descriptor that can be polled. Control thread only.
final class Signals {
  private let pipe = Pipe()
  private var sources: [any DispatchSourceSignal] = []

  /// Can be read once a signal has come.
  var descriptor: Int32 { pipe.fileHandleForReading.fileDescriptor }

  /// Takes the signals over from the system's default, which would end the program at once.
  init(_ signals: [Int32] = [SIGINT, SIGTERM, SIGHUP]) {
    let writing = pipe.fileHandleForWriting
    for number in signals {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { try? writing.write(contentsOf: Data([UInt8(number)])) }
      source.activate()
      sources.append(source)
    }
  }

  deinit { for source in sources { source.cancel() } }

  /// Takes the numbers of the signals that have come. The descriptor has to be readable.
  func take() -> [Int32] { pipe.fileHandleForReading.availableData.map(Int32.init) }
}

/// The terminal that the daemon may have been started in.
enum Terminal {
  /// Whether it is gone: one of the standard files has hung up. `poll`
  static var hasHungUp: Bool {
    var polled = (0..<3).map { pollfd(fd: $0, events: 0, revents: 0) }
    guard poll(&polled, nfds_t(polled.count), 0) > 0 else { return false }
    return polled.contains { $0.revents & Int16(POLLHUP) != 0 && isatty($0.fd) == 0 && isTerminal($0.fd) }
  }

  /// A terminal that has hung up answers as one no more, but is a character device still. `fstat`
  private static func isTerminal(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
  }
}

/// Waiting for descriptors.
enum Wake {
  /// Waits until one of the descriptors can be read, at most so many seconds. Returns those that can. `ppoll`
  static func wait(for descriptors: [Int32], seconds: Double) -> [Int32] {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var time = Self.time(seconds: min(max(0, seconds), 60))
    let count = eider_ppoll(&polled, nfds_t(polled.count), &time, nil)
    return count > 0 ? polled.filter { $0.revents != 0 }.map(\.fd) : []
  }

  /// Sleeps so many seconds, at most one. `nanosleep`
  static func sleep(seconds: Double) {
    guard seconds > 0 else { return }
    var time = Self.time(seconds: min(seconds, 1))
    nanosleep(&time, nil)
  }

  private static func time(seconds: Double) -> timespec {
    timespec(tv_sec: Int(seconds), tv_nsec: Int(seconds.truncatingRemainder(dividingBy: 1) * 1e9))
  }

  /// Seconds on a clock that never goes back.
  static var seconds: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}
