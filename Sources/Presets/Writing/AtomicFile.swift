/// Writes files so that at any moment the whole old text or the whole new one is there, even if the power fails. From
/// any thread.
public enum AtomicFile {
  /// Puts a text in place of a file's. Its permissions stay; a link stays a link, and the file that it leads to is
  /// written. Takes as long as the disk does.
  public static func write(_ text: String, to path: String) throws(FileError) {
    let target = FileCalls.resolved(path)
    let folder = target.contains("/") ? String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)]) : "."
    let name = target.split(separator: "/").last.map(String.init) ?? target
    // Beside the file, for only within a file system can one take the place of another in one go.
    let temporary = "\(folder)/.\(name).\(FileCalls.processID).new"
    FileCalls.remove(temporary)
    let descriptor = try FileCalls.create(temporary)
    do throws(FileError) {
      defer { FileCalls.close(descriptor) }
      FileCalls.takePermissions(of: target, for: descriptor)
      try FileCalls.write(Array(text.utf8), to: descriptor, temporary)
      try FileCalls.flush(descriptor, temporary)
    } catch {
      FileCalls.remove(temporary)
      throw error
    }
    do throws(FileError) {
      try FileCalls.rename(temporary, to: target)
    } catch {
      FileCalls.remove(temporary)
      throw error
    }
    FileCalls.flushFolder(folder)
  }
}
