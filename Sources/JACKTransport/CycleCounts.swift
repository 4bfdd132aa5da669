import MixCore
import Synchronization

/// How long cycles take, and which come late: counted by the audio thread, read by the control thread. Each word is
/// written by one of them; nobody waits.
struct CycleCounts: ~Copyable {
  private let cycles = Atomic<UInt64>(0)
  private let lateCycles = Atomic<UInt64>(0)
  private let lostFrames = Atomic<UInt64>(0)
  /// How often a server that waits for nobody went on without this client: it had no cycle, or was not done in time.
  let misses = Atomic<UInt64>(0)
  /// Nanoseconds in all cycles together.
  private let busy = Atomic<UInt64>(0)
  /// Nanoseconds of the longest cycle since the last report.
  private let longest = Atomic<UInt64>(0)
  /// By the class of its length, how many cycles there were. Set aside and freed by the control thread.
  private let histogram: UnsafeMutablePointer<Atomic<UInt64>>

  init() {
    histogram = .allocate(capacity: CycleReport.classCount)
    for index in 0..<CycleReport.classCount { (histogram + index).initialize(to: Atomic(0)) }
  }

  deinit {
    histogram.deinitialize(count: CycleReport.classCount)
    histogram.deallocate()
  }

  /// Counts a cycle. Audio thread only, wait-free.
  ///
  /// - Parameters:
  ///   - length: Nanoseconds that it took.
  ///   - isLate: Whether it was not done in time, and is itself to blame.
  ///   - isOver: Whether it was not done in time, whoever is to blame.
  ///   - lost: Frames that the server had between this cycle and the one before.
  @_noLocks @_noAllocation @inline(__always)
  borrowing func count(length: UInt64, isLate: Bool, isOver: Bool, lost: UInt64) {
    cycles.advance(by: 1)
    busy.advance(by: length)
    histogram[CycleReport.classIndex(of: length)].advance(by: 1)
    if isLate { lateCycles.advance(by: 1) }
    if lost > 0 {
      lostFrames.advance(by: lost)
      misses.advance(by: 1)
    }
    if isOver { misses.advance(by: 1) }
    if length > longest.load(ordering: .relaxed) { longest.store(length, ordering: .relaxed) }
  }

  /// What was counted so far. Control thread only.
  borrowing func takeReport() -> CycleReport {
    CycleReport(
      cycles: cycles.load(ordering: .relaxed), lateCycles: lateCycles.load(ordering: .relaxed),
      lostFrames: lostFrames.load(ordering: .relaxed), busy: busy.load(ordering: .relaxed),
      longest: longest.exchange(0, ordering: .relaxed),
      histogram: (0..<CycleReport.classCount).map { histogram[$0].load(ordering: .relaxed) })
  }
}

/// What the audio thread has counted since its client was opened.
public struct CycleReport: Hashable, Sendable {
  /// Cycles.
  public var cycles: UInt64 = 0
  /// Cycles that were not done when the next was to begin, most of their time having gone in Eider's own turn.
  public var lateCycles: UInt64 = 0
  /// Frames of the server for which there was no cycle.
  public var lostFrames: UInt64 = 0
  /// Nanoseconds in all cycles together.
  public var busy: UInt64 = 0
  /// Nanoseconds of the longest cycle since the report before.
  public var longest: UInt64 = 0
  /// By the class of its length, how many cycles there were.
  var histogram = [UInt64](repeating: 0, count: classCount)

  /// Classes are so wide that a length is known to a sixteenth; the last begins beyond a minute.
  static let classCount = 512

  /// The class of a length in nanoseconds. Wait-free.
  @_noLocks @_noAllocation
  static func classIndex(of length: UInt64) -> Int {
    let length = min(max(length, 16), 1 << 36 &- 1)
    let exponent = 59 &- length.leadingZeroBitCount
    return exponent &* 16 &+ Int(truncatingIfNeeded: length >> UInt64(exponent)) & 15
  }

  /// Where a class ends: the first length in nanoseconds that is too long for it.
  static func end(ofClass index: Int) -> UInt64 { UInt64(17 + index % 16) << UInt64(index / 16) }

  /// The length in nanoseconds that this share (0…1) of the cycles since an earlier report stayed below; 0 where there
  /// were none.
  public func length(below share: Double, since earlier: CycleReport) -> UInt64 {
    let counts = zip(histogram, earlier.histogram).map { $0 - $1 }
    let wanted = Double(counts.reduce(0, +)) * share
    guard wanted > 0 else { return 0 }
    var sum = 0.0
    for (index, count) in counts.enumerated() {
      sum += Double(count)
      if sum >= wanted { return Self.end(ofClass: index) }
    }
    return Self.end(ofClass: Self.classCount - 1)
  }
}
