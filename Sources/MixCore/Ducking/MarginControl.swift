/// Decides every 10 ms how far the others are turned down, so that a voice keeps its margin above them (D5). Audio
/// thread only; wait-free.
///
/// The loudness of the voice is the mean of what has sounded lately, about 3 s: pauses do not count. A passage that is
/// quieter than that counts in part. The loudness of the others is that of the last 400 ms, and in part the mean of half a
/// second before. What they need is taken off within the attack. It is given back slowly, a moment later, and not to the
/// last bit, so that nothing pumps between words.
struct MarginControl {
  /// What it has to go by.
  struct Rule {
    /// LU.
    var margin: Double
    /// dB, 0 or less.
    var maxDepth: Double
    /// Blocks of 10 ms.
    var attack: Double
    var release: Double
    /// The energy below which the voice does not count, before its volumes.
    var threshold: Double

    @_noLocks @_noAllocation
    init(_ duck: DuckSettings, framesPerBlock: Int) {
      margin = Double(duck.margin)
      maxDepth = Double(duck.maxDepth)
      attack = max(1, Double(duck.attack) / Double(framesPerBlock))
      release = max(1, Double(duck.release) / Double(framesPerBlock))
      threshold = Double(duck.threshold) * Double(duck.threshold)
    }
  }

  /// How far the others are turned down now, in dB, 0 or less.
  private(set) var level = 0.0
  /// The mean energy of the voice's recent sounding, before its volumes; 0 as long as nothing is known.
  private var voiceEnergy = 0.0
  /// Blocks that it is the mean of.
  private var voiceBlocks = 0.0
  /// The mean energy of the others lately; 0 as long as nothing is known.
  private var othersMean = 0.0
  /// dB in a block, downwards.
  private var slope = 0.0
  /// Blocks for which nothing is given back.
  private var rest = 0

  // Found on recordings of several speakers and pieces (scripts/measure-margin).

  /// Blocks that the mean of the voice reaches back: 3 s of sounding.
  private static var memory: Double {
    @_noLocks @_noAllocation get { 300 }
  }
  /// Blocks that what was taken off stays off.
  private static var patience: Int {
    @_noLocks @_noAllocation get { 17 }
  }
  /// LU that are taken off beyond the margin, for the voice is not always as loud as its mean.
  private static var reserve: Double {
    @_noLocks @_noAllocation get { 1 }
  }
  /// dB beyond need that are not given back.
  private static var remainder: Double {
    @_noLocks @_noAllocation get { 1.2 }
  }
  /// How much a passage counts that is quieter than the mean, at most `quietest` dB.
  private static var quietShare: Double {
    @_noLocks @_noAllocation get { 0.45 }
  }
  private static var quietest: Double {
    @_noLocks @_noAllocation get { 6.5 }
  }
  /// How much the mean of the others counts where they are quieter now, and how much of it each block is.
  private static var meanShare: Double {
    @_noLocks @_noAllocation get { 0.84 }
  }
  private static var meanStep: Double {
    @_noLocks @_noAllocation get { 1.0 / 47 }
  }

  @_noLocks @_noAllocation
  init() {}

  /// Begins at a level where the gains of the others still are. What is known of the voice stays.
  @_noLocks @_noAllocation
  mutating func begin(at level: Double) {
    self.level = level
    othersMean = 0
    slope = 0
    rest = 0
  }

  /// Goes on by one block.
  ///
  /// - Parameters:
  ///   - voice, others: Their loudness as it sounds, the others' before they are turned down.
  ///   - volume: The gain of the voice's volumes, of which what is known of it must not depend.
  ///   - isDucking: Whether it turns them down now; if not, it only listens to the voice.
  @_noLocks @_noAllocation
  mutating func step(voice: LoudnessMeter, others: LoudnessMeter, volume: Double, isDucking: Bool, by rule: Rule) {
    let power = volume * volume
    listen(to: voice, power: power, threshold: rule.threshold)
    if !isDucking { return }
    let need = max(need(voice: voice, others: others, power: power, margin: rule.margin), rule.maxDepth)
    if need < level {
      slope = max(slope, (level - need) / rule.attack)
      level = max(need, level - slope)
      rest = Self.patience
    } else if rest > 0 {
      slope = 0
      rest &-= 1
    } else {
      let target = need == 0 ? 0 : need - Self.remainder
      if target > level { level = min(target, level + 0.006 + (target - level) * 1.2 / rule.release) }
    }
  }

  @_noLocks @_noAllocation
  private mutating func listen(to voice: LoudnessMeter, power: Double, threshold: Double) {
    if power < 1e-12 { return }
    let energy = voice.mean(ofLast: LoudnessMeter.blocksInWindow) / power
    if energy <= threshold || energy < voiceEnergy * 0.22 { return }
    voiceBlocks = min(voiceBlocks + 1, Self.memory)
    voiceEnergy += (energy - voiceEnergy) / voiceBlocks
  }

  /// What the others need to be turned down by, in dB, 0 or less.
  @_noLocks @_noAllocation
  private mutating func need(voice: LoudnessMeter, others: LoudnessMeter, power: Double, margin: Double) -> Double {
    let others = others.mean(ofLast: LoudnessMeter.blocksInWindow)
    othersMean = othersMean == 0 ? others : othersMean + (others - othersMean) * Self.meanStep
    if voiceEnergy == 0 || others < 1e-12 { return 0 }
    var loudness = Logarithms.decibels(energy: voiceEnergy * power)
    let present = Logarithms.decibels(energy: voice.mean(ofLast: 19)) + 0.5
    if present < loudness && present > loudness - Self.quietest { loudness += Self.quietShare * (present - loudness) }
    var othersLoudness = Logarithms.decibels(energy: others)
    let mean = Logarithms.decibels(energy: othersMean)
    if mean > othersLoudness { othersLoudness += Self.meanShare * (mean - othersLoudness) }
    return min(0, loudness - othersLoudness - margin - Self.reserve)
  }
}
