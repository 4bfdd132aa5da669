import CJack
import MixCore
import Synchronization

/// What the audio thread of a client works with: a thin shell around the engine, which gathers the buffers of the ports
/// that the engine asks for and lets it mix.
///
/// Made and freed by the control thread, at an address that libjack gets as its argument. `frames`, `began` and `finished`
/// are written by the audio thread and read by anyone; the rest is constant.
struct CycleShell: ~Copyable {
  private let client: Libjack.Client
  /// Nil: the client only watches.
  private let engine: MixEngine?
  /// Which frames the cycles have, and when they began.
  let frames: FrameCount
  /// When the audio thread was woken for the newest cycle, in nanoseconds of the monotonic clock; 0 before there was one.
  let began = Atomic<UInt64>(0)
  /// The first frame of the newest cycle that is over.
  let finished: Atomic<UInt64>
  /// How long cycles take.
  let counts = CycleCounts()
  /// The audio thread, as `System.threadIdentity` has it; 0 before there is one.
  let thread = Atomic<UInt>(0)
  /// The threads that libjack has prepared, by identity and number: the audio thread is not the only one.
  let prepared = Mutex<[UInt: Int32]>([:])
  private let nanosecondsPerFrame: Double
  /// Whether the server waits for who is not done in time. Else it goes on with what it has.
  private let isWaitedFor = !Libjack.isPipeWire

  /// A shell for an open client, whose first cycle is near `start`.
  ///
  /// - Parameter rate: Frames per second.
  init(client: Libjack.Client, engine: MixEngine?, start: UInt64, rate: Int) {
    self.client = client
    self.engine = engine
    frames = FrameCount(start: start, time: Libjack.microseconds, rate: rate)
    finished = Atomic(start)
    nanosecondsPerFrame = 1e9 / Double(max(1, rate))
  }

  /// Has libjack run the shell at an address. Before activation, control thread only.
  static func install(_ shell: UnsafeMutablePointer<CycleShell>) {
    jack_set_thread_init_callback(shell.pointee.client, prepareThread, shell)
    jack_set_process_callback(shell.pointee.client, runCycle, shell)
  }

  /// One cycle. Audio thread only, wait-free.
  @_noLocks @_noAllocation @inline(__always)
  borrowing func run(frames: UInt32) {
    let begin = Libjack.nanoseconds
    began.store(begin, ordering: .relaxed)
    let cycle = Libjack.cycle(client)
    let (first, lost) = self.frames.count(server: cycle.frame, time: cycle.time, frames: frames)
    if thread.load(ordering: .relaxed) == 0 { thread.store(System.threadIdentity, ordering: .releasing) }
    if let engine { run(engine, first: first, frames: frames) }
    let end = Libjack.nanoseconds
    let length = end &- begin
    let period = nanosecondsPerFrame * Double(frames)
    // Whoever has had less than half of the time has been waited for by nobody.
    let isLong = Double(length) > 0.5 * period
    counts.count(
      length: length, isLate: isLong && Libjack.isCycleOver(client),
      isOver: !isWaitedFor && Self.isOver(cycle.time, period: period, at: end), lost: lost)
    finished.store(first, ordering: .releasing)
  }

  /// Whether a cycle is over that began at `start` (in microseconds) and has `period` nanoseconds. Wait-free.
  @_noLocks @_noAllocation @inline(__always)
  static func isOver(_ start: UInt64, period: Double, at nanoseconds: UInt64) -> Bool {
    Double(Int64(bitPattern: nanoseconds &- start &* 1000)) > period
  }

  @_noLocks @_noAllocation @inline(__always)
  private borrowing func run(_ engine: MixEngine, first: UInt64, frames: UInt32) {
    engine.beginCycle(startFrame: first, frames: Int(frames))
    engine.setBuffers { Libjack.buffer(OpaquePointer($0), frames: frames)?.assumingMemoryBound(to: Float.self) }
    engine.process()
  }
}

/// libjack's process callback. Audio thread only, wait-free.
@_noLocks @_noAllocation
@c func runCycle(frames: UInt32, argument: UnsafeMutableRawPointer?) -> Int32 {
  guard let shell = argument?.assumingMemoryBound(to: CycleShell.self) else { return 0 }
  shell.pointee.run(frames: frames)
  return 0
}

/// libjack's thread callback: once on each of its threads, on the audio thread before its first cycle.
@c func prepareThread(argument: UnsafeMutableRawPointer?) {
  FloatingPointMode.flushDenormals()
  guard let shell = argument?.assumingMemoryBound(to: CycleShell.self) else { return }
  shell.pointee.prepared.withLock { $0[System.threadIdentity] = System.threadNumber }
}
