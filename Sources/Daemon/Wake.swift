import Dispatch
import Foundation

/// The signals that end the daemon, as a descriptor that can be polled. Control thread only.
final class StopSignals {
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
}

/// Waiting for descriptors.
enum Wake {
  /// Waits until one of the descriptors can be read, at most so many seconds. Returns those that can. `poll`
  static func wait(for descriptors: [Int32], seconds: Double) -> Set<Int32> {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = poll(&polled, nfds_t(polled.count), Int32((min(max(0, seconds), 60) * 1000).rounded(.up)))
    guard count > 0 else { return [] }
    return Set(polled.filter { $0.revents != 0 }.map(\.fd))
  }

  /// Seconds on a clock that never goes back.
  static var seconds: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}
