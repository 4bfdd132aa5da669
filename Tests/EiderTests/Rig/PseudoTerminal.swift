import Foundation
import JACKProbe

/// A terminal that a test can close, as a person closes the window of one.
final class PseudoTerminal {
  /// The person's side.
  private let person: FileHandle
  /// That of programs.
  private let programs: FileHandle
  /// What programs have shown so far.
  private var text = ""

  init() throws {
    var (own, others): (Int32, Int32) = (-1, -1)
    guard openpty(&own, &others, nil, nil, nil) == 0 else {
      throw ProbeError("there is no terminal to be had: errno \(errno)")
    }
    person = FileHandle(fileDescriptor: own, closeOnDealloc: true)
    programs = FileHandle(fileDescriptor: others, closeOnDealloc: true)
    for descriptor in [own, others] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(own, F_SETFL, O_NONBLOCK)
  }

  /// Runs the program in the foreground of this terminal, which is its own then.
  func run(_ arguments: [String], preset: String? = nil) throws -> EiderProcess {
    return try EiderProcess(arguments, preset: preset, under: ["/usr/bin/setsid", "--ctty", "--wait"], in: programs)
  }

  /// Whether programs have shown something by now.
  func shows(_ words: String) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(person.fileDescriptor, &bytes, bytes.count)
      guard count > 0 else { return text.contains(words) }
      text += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }

  /// Closes it: whoever is in its foreground hears of it (SIGHUP), and can neither read nor write there any more.
  func hangUp() throws { try person.close() }
}
