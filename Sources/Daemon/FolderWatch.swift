import Glibc

/// Tells when something changes in the folder of a file, and in that of the file that it is a link to. Folders, for an
/// editor that saves puts a new file in place of the old one. Control thread only.
final class FolderWatch {
  /// How long nothing has to happen until a change counts as over, in seconds: whoever writes may write in parts.
  static let rest = 0.1

  /// Can be read when something has happened.
  let descriptor: Int32
  /// When a change is over, in seconds.
  private(set) var deadline: Double?

  /// `nil` where the system cannot watch. `inotify_init1`, `inotify_add_watch`
  init?(of path: String) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    var isWatching = false
    for folder in Self.folders(of: path) {
      let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE)
      if inotify_add_watch(descriptor, folder, events) >= 0 { isWatching = true }
    }
    guard isWatching else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  private static func folders(of path: String) -> Set<String> {
    var folders = [folder(of: path)]
    if let found = realpath(path, nil) {
      folders.append(folder(of: String(cString: found)))
      free(found)
    }
    return Set(folders)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Something has happened. `read`
  func note(at seconds: Double) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var isNews = false
    while read(descriptor, &bytes, bytes.count) > 0 { isNews = true }
    if isNews { deadline = seconds + Self.rest }
  }

  /// Whether a change is over.
  func takeChange(at seconds: Double) -> Bool {
    guard let deadline, deadline <= seconds else { return false }
    self.deadline = nil
    return true
  }
}
