import Foundation

/// Does something while other programs are kept away from the one processor on which all that is measured runs (the
/// script has seen to that), so that on a busy machine too the caches keep what was in them: between the cycles a thread
/// turns there that gives way to the clients, but hardly to other programs.
func undisturbed<Result>(_ body: () throws -> Result) rethrows -> Result {
  let keeper = Thread {
    // The highest rank among ordinary threads. Where that is not allowed, it is one more of them.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -20)
    let thread = Thread.current
    while !thread.isCancelled {}
  }
  keeper.start()
  defer { keeper.cancel() }
  return try body()
}
