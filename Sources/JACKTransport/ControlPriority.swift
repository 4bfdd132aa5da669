/// How soon the control thread runs when something comes: right after the audio thread, and before all that has no realtime
/// priority, so that a busy machine does not make a fader late.
///
/// A thread like that could starve a machine. While there is a flood to deal with it steps back among the others, until it
/// waits more than it works again. Control thread only.
public struct ControlPriority {
  /// Seconds over which work and waiting are compared.
  private static let span = 0.1
  /// The share of the time that it has to wait to keep its priority, and the one to get it back.
  private static let keeping = 0.3
  private static let regaining = 0.6

  /// Whether it runs before others now.
  public private(set) var isRaised = false
  private var spanStart = 0.0
  private var waited = 0.0
  private let set: (Int32) -> Bool

  /// - Parameter set: gives the calling thread a realtime priority, or takes it (0); says whether that was allowed.
  init(set: @escaping (Int32) -> Bool) { self.set = set }

  /// The priority of the calling thread.
  public init() { self.init(set: System.setRealtimePriority) }

  /// The thread has waited for news.
  ///
  /// - Parameters:
  ///   - begin: when it began to wait, in seconds; it has worked since it last waited.
  ///   - end: when there was news.
  ///   - audio: the realtime priority of the audio thread; nil while there is none.
  public mutating func note(waitFrom begin: Double, to end: Double, audio: Int32?) {
    waited += end - begin
    guard end - spanStart >= Self.span else { return }
    let share = waited / (end - spanStart)
    (spanStart, waited) = (end, 0)
    let wanted = audio.map { max(0, $0 - 1) } ?? 0
    if isRaised, share < Self.keeping || wanted == 0 {
      isRaised = false
      _ = set(0)
    } else if !isRaised, share > Self.regaining, wanted > 0 {
      isRaised = set(wanted)
    }
  }
}
