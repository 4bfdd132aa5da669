import Glibc

extension JACKClient {
  /// Frames per second.
  public var sampleRate: Int { Libjack.sampleRate(handle) }

  /// Frames per cycle.
  public var period: Int { Libjack.period(handle) }

  /// Whether the server runs its clients with realtime priority.
  public var isRealtime: Bool { Libjack.isRealtime(handle) }

  /// The realtime priority of the audio thread; nil where the server has none.
  public var realtimePriority: Int32? {
    // What PipeWire tells is another priority than its thread has.
    let priority =
      Libjack.isPipeWire
      ? audioThreadNumber.map { System.realtimePriority(ofThread: $0) } ?? 0 : Libjack.realtimePriority(handle)
    return priority > 0 ? priority : nil
  }

  /// The server's load in per cent of a period, averaged by the server.
  public var load: Double { Double(Libjack.load(handle)) }

  /// The first frame of the server's newest cycle, whether this client took part in it or not: the server writes it in
  /// shared memory.
  public var serverCycle: UInt32 { Libjack.cycleStart(handle) }

  /// How frames stand to Unix time (nanoseconds since 1970, UTC) at present. Take it once for each time that is to be
  /// converted: it follows the clocks of the sound card and of the system.
  public var clock: FrameClock {
    let (frame, start) = cyclePosition
    // Whoever is put aside between the two clocks is wrong by as long: of a few readings the closest counts.
    var (distance, closest) = (Int64(0), Int64.max)
    for _ in 0..<8 where closest > 20_000 {
      let before = System.nanoseconds(CLOCK_REALTIME)
      let now = Libjack.microseconds
      let length = System.nanoseconds(CLOCK_REALTIME) - before
      if length < closest { (distance, closest) = (before + length / 2 - Int64(now) * 1000, length) }
    }
    return FrameClock(frame: frame, nanoseconds: Int64(start) * 1000 + distance, rate: sampleRate)
  }
}
