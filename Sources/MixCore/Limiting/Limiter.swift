/// Keeps one route below its ceiling. Audio thread only; wait-free.
///
/// Both channels get one gain. What does not reach the ceiling passes bit by bit. Without look-ahead the gain falls on the
/// very sample that would be too great; with it the gain glides down over the frames before: the mean of the smallest
/// gains needed, over as many frames as the delay has. Afterwards the gain rests for 10 ms, half a wave of 50 Hz, and
/// comes back with a time constant of 80 ms until it is exactly 1.
struct Limiter {
  /// The ceiling, an amplitude; infinity where there is none.
  private(set) var ceiling: Float = .infinity
  /// The gain of the last frame.
  private(set) var gain: Float = 1
  /// The delay in frames.
  private(set) var lookAhead = 0
  /// Frames since `reduction` was last above 0, up to one more than the look-ahead.
  private var calmFrames = 1
  /// 1 − the gain before it is smoothed. `Double`, or its last steps would be too small to count.
  private var reduction = 0.0
  private var minimumCount = 0

  /// Two channels of the delay, `capacity` frames each.
  private let delay: UnsafeMutablePointer<Float>
  /// The gains of the last `lookAhead + 1` frames, 2³⁰ is 1: whole numbers, so that their sum never drifts.
  private let gains: UnsafeMutablePointer<UInt32>
  /// The smallest gains needed in the last `lookAhead + 1` frames, in the order of their frames, each smaller than all
  /// after it.
  private let minima: UnsafeMutablePointer<Minimum>
  /// The longest look-ahead.
  let capacity: Int
  private let holdFrames: Int
  private let recovery: Double
  /// Frames for which it still rests.
  private var rest = 0
  private var cursor = 0
  private var gainCursor = 0
  private var gainSum: UInt64 = 0
  private var firstMinimum = 0
  private var clock: UInt64 = 0

  /// A gain that is needed, and the frame that needs it.
  struct Minimum {
    var gain: Float = 1
    var frame: UInt64 = 0
  }

  /// Control thread only.
  ///
  /// - Parameters:
  ///   - delay: 2 × `capacity` samples.
  ///   - gains: `capacity` + 1.
  ///   - minima: `capacity` + 1.
  ///   - keep: What one frame leaves of a reduction on its way back, 0…1.
  init(
    delay: UnsafeMutablePointer<Float>, gains: UnsafeMutablePointer<UInt32>, minima: UnsafeMutablePointer<Minimum>,
    capacity: Int, hold: Int, keep: Double
  ) {
    self.delay = delay
    self.gains = gains
    self.minima = minima
    self.capacity = capacity
    holdFrames = hold
    recovery = keep
    gains[0] = Self.one
    gainSum = UInt64(Self.one)
  }

  private static var one: UInt32 {
    @_noLocks @_noAllocation get { 1 << 30 }
  }

  /// Sets the ceiling and the delay. Another delay forgets all that was heard.
  @_noLocks @_noAllocation
  mutating func set(ceiling: Float, lookAhead: Int) {
    self.ceiling = ceiling
    if lookAhead == self.lookAhead { return }
    self.lookAhead = min(max(lookAhead, 0), capacity)
    restart()
  }

  /// Forgets all that was heard.
  @_noLocks @_noAllocation
  mutating func restart() {
    gain = 1
    reduction = 0
    rest = 0
    calmFrames = lookAhead &+ 1
    cursor = 0
    gainCursor = 0
    minimumCount = 0
    firstMinimum = 0
    gainSum = UInt64(lookAhead &+ 1) &* UInt64(Self.one)
    gains.update(repeating: Self.one, count: lookAhead &+ 1)
    delay.update(repeating: 0, count: lookAhead)
    (delay + capacity).update(repeating: 0, count: lookAhead)
  }

  /// Limits some frames in place.
  ///
  /// - Parameters:
  ///   - right: The second channel, if there is one.
  ///   - peak: The bit pattern of the greatest amplitude in both, which must be finite.
  /// - Returns: Whether the samples differ from what they were.
  @_noLocks @_noAllocation @inline(__always)
  mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>?, count: Int, peak: UInt32
  ) -> Bool {
    let isCalm = calmFrames > lookAhead && minimumCount == 0 && reduction == 0 && peak <= ceiling.bitPattern
    if isCalm { gain = 1 }
    if isCalm && lookAhead == 0 { return false }
    change(left, right, count: count, isCalm: isCalm)
    return true
  }

  @_noLocks @_noAllocation @inline(never)
  private mutating func change(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>?, count: Int, isCalm: Bool
  ) {
    var index = 0
    if isCalm {
      while index < count {
        exchange(left + index, right.map { $0 + index })
        index &+= 1
      }
      return
    }
    while index < count {
      let second = right.map { $0 + index }
      let level = max(left[index].magnitude, second?.pointee.magnitude ?? 0)
      let needed = level > ceiling ? ceiling / level : 1
      if lookAhead == 0 {
        gain = follow(needed)
      } else {
        gain = smooth(follow(smallest(of: needed)))
        exchange(left + index, second)
      }
      left[index] = limit(left[index])
      if let second { second.pointee = limit(second.pointee) }
      index &+= 1
    }
  }

  /// A sample with its gain. The last rounding may not carry it past the ceiling, nor may a ceiling that has just come
  /// down over what was on its way.
  @_noLocks @_noAllocation @inline(__always)
  private func limit(_ sample: Float) -> Float { min(max(sample * gain, -ceiling), ceiling) }

  /// Takes samples out of the delay and puts others in.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func exchange(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>?) {
    let delayed = delay[cursor]
    delay[cursor] = left.pointee
    left.pointee = delayed
    if let right {
      let delayed = delay[capacity &+ cursor]
      delay[capacity &+ cursor] = right.pointee
      right.pointee = delayed
    }
    cursor &+= 1
    if cursor == lookAhead { cursor = 0 }
  }

  /// Falls to a gain at once, rests, and comes back.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func follow(_ needed: Float) -> Float {
    let wanted = 1 - Double(needed)
    if wanted >= reduction {
      reduction = wanted
      rest = holdFrames
    } else if rest > 0 {
      rest &-= 1
    } else {
      reduction = max(reduction * recovery, wanted)
      // −100 dB below what it is a factor of: nobody hears this step, and the samples are themselves again.
      if reduction < 1e-5 { reduction = wanted }
    }
    return Float(1 - reduction)
  }

  /// The smallest gain that is needed in the last `lookAhead + 1` frames.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func smallest(of needed: Float) -> Float {
    clock &+= 1
    let size = lookAhead &+ 1
    if minimumCount > 0 && minima[firstMinimum].frame &+ UInt64(lookAhead) < clock {
      firstMinimum = firstMinimum &+ 1 == size ? 0 : firstMinimum &+ 1
      minimumCount &-= 1
    }
    if needed < 1 {
      while minimumCount > 0 && minima[place(minimumCount &- 1)].gain >= needed { minimumCount &-= 1 }
      minima[place(minimumCount)] = Minimum(gain: needed, frame: clock)
      minimumCount &+= 1
    }
    return minimumCount > 0 ? minima[firstMinimum].gain : 1
  }

  @_noLocks @_noAllocation @inline(__always)
  private func place(_ minimum: Int) -> Int {
    let place = firstMinimum &+ minimum
    return place > lookAhead ? place &- lookAhead &- 1 : place
  }

  /// The mean of the last `lookAhead + 1` gains. Each of them is small enough for the frame that now leaves the delay,
  /// therefore their mean is.
  @_noLocks @_noAllocation @inline(__always)
  private mutating func smooth(_ gain: Float) -> Float {
    let whole = UInt32(gain * Float(Self.one))
    gainSum = gainSum &- UInt64(gains[gainCursor]) &+ UInt64(whole)
    gains[gainCursor] = whole
    gainCursor = gainCursor == lookAhead ? 0 : gainCursor &+ 1
    calmFrames = whole == Self.one ? min(calmFrames &+ 1, lookAhead &+ 1) : 0
    return Float(Double(gainSum) / (Double(lookAhead &+ 1) * Double(Self.one)))
  }
}
