/// Decides every 10 ms how far the others are turned down, so that a voice keeps its margin above them (D5). Audio
/// thread only; wait-free.
///
/// The loudness of the voice is the mean of what has sounded lately, 1.5 s: pauses do not count. The loudness of the others
/// is that of the last 400 ms, or its mean over two thirds of a second where that is louder. What they need is taken off
/// within the attack. It is given back more slowly, and not to the last bit, so that nothing pumps between words.
///
/// Voices and pieces differ in how much their loudness moves, so it judges itself: it compares what was heard with what
/// was promised, and takes off more where the voice often falls short of its margin, less where the others were turned
/// down more than they need.
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
  /// The energies of the voice, before its volumes: what is known of it must not depend on them.
  private var voiceWindow = EnergyWindow()
  /// The mean energy of the voice's recent sounding, before its volumes; 0 as long as nothing is known.
  private var voiceEnergy = 0.0
  /// Blocks that it is the mean of.
  private var voiceBlocks = 0.0
  /// The mean energy of the others lately; 0 as long as nothing is known.
  private var othersMean = 0.0
  /// dB in a block, downwards.
  private var slope = 0.0
  /// What was promised and what was heard.
  private var review = MarginReview()

  // Found on recordings of several speakers and pieces (scripts/measure-margin).

  /// Blocks that the mean of the voice reaches back: 1.5 s of sounding.
  private static var memory: Double {
    @_noLocks @_noAllocation get { 150 }
  }
  /// The share of its mean energy below which the voice counts as a pause.
  private static var pauseShare: Double {
    @_noLocks @_noAllocation get { 0.32 }
  }
  /// How much of the mean of the others each block is.
  private static var meanStep: Double {
    @_noLocks @_noAllocation get { 1.0 / 67 }
  }
  /// dB beyond need that are not given back.
  private static var remainder: Double {
    @_noLocks @_noAllocation get { 1.9 }
  }
  /// How fast is given back what is no longer needed: so many times the rest of the way within the release.
  private static var haste: Double {
    @_noLocks @_noAllocation get { 7 }
  }
  /// dB that are given back in a block at least.
  private static var creep: Double {
    @_noLocks @_noAllocation get { 0.004 }
  }

  @_noLocks @_noAllocation
  init() {}

  /// Begins at a level where the gains of the others still are. What is known of the voice stays.
  @_noLocks @_noAllocation
  mutating func begin(at level: Double) {
    self.level = level
    othersMean = 0
    slope = 0
  }

  /// Goes on by one block.
  ///
  /// - Parameters:
  ///   - voice, others: Their loudness as it sounds, the others' before they are turned down.
  ///   - volume: The gain of the voice's volumes.
  ///   - isDucking: Whether it turns them down now; if not, it only listens to the voice.
  @_noLocks @_noAllocation
  mutating func step(voice: LoudnessMeter, others: LoudnessMeter, volume: Double, isDucking: Bool, by rule: Rule) {
    let power = volume * volume
    listen(to: voice, power: power, threshold: rule.threshold)
    review.step(
      voice: voiceWindow.mean() * power, isSounding: voiceWindow.mean() > rule.threshold,
      voiceMean: voiceEnergy * power,
      others: others.window.mean(ofLast: 1) * Logarithms.energy(decibels: isDucking ? level : 0), margin: rule.margin,
      isJudged: isDucking)
    if !isDucking { return }
    let need = max(need(others: others, power: power, margin: rule.margin), rule.maxDepth)
    if need < level {
      slope = max(slope, (level - need) / rule.attack)
      level = max(need, level - slope)
    } else {
      let target = need == 0 ? 0 : need - Self.remainder
      if target > level { level = min(target, level + Self.creep + (target - level) * Self.haste / rule.release) }
    }
  }

  @_noLocks @_noAllocation
  private mutating func listen(to voice: LoudnessMeter, power: Double, threshold: Double) {
    voiceWindow.append(power > 1e-12 ? voice.window.mean(ofLast: 1) / power : 0)
    let energy = voiceWindow.mean()
    if energy <= threshold || energy < voiceEnergy * Self.pauseShare { return }
    voiceBlocks = min(voiceBlocks + 1, Self.memory)
    voiceEnergy += (energy - voiceEnergy) / voiceBlocks
  }

  /// What the others need to be turned down by, in dB, 0 or less.
  @_noLocks @_noAllocation
  private mutating func need(others: LoudnessMeter, power: Double, margin: Double) -> Double {
    let others = others.window.mean()
    othersMean = othersMean == 0 ? others : othersMean + (others - othersMean) * Self.meanStep
    if voiceEnergy == 0 || others < 1e-12 { return 0 }
    let voice = Logarithms.decibels(energy: voiceEnergy * power)
    let loudness = Logarithms.decibels(energy: max(others, othersMean))
    return min(0, voice - loudness - margin - review.reserve)
  }
}
