import Conductor
import Foundation
import Presets

/// Where the daemon keeps what it remembers.
public enum StatePlace: Hashable, Sendable {
  /// In the folder that the system has for it (XDG): a file for each name of the JACK client.
  case standard
  case file(String)
  /// Nothing is remembered.
  case none
}

/// The file of what is remembered.
enum StateFile {
  /// The path of a place; `nil` where nothing is remembered.
  static func path(of place: StatePlace, jackName: String) -> String? {
    switch place {
    case .none: return nil
    case .file(let path): return path
    case .standard:
      let environment = ProcessInfo.processInfo.environment
      // A relative path there is to be ignored, as XDG says.
      let wish = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      let home = environment["HOME"] ?? NSHomeDirectory()
      let name = String(jackName.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" })
      return "\(wish ?? "\(home)/.local/state")/eider/\(name).json"
    }
  }

  /// Writes it, and makes its folder where there is none.
  static func write(_ text: String, to path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try AtomicFile.write(text, to: path)
  }

  /// What was found.
  enum Finding {
    case memory(Memory)
    /// There was none.
    case nothing
    /// There was something that cannot be read; it was set aside.
    case unusable(reason: String, setAside: String?)
  }

  /// Reads it. What is no state is set aside under another name, so that nothing is lost.
  static func read(_ path: String) -> Finding {
    guard FileManager.default.fileExists(atPath: path) else { return .nothing }
    guard let data = FileManager.default.contents(atPath: path) else {
      return .unusable(reason: "it cannot be read", setAside: nil)
    }
    do throws(MemoryError) {
      return .memory(try Memory(text: String(decoding: data, as: UTF8.self)))
    } catch {
      let other = freeName(beside: path)
      let isSetAside = (try? FileManager.default.moveItem(atPath: path, toPath: other)) != nil
      return .unusable(reason: error.description, setAside: isSetAside ? other : nil)
    }
  }

  private static func freeName(beside path: String) -> String {
    let names = [path + ".damaged"] + (2...1000).map { "\(path).damaged-\($0)" }
    return names.first { !FileManager.default.fileExists(atPath: $0) } ?? names[0]
  }
}
