import Glibc

/// What the system lets this program do in real time.
public struct RealtimeLimits: Hashable, Sendable {
  /// Whether its threads may run before all others.
  public var mayRunRealtime: Bool
  /// Bytes of memory that may be locked; nil: all.
  public var lockableMemory: UInt64?
  /// What would have to be done to lift the limits.
  public var remedy: RealtimeRemedy

  public init(mayRunRealtime: Bool, lockableMemory: UInt64?, remedy: RealtimeRemedy) {
    self.mayRunRealtime = mayRunRealtime
    self.lockableMemory = lockableMemory
    self.remedy = remedy
  }

  /// As it is for this program now. A privileged program may lock what it likes, whatever its limit. Root is not privileged
  /// everywhere: not in a container.
  public static func current() -> RealtimeLimits {
    RealtimeLimits(
      mayRunRealtime: System.mayRunRealtime(priority: 10),
      lockableMemory: mayLockAll(System.text(ofFile: "/proc/self/status")) ? nil : System.limit(__RLIMIT_MEMLOCK),
      remedy: .current())
  }

  /// Whether a program has the privilege to lock memory without limit (`CAP_IPC_LOCK`), by its `/proc/PID/status`.
  static func mayLockAll(_ status: String) -> Bool {
    let field = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let capabilities = field?.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) } ?? 0
    return capabilities & 1 << 14 != 0
  }

  /// What is missing for sound without gaps and how to mend it, a sentence each; empty if all is well.
  public var advice: [String] {
    var result: [String] = []
    if !mayRunRealtime {
      result.append("no permission for realtime priority, sound may have gaps when the machine is busy: \(remedy)")
    }
    if let lockableMemory {
      result.append("only \(lockableMemory / 1024) KiB of memory may be locked, sound may have gaps: \(remedy)")
    }
    return result
  }

  /// Blocks from this size on are given back to the system as soon as they are freed: glibc's own start value, which it
  /// would raise with every larger block that is freed, up to 32 MiB (`mallopt(3)`). What is freed below a block that
  /// lives would then stay, and locked memory cannot even be paged out.
  private static let mapThreshold: Int32 = 128 * 1024

  /// What a thread's stack has where its maker does not say; twice as much as libjack thinks enough for the thread that
  /// runs a program's cycles. The system's 8 MiB would be locked in full, used or not, and glibc keeps those of threads
  /// that have ended.
  private static let threadStack = 1 << 20

  /// Has this program use no more memory than it needs, since what it uses may be locked. Before it has threads.
  public static func saveMemory() {
    System.setMapThreshold(bytes: mapThreshold)
    System.setThreadStack(bytes: threadStack)
  }

  /// Locks this program's memory, so that the audio thread never waits for a page. With a limit nothing is locked: memory
  /// to come would be refused as soon as it is reached. Control thread, once, at start, after `saveMemory`.
  ///
  /// - Returns: Whether it is locked.
  public func lockMemory() -> Bool { lockableMemory == nil && System.lockMemory() == 0 }
}

/// The commands by which a person of this machine gets realtime permissions, as Debian's jackd2 arranges them: the group
/// `audio` has them, and the person is in that group.
public struct RealtimeRemedy: Hashable, Sendable, CustomStringConvertible {
  /// Who runs this program: name and number.
  public var user: String
  public var userNumber: UInt32
  /// Whether the group has the permissions.
  public var isGroupPermitted: Bool
  /// Whether the user is in the group, from the next login on at the latest.
  public var isInGroup: Bool
  /// Whether the program runs as a service, to which a login makes no difference.
  public var isService: Bool

  public init(user: String, userNumber: UInt32, isGroupPermitted: Bool, isInGroup: Bool, isService: Bool) {
    self.user = user
    self.userNumber = userNumber
    self.isGroupPermitted = isGroupPermitted
    self.isInGroup = isInGroup
    self.isService = isService
  }

  /// What is to be done on this machine.
  static func current() -> RealtimeRemedy {
    let limits = System.text(ofFile: "/etc/security/limits.d/audio.conf")
    let user = System.userName
    return RealtimeRemedy(
      user: user, userNumber: geteuid(), isGroupPermitted: isPermitted(by: limits),
      isInGroup: System.isUser(user, inGroup: "audio"),
      isService: System.environment.contains { $0.hasPrefix("NOTIFY_SOCKET=") })
  }

  /// Whether a file of limits, as `limits.conf(5)` has it, lets the group run in real time.
  static func isPermitted(by limits: String) -> Bool {
    limits.split(separator: "\n").contains { line in
      let words = line.split(whereSeparator: \.isWhitespace)
      return words.count >= 3 && words[0] == "@audio" && words[2] == "rtprio"
    }
  }

  public var description: String {
    if userNumber == 0 {
      return
        "root lacks privileges here, which a container gets by “docker run --cap-add=SYS_NICE --cap-add=IPC_LOCK …”"
    }
    var commands: [String] = []
    if !isGroupPermitted { commands.append("sudo dpkg-reconfigure -p high jackd2") }
    if !isInGroup { commands.append("sudo usermod -aG audio \(user)") }
    if isService { commands.append("sudo systemctl restart user@\(userNumber)") }
    let answer = isGroupPermitted ? "" : " (answer yes)"
    let run = commands.isEmpty ? "" : "run “\(commands.joined(separator: " && "))”\(answer)"
    guard !isService else { return run }
    return run.isEmpty ? "log out and in again" : "\(run), then log out and in again"
  }
}
