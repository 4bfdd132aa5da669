import Foundation

/// The server name that this process has for itself.
///
/// jackd2 has room for eight servers, and what a killed one leaves is taken away only by the next of the same name. So
/// names are few, and used again: each process takes one that no other has, by a lock on a file, until it ends.
public enum ProbeName {
  /// Taken at the first use; waits where all are taken.
  public static let own: String = {
    let directory = FileManager.default.temporaryDirectory
    while true {
      for number in 0..<6 {
        let name = "eider-probe-\(number)"
        let file = open(directory.appendingPathComponent("\(name).lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard file >= 0 else { continue }
        if flock(file, LOCK_EX | LOCK_NB) == 0 { return name }
        close(file)
      }
      Thread.sleep(forTimeInterval: 1)
    }
  }()
}
