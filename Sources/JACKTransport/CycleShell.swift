import CJack
import MixCore
import Synchronization

/// What the audio thread of a client works with: a thin shell around the engine, which gathers the buffers of the ports
/// that the engine asks for and lets it mix.
///
/// Made and freed by the control thread, at an address that libjack gets as its argument. `start` is written
/// by the audio thread and read by anyone; the rest is constant.
struct CycleShell: ~Copyable {
  private let client: Libjack.Client
  /// Nil: the client only watches.
  private let engine: MixEngine?
  /// The first frame of the newest cycle.
  let start: Atomic<UInt64>

  /// A shell for an open client, whose first cycle is near `start`.
  init(client: Libjack.Client, engine: MixEngine?, start: UInt64) {
    self.client = client
    self.engine = engine
    self.start = Atomic(start)
  }

  /// Has libjack run the shell at an address. Before activation, control thread only.
  static func install(_ shell: UnsafeMutablePointer<CycleShell>) {
    jack_set_thread_init_callback(shell.pointee.client, prepareThread, nil)
    jack_set_process_callback(shell.pointee.client, runCycle, shell)
  }

  /// One cycle. Audio thread only, wait-free.
  @_noLocks @_noAllocation
  borrowing func run(frames: UInt32) {
    let first = FrameClock.extend(Libjack.cycleStart(client), near: start.load(ordering: .relaxed))
    start.store(first, ordering: .releasing)
    guard let engine else { return }
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

/// libjack's thread callback: once on the audio thread, before its first cycle.
@c func prepareThread(argument: UnsafeMutableRawPointer?) { FloatingPointMode.flushDenormals() }
