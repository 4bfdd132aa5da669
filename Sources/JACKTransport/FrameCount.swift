import Synchronization

/// Eider's own count of frames, and when each cycle began.
///
/// It is the server's count as long as that goes on evenly. PipeWire counts anew whenever a client comes to be driven by
/// another device, and knows no frame of use before the first cycle: Eider's count goes on by the clock then, so that what
/// is to happen at a frame happens in time.
///
/// Written by the audio thread, and by the control thread before there is one; read by anyone. The audio thread never
/// waits.
struct FrameCount: ~Copyable {
  /// Odd while the audio thread writes what belongs together.
  private let turn = Atomic<UInt64>(0)
  private let newest: Atomic<UInt64>
  private let time: Atomic<UInt64>
  /// The first frame after the newest cycle; 0 before there was one.
  private let end = Atomic<UInt64>(0)
  /// How far this count is ahead of the server's.
  private let lead = Atomic<UInt32>(0)
  private let framesPerMicrosecond: Double
  /// How far from the clock the first cycle of the server's count may be, and how far ahead of it a later one, besides
  /// two cycles, in frames.
  private let (firstTolerance, tolerance): (UInt64, UInt64)

  /// A count before its first cycle.
  ///
  /// - Parameters:
  ///   - start: the frame …
  ///   - time: … and when it is, in microseconds of JACK's clock.
  ///   - rate: Frames per second.
  init(start: UInt64, time: UInt64, rate: Int) {
    newest = Atomic(start)
    self.time = Atomic(time)
    framesPerMicrosecond = Double(max(1, rate)) / 1e6
    (firstTolerance, tolerance) = (UInt64(max(1, rate)), UInt64(max(1, rate / 20)))
  }

  /// The first frame of the newest cycle; before there was one, the frame of a moment ago.
  var start: UInt64 { newest.load(ordering: .acquiring) }

  /// The first frame of the newest cycle, and when that was, in microseconds of JACK's clock.
  var position: (frame: UInt64, time: UInt64) {
    var position = (frame: UInt64(0), time: UInt64(0))
    // The audio thread is done at once, unless somebody has stopped it there: then both are as good as they get.
    for _ in 0..<10_000 {
      let before = turn.load(ordering: .acquiring)
      position = (newest.load(ordering: .acquiring), time.load(ordering: .acquiring))
      if before & 1 == 0, turn.load(ordering: .acquiring) == before { break }
    }
    return position
  }

  /// The frame at a time in microseconds of JACK's clock, by the newest cycle.
  func frame(at time: UInt64) -> UInt64 {
    let position = position
    return position.frame &+ frames(from: position.time, to: time)
  }

  /// The first cycle is near: the count goes on to a time. Control thread, before the audio thread counts.
  func prepare(at time: UInt64) { set(frame(at: time), time: time) }

  /// Counts a cycle. Audio thread only, wait-free.
  ///
  /// - Parameters:
  ///   - server: Its first frame as the server counts.
  ///   - time: When it began, in microseconds of JACK's clock.
  ///   - frames: Its length.
  /// - Returns: Its first frame, and how many frames went by without a cycle before it.
  @_noLocks @_noAllocation @inline(__always)
  borrowing func count(server: UInt32, time: UInt64, frames: UInt32) -> (first: UInt64, lost: UInt64) {
    let formerEnd = end.load(ordering: .relaxed)
    if formerEnd != 0 && server &+ lead.load(ordering: .relaxed) == UInt32(truncatingIfNeeded: formerEnd) {
      end.store(formerEnd &+ UInt64(frames), ordering: .relaxed)
      set(formerEnd, time: time)
      return (formerEnd, 0)
    }
    return countOn(from: formerEnd, server: server, time: time, frames: frames)
  }

  /// Counts a cycle that does not begin where the last one ended.
  @_noLocks @_noAllocation @inline(never)
  private borrowing func countOn(
    from formerEnd: UInt64, server: UInt32, time: UInt64, frames: UInt32
  ) -> (first: UInt64, lost: UInt64) {
    let last = newest.load(ordering: .relaxed)
    let byClock = last &+ self.frames(from: self.time.load(ordering: .relaxed), to: time)
    var first = FrameClock.extend(server &+ lead.load(ordering: .relaxed), near: last)
    if !isCredible(first, byClock: byClock, formerEnd: formerEnd, frames: frames) {
      // What the clock is ahead by less than a cycle is the change's own doing.
      first = byClock >= formerEnd &+ UInt64(frames) || formerEnd == 0 ? byClock : formerEnd
      lead.store(UInt32(truncatingIfNeeded: first) &- server, ordering: .relaxed)
    }
    end.store(first &+ UInt64(frames), ordering: .relaxed)
    set(first, time: time)
    return (first, formerEnd == 0 ? 0 : first &- formerEnd)
  }

  /// Whether the server's count has gone on. It may fall behind the clock, as that of a busy machine without a sound card
  /// does, and it runs ahead of it without a gap when the server freewheels.
  @_noLocks @_noAllocation
  private func isCredible(_ first: UInt64, byClock: UInt64, formerEnd: UInt64, frames: UInt32) -> Bool {
    guard formerEnd != 0 else { return (first > byClock ? first &- byClock : byClock &- first) <= firstTolerance }
    return first >= formerEnd && first <= max(formerEnd, byClock) &+ tolerance &+ 2 &* UInt64(frames)
  }

  @_noLocks @_noAllocation @inline(__always)
  private func set(_ frame: UInt64, time: UInt64) {
    // Whoever sees one of the two also sees that the turn is odd, for they release what was stored before them.
    let turn = self.turn.load(ordering: .relaxed)
    self.turn.store(turn &+ 1, ordering: .relaxed)
    newest.store(frame, ordering: .releasing)
    self.time.store(time, ordering: .releasing)
    self.turn.store(turn &+ 2, ordering: .releasing)
  }

  @_noLocks @_noAllocation
  private func frames(from earlier: UInt64, to later: UInt64) -> UInt64 {
    guard later > earlier else { return 0 }
    return UInt64(Double(later &- earlier) * framesPerMicrosecond)
  }
}
