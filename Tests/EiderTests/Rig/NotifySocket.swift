import Foundation
import JACKProbe

/// Stands for a service manager: a socket to which a program tells how it does (`NOTIFY_SOCKET`).
final class NotifySocket {
  private let descriptor: Int32
  private let path: String

  /// All that came so far, a line each.
  private(set) var lines: [String] = []

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("eider-\(UInt32.random(in: 0 ... .max))").path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard descriptor >= 0, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw ProbeError("no socket for a service manager")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw ProbeError("a socket cannot be bound to \(path): errno \(errno)") }
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  /// What a program finds in its environment that is to be heard of every so many seconds.
  func environment(watchdog seconds: Double) -> [String: String] {
    ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "\(Int(seconds * 1e6))"]
  }

  /// Takes in what has come.
  private func receive() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return }
      lines += String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// Waits until a line with this beginning comes, one that has not been taken yet; those before it are taken with it.
  ///
  /// - Returns: The whole line.
  @discardableResult
  func await(_ beginning: String) throws -> String {
    let hasCome = eventually(within: 60) {
      receive()
      return lines.contains { $0.hasPrefix(beginning) }
    }
    guard hasCome, let index = lines.firstIndex(where: { $0.hasPrefix(beginning) }) else {
      throw ProbeError("the service manager was not told \(beginning), but \(lines)")
    }
    defer { lines.removeSubrange(...index) }
    return lines[index]
  }

  /// Takes out all that has come, and what comes in so many seconds more.
  func take(within seconds: Double = 0) -> [String] {
    if seconds > 0 { Thread.sleep(forTimeInterval: seconds) }
    receive()
    defer { lines = [] }
    return lines
  }
}
