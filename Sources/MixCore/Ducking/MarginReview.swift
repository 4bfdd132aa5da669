/// Compares what is heard of a voice and of those it ducks with the margin that was promised, ten times a second, and
/// says how much more than the margin has to be taken off. Audio thread only; wait-free.
///
/// Judged are the windows of 400 ms in which the voice is at most 6 LU below its mean and has sounded for 300 ms.
struct MarginReview {
  /// LU beyond the margin.
  private(set) var reserve = 1.6
  /// The mean energies of the judged windows.
  private var voice = 0.0
  private var others = 0.0
  /// The share of judged windows in which the voice fell short of its margin, 0…1.
  private var shortfall = 0.05
  private var judged = 0.0
  /// Blocks for which the voice has sounded without a pause.
  private var sounding = 0
  /// The energies of the others as they were heard.
  private var heard = EnergyWindow()
  private var blocks = 0

  /// Judged windows that the means reach back: at least 4 s.
  private static var memory: Double {
    @_noLocks @_noAllocation get { 40 }
  }
  /// LU by which the voice may be louder than promised, on the mean: more is more than the others need to give.
  private static var generosity: Double {
    @_noLocks @_noAllocation get { 2.76 }
  }
  /// LU in each window for each LU of too much.
  private static var lowering: Double {
    @_noLocks @_noAllocation get { 0.018 }
  }
  /// LU in each window for all windows too short, and the share that may be.
  private static var raising: Double {
    @_noLocks @_noAllocation get { 0.7 }
  }
  private static var tolerance: Double {
    @_noLocks @_noAllocation get { 0.04 }
  }
  /// LU below the margin at which a window is too short.
  private static var leniency: Double {
    @_noLocks @_noAllocation get { 1.3 }
  }

  /// Blocks from one judged window to the next, those that the voice has to have sounded before, and the energy below its
  /// mean that is not judged: −6 dB.
  private static var blocksInHop: Int {
    @_noLocks @_noAllocation get { 10 }
  }
  private static var onset: Int {
    @_noLocks @_noAllocation get { 30 }
  }
  private static var quietest: Double {
    @_noLocks @_noAllocation get { 0.2512 }
  }

  @_noLocks @_noAllocation
  init() {}

  /// Goes on by one block of 10 ms.
  ///
  /// - Parameters:
  ///   - voice: Its energy in the window that ends here.
  ///   - isSounding: Whether that is above the threshold of the ducker.
  ///   - voiceMean: The mean energy of the voice.
  ///   - others: The energy of the others in this block, as they were heard.
  ///   - margin: LU.
  ///   - isJudged: Whether the ducker is ducking now: only then is it answerable.
  @_noLocks @_noAllocation
  mutating func step(
    voice: Double, isSounding: Bool, voiceMean: Double, others: Double, margin: Double, isJudged: Bool
  ) {
    heard.append(others)
    blocks = blocks &+ 1 == Self.blocksInHop ? 0 : blocks &+ 1
    sounding = isSounding ? sounding &+ 1 : 0
    if !isJudged || blocks != 0 || sounding <= Self.onset || voice < voiceMean * Self.quietest { return }
    judge(voice: voice, others: max(1e-12, heard.mean()), voiceMean: voiceMean, margin: margin)
  }

  @_noLocks @_noAllocation
  private mutating func judge(voice: Double, others: Double, voiceMean: Double, margin: Double) {
    if judged == 0 {
      self.voice = voiceMean
      self.others = voiceMean * Logarithms.energy(decibels: -margin - 2.5)
    }
    judged += 1
    let weight = max(1 / Self.memory, 1 / (judged + 20))
    self.voice += (voice - self.voice) * weight
    self.others += (others - self.others) * weight
    let isShort = Logarithms.decibels(energy: voice / others) < margin - Self.leniency
    shortfall += ((isShort ? 1 : 0) - shortfall) * weight
    let excess = Logarithms.decibels(energy: self.voice / self.others) - margin - Self.generosity
    if excess > 0 {
      reserve -= Self.lowering * excess
    } else {
      reserve += min(Self.raising * (shortfall - Self.tolerance), -Self.lowering * excess)
    }
    reserve = min(3, max(0.5, reserve))
  }
}
