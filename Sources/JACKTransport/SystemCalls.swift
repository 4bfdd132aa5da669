import CGlibc
import CJack
import Glibc

/// The calls to the operating system, each through one small function.
enum System {
  /// A pipe that neither end waits on, closed in programs that are started. `pipe`
  static func pipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw SystemError(call: "pipe", number: errno) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
  }

  /// Lets reads wait for bytes. `fcntl`
  static func makeBlocking(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFL, 0) }

  /// Writes one byte, if there is room. `write`
  static func poke(_ descriptor: Int32) {
    var byte: UInt8 = 1
    _ = write(descriptor, &byte, 1)
  }

  /// Takes out what is there, at most `limit` bytes; empty at the end or when there is nothing. `read`
  static func read(_ descriptor: Int32, limit: Int = 4096) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      var got: Int
      repeat { got = Glibc.read(descriptor, buffer.baseAddress, limit) } while got < 0 && errno == EINTR
      count = max(0, got)
    }
  }

  /// All of a small file of the system; empty if it cannot be read. `open`, `read`
  static func text(ofFile path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while true {
      let more = read(descriptor)
      if more.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      bytes += more
    }
  }

  /// `close`
  static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  /// Sleeps. `usleep`
  static func sleep(milliseconds: UInt32) { usleep(milliseconds * 1000) }

  /// Nanoseconds of a clock of the system. `clock_gettime`
  static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The number of this process. `getpid`
  static var processNumber: Int32 { getpid() }

  /// The number of the calling thread. `gettid`
  static var threadNumber: Int32 { eider_thread_number() }

  /// What the calling thread is called within the program; wait-free. `pthread_self`
  static var threadIdentity: UInt { @_noLocks @_noAllocation get { eider_thread_identity() } }

  // MARK: Realtime limits

  /// Keeps all memory, also what is to come, from being paged out; 0 or the error. `mlockall`
  static func lockMemory() -> Int32 { mlockall(Int32(MCL_CURRENT) | Int32(MCL_FUTURE)) == 0 ? 0 : errno }

  /// Has blocks of so many bytes or more mapped each by itself, for good, and unmapped when they are freed. Another
  /// allocator than glibc's has ways of its own, and refuses it. `mallopt`
  static func setMapThreshold(bytes: Int32) { _ = eider_set_mmap_threshold(bytes) }

  /// Gives the stacks of threads to come so many bytes, where whoever makes them does not say. `pthread_setattr_default_np`
  static func setThreadStack(bytes: Int) { _ = eider_set_thread_stack(bytes) }

  /// The soft limit of a resource, nil if there is none. `getrlimit`
  static func limit(_ resource: __rlimit_resource) -> UInt64? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max else {
      return nil
    }
    return UInt64(limit.rlim_cur)
  }

  /// Whether a thread of this program may have realtime priority: tried on a thread that ends at once.
  /// `pthread_setschedparam`
  static func mayRunRealtime(priority: Int32) -> Bool {
    var thread = pthread_t()
    let started = pthread_create(
      &thread, nil,
      { argument in
        var parameters = sched_param()
        parameters.sched_priority = Int32(Int(bitPattern: argument))
        let refused = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
        return UnsafeMutableRawPointer(bitPattern: refused == 0 ? 1 : 2)
      }, UnsafeMutableRawPointer(bitPattern: Int(priority)))
    guard started == 0 else { return false }
    var result: UnsafeMutableRawPointer?
    pthread_join(thread, &result)
    return result == UnsafeMutableRawPointer(bitPattern: 1)
  }

  /// The number of the user who runs this program. `getuid`
  static var userNumber: UInt32 { getuid() }

  /// The name of the user who runs this program; the number where it has none. `getpwuid`
  static var userName: String { getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(geteuid())" }

  /// Whether a user is a member of a group, by the system's list. `getgrnam`
  static func isUser(_ user: String, inGroup group: String) -> Bool {
    guard var next = getgrnam(group)?.pointee.gr_mem else { return false }
    while let member = next.pointee {
      if String(cString: member) == user { return true }
      next += 1
    }
    return false
  }

  /// The realtime priority of a thread of this program; 0 where it has none. `sched_getparam`
  static func realtimePriority(ofThread number: Int32) -> Int32 {
    var parameters = sched_param()
    return sched_getparam(number, &parameters) == 0 ? parameters.sched_priority : 0
  }

  /// Has the calling thread run before all that have no realtime priority, or like them (0). Threads and programs that it
  /// starts are like them. Returns whether it was allowed. `sched_setscheduler`
  ///
  /// Where the system ends programs whose realtime threads work for long without a pause, it is not allowed.
  static func setRealtimePriority(_ priority: Int32) -> Bool {
    if priority > 0, limit(__RLIMIT_RTTIME) != nil { return false }
    var parameters = sched_param()
    parameters.sched_priority = priority
    // SCHED_RESET_ON_FORK of <linux/sched.h>, which is a macro that Swift does not see.
    let resetOnFork: Int32 = 0x4000_0000
    return sched_setscheduler(0, (priority > 0 ? SCHED_RR : SCHED_OTHER) | resetOnFork, &parameters) == 0
  }

  // MARK: Programs

  /// Starts a program, found along PATH, in a process group of its own (a Ctrl-C at the terminal is not for it), its
  /// output and errors to `output`. `posix_spawnp`
  static func spawn(_ command: [String], output: Int32, environment: [String]) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK))

    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var id: pid_t = 0
    let failure = posix_spawnp(&id, command[0], &actions, &attributes, &arguments, &variables)
    guard failure == 0 else { throw SystemError(call: command[0], number: failure) }
    return id
  }

  /// `kill`
  static func signal(_ id: pid_t, _ signal: Int32) { _ = kill(id, signal) }

  /// Whether a child has ended; it is gone from the process table then. `waitpid`
  static func hasEnded(_ id: pid_t) -> Bool {
    var status: Int32 = 0
    return waitpid(id, &status, WNOHANG) != 0
  }

  /// The variables of the environment, each as `NAME=value`. `environ`
  static var environment: [String] {
    var result: [String] = []
    var next = environ
    while let text = next.pointee {
      result.append(String(cString: text))
      next += 1
    }
    return result
  }

  /// Runs work on a thread of its own that nobody waits for. `pthread_create`
  static func detachThread(_ work: @escaping @Sendable () -> Void) throws(SystemError) {
    let box = Unmanaged.passRetained(Work(work))
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().work()
        return nil
      }, box.toOpaque())
    guard failure == 0 else {
      box.release()
      throw SystemError(call: "pthread_create", number: failure)
    }
    pthread_detach(thread)
  }

  private final class Work: Sendable {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }

  /// Does something in the midst of which the calling thread is not ended by another. `pthread_setcancelstate`
  static func withoutCancellation(_ work: () -> Void) {
    var before: Int32 = 0
    pthread_setcancelstate(Int32(PTHREAD_CANCEL_DISABLE), &before)
    work()
    pthread_setcancelstate(before, nil)
  }

  // MARK: Parking

  /// The signal that stops a thread for ever: one that nobody else uses.
  private static let parking: Int32 = {
    let number = __libc_current_sigrtmin() + 7
    var action = sigaction()
    action.sa_flags = SA_SIGINFO
    // Only for who means this very thread (`tgkill`), which no shell does.
    action.__sigaction_handler.sa_sigaction = { _, information, _ in
      guard let information, information.pointee.si_code == Int32(SI_TKILL) else { return }
      while true { pause() }
    }
    sigaction(number, &action, nil)
    return number
  }()

  /// Does something on the calling thread that may be parked in it: threads of queues take no signals. `pthread_sigmask`
  static func whileParkable<Value>(_ work: () -> Value) -> Value {
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, parking)
    pthread_sigmask(SIG_UNBLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return work()
  }

  /// Stops a thread of this program for ever, wherever it waits. `pthread_kill`, `sigaction`
  static func park(_ thread: pthread_t) { pthread_kill(thread, parking) }

  /// Stops the calling thread for ever. `pause`
  static func parkThread() -> Never { while true { pause() } }
}

/// What the operating system refused.
public struct SystemError: Error, Hashable, CustomStringConvertible {
  /// The call, or the program that was to be started.
  public let call: String
  /// The system's number of the error.
  public let number: Int32

  /// `call: what the system says`
  public var description: String { "\(call): \(String(cString: strerror(number)))" }
}
