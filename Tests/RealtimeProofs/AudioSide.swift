import MixCore

#if REALTIME_SANITIZER
  import CRealtimeSanitizer

  /// From here on the sanitizer ends the program at the first call that may take unbounded time.
  @_noLocks @_noAllocation
  func enterRealtime() { __rtsan_realtime_enter() }

  @_noLocks @_noAllocation
  func leaveRealtime() { __rtsan_realtime_exit() }
#else
  @_noLocks @_noAllocation
  func enterRealtime() {}

  @_noLocks @_noAllocation
  func leaveRealtime() {}
#endif

/// The audio thread of the scene, with memory instead of JACK: each port is the index of its buffer plus 1.
struct AudioSide {
  private let engine: MixEngine
  private let buffers: UnsafeMutablePointer<Float>
  private var frame: UInt64 = 0
  private var seed: UInt32 = 1
  /// The sum of all that came out: 0 means that nothing was proved.
  private(set) var energy = 0.0

  static let longestPeriod = 1024
  /// Longer than the longest period, for the cycle that comes out of the blue.
  private static let stride = 2 * longestPeriod

  init(engine: MixEngine, stems: Int) {
    self.engine = engine
    buffers = .allocate(capacity: (Ports.count + 2 * stems) * Self.stride)
    buffers.initialize(repeating: 0, count: (Ports.count + 2 * stems) * Self.stride)
    // Every other strip has a stem on the first route.
    for stem in 0..<stems {
      let first = buffers + (Ports.count + 2 * stem) * Self.stride
      engine.setStem(first, first + Self.stride, ofStrip: 2 * stem, onRoute: 0)
    }
  }

  func free() { buffers.deallocate() }

  /// New noise in all inputs; now and then a sample that is no finite number.
  mutating func fillInputs(frames: Int, turn: Int) {
    for port in 0..<Ports.firstOutput {
      let buffer = buffers + port * Self.stride
      // A signal comes and goes, so that those that listen for one have something to hear.
      let loudness: Float = (turn / 64 + port) % 3 == 0 ? 0 : 0.7
      for index in 0..<frames {
        seed = seed &* 1_664_525 &+ 1_013_904_223
        buffer[index] = Float(Int32(bitPattern: seed)) * 0x1p-31 * loudness
      }
    }
    if turn % 50 == 7 { buffers[(turn / 50 % Ports.firstOutput) * Self.stride] = turn % 100 == 7 ? .nan : .infinity }
  }

  /// One cycle, under the sanitizer from its first to its last instruction.
  mutating func cycle(frames: Int) {
    enterRealtime()
    let count = engine.beginCycle(startFrame: frame, frames: frames)
    var index = 0
    while index < count {
      let port = Int(bitPattern: engine.port(at: index)) &- 1
      engine.setBuffer(buffers + port &* Self.stride, at: index)
      index &+= 1
    }
    engine.process()
    leaveRealtime()
    for port in Ports.firstOutput..<Ports.count { energy += Double(abs((buffers + port * Self.stride)[frames / 2])) }
    frame += UInt64(frames)
  }
}
