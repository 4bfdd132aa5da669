import Foundation
import JACKProbe

/// What a process holds of the machine.
struct Footprint: CustomStringConvertible {
  let descriptors: Int
  /// What they lead to.
  let files: [String]
  let threads: Int
  /// KiB of memory that is in use for the process alone, shared memory left out.
  let memory: Int
  /// Pieces of shared memory that it has in its own.
  let segments: Int

  /// Of a process of this machine.
  init(of process: Int32) throws {
    func count(_ directory: String) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/\(directory)").count
    }
    // Some are open only for the moment of a look.
    let looks = try (0..<5).map { look in
      if look > 0 { usleep(20_000) }
      return try Self.files(of: process)
    }
    files = looks.min { $0.count < $1.count } ?? []
    descriptors = files.count
    threads = try count("task")
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    guard let words = line?.split(whereSeparator: \.isWhitespace), words.count > 1, let size = Int(words[1]) else {
      throw ProbeError("no RssAnon of process \(process)")
    }
    memory = size
    // Files of the system have no size, and are read to their end only so.
    let maps = FileHandle(forReadingAtPath: "/proc/\(process)/maps")?.readDataToEndOfFile() ?? Data()
    segments = String(decoding: maps, as: UTF8.self).split(separator: "\n").count { $0.contains(" /dev/shm/") }
  }

  private static func files(of process: Int32) throws -> [String] {
    let directory = "/proc/\(process)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: directory).map { name in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\(name)")) ?? ""
    }.sorted()
  }

  /// How many semaphores and sockets JACK has on this machine for a server and its clients.
  static func sharedFiles(of server: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/dev/shm").count { $0.contains("_\(server)_") }
  }

  var description: String {
    "\(descriptors) descriptors, \(threads) threads, \(memory) KiB, \(segments) shared segments"
  }
}
