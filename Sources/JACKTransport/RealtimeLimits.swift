import Glibc

/// What the system lets this program do in real time.
public struct RealtimeLimits: Hashable, Sendable {
  /// Whether its threads may run before all others.
  public var mayRunRealtime: Bool
  /// Bytes of memory that may be locked; nil: all.
  public var lockableMemory: UInt64?

  public init(mayRunRealtime: Bool, lockableMemory: UInt64?) {
    self.mayRunRealtime = mayRunRealtime
    self.lockableMemory = lockableMemory
  }

  /// As it is for this program now. A privileged program may lock what it likes, whatever its limit.
  public static func current() -> RealtimeLimits {
    RealtimeLimits(
      mayRunRealtime: System.mayRunRealtime(priority: 10),
      lockableMemory: geteuid() == 0 ? nil : System.limit(__RLIMIT_MEMLOCK))
  }

  /// What is missing for sound without gaps and how to mend it, a sentence each; empty if all is well.
  public var advice: [String] {
    let command =
      "run “sudo dpkg-reconfigure -p high jackd2” (answer yes) and “sudo usermod -aG audio $USER”, then log in again"
    var result: [String] = []
    if !mayRunRealtime {
      result.append("no permission for realtime priority, sound may have gaps when the machine is busy: \(command)")
    }
    if let lockableMemory {
      result.append("only \(lockableMemory / 1024) KiB of memory may be locked, sound may have gaps: \(command)")
    }
    return result
  }

  /// Locks this program's memory, so that the audio thread never waits for a page. With a limit nothing is locked:
  /// memory to come would be refused as soon as it is reached. Control thread, once, at start.
  ///
  /// - Returns: Whether it is locked.
  public func lockMemory() -> Bool { lockableMemory == nil && System.lockMemory() == 0 }
}
