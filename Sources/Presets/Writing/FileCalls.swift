import Glibc

/// The calls of the C library by which files are written. From any thread.
enum FileCalls {
  /// Makes a new file that only its owner can read yet. Returns its descriptor. `open`
  static func create(_ path: String) throws(FileError) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError("create", path) }
    return descriptor
  }

  /// Writes all bytes. `write`
  static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw FileError("write", path) }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits until what was written is on the disk. `fsync`
  static func flush(_ descriptor: Int32, _ path: String) throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError("flush", path) }
  }

  /// Waits until what has happened in a folder is on the disk, where the file system can tell. `open`, `fsync`
  static func flushFolder(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    _ = Glibc.close(descriptor)
  }

  static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  /// Puts a file in place of another in one go. `rename`
  static func rename(_ path: String, to other: String) throws(FileError) {
    guard Glibc.rename(path, other) == 0 else { throw FileError("rename", path) }
  }

  static func remove(_ path: String) { _ = unlink(path) }

  /// Gives a file the owner, as far as that is allowed, and the permissions of another; where there is no other, those
  /// that a new file has. `stat`, `fchown`, `fchmod`, `umask`
  static func takePermissions(of path: String, for descriptor: Int32) {
    var status = stat()
    if stat(path, &status) == 0 {
      _ = fchown(descriptor, status.st_uid, status.st_gid)
      _ = fchmod(descriptor, status.st_mode & 0o7777)
    } else {
      _ = fchmod(descriptor, 0o600)
    }
  }

  /// The file that a path leads to, whatever links lie on the way; the path itself where there is none yet. `realpath`
  static func resolved(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  static var processID: Int32 { getpid() }
}

/// Why a file cannot be written.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ act: String, _ path: String) { description = "cannot \(act) \(path): \(String(cString: strerror(errno)))" }

  init(description: String) { self.description = description }
}
