import MixCore

/// Runs the mixer on ports in memory, as the JACK callback runs it on those of JACK. One thread, that of the mixer's
/// engine.
struct CycleShell {
  let engine: MixEngine
  /// The longest cycle, in frames. Cycles begin at its multiples, and where they have to.
  let period: Int

  /// Runs cycles over a stretch of time. A stretch of no frames is one cycle of no frames: what is due comes into force.
  ///
  /// - Parameters:
  ///   - origin: the frame of the first sample of each port's buffer; at most `start`.
  ///   - start: the first frame.
  ///   - end: the frame after the last one. The buffers reach as far.
  ///   - stems: where the parts of the sum go; their buffers begin at `origin` too.
  func run(origin: UInt64, from start: UInt64, to end: UInt64, stems: [StemFiles.Place] = []) {
    let period = UInt64(period)
    var frame = start
    repeat {
      let next = min(end, (frame / period + 1) * period)
      let offset = Int(frame - origin)
      for stem in stems {
        engine.setStem(
          stem.first + offset, stem.second.map { $0 + offset }, ofStrip: stem.strip, onRoute: stem.route)
      }
      cycle(at: frame, frames: Int(next - frame), offset: offset)
      frame = next
    } while frame < end
    for stem in stems { engine.setStem(nil, nil, ofStrip: stem.strip, onRoute: stem.route) }
  }

  private func cycle(at frame: UInt64, frames: Int, offset: Int) {
    engine.beginCycle(startFrame: frame, frames: frames)
    // The handle of a port is the address of its buffer.
    engine.setBuffers { $0.assumingMemoryBound(to: Float.self) + offset }
    engine.process()
  }
}
