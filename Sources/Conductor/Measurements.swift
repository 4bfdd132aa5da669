import AddressSpace
import Foundation
import MixCore
import SessionPolicy

/// What the mixer measures, as the address space reads it. Control thread only.
final class Measurements: Environment {
  private var meters: MixMeters?
  private var strips: [SessionID: Int] = [:]
  /// What those had that had its strip before a session.
  private var formerBadSamples: [SessionID: UInt64] = [:]
  private var stripPeaks = PeakBook()
  private var routePeaks = PeakBook()
  private var sessionLoudness = LoudnessDemand<SessionID>()
  private var routeLoudness = LoudnessDemand<Int>()
  /// By the index of an output route: its place in the mixer.
  private var routeSlots: [Int] = []
  /// The present time in seconds, as the conductor was told it last.
  var now = 0.0
  /// The preset file and what is wrong with it.
  var presetReport: [String] = []
  /// How the daemon fares.
  var figures: (DaemonFigure) -> [Argument] = { SilentEnvironment().value(of: $0) }

  /// Measures with other meters from now on, or with none.
  func attach(_ meters: MixMeters?) {
    self.meters = meters
    strips = [:]
    formerBadSamples = [:]
    stripPeaks = PeakBook()
    routePeaks = PeakBook()
  }

  /// The output routes have these places in the mixer from now on.
  func setRouteSlots(_ slots: [Int]) {
    guard slots != routeSlots else { return }
    routeSlots = slots
    routePeaks = PeakBook()
    routeLoudness = LoudnessDemand()
  }

  private func slot(_ index: Int) -> Int { routeSlots.indices.contains(index) ? routeSlots[index] : index }

  func open(_ session: SessionID, strip: Int) {
    strips[session] = strip
    formerBadSamples[session] = meters?.badSamples(ofStrip: strip)
    stripPeaks.forget(strip)
    _ = meters?.takePeak(ofStrip: strip)
  }

  func close(_ session: SessionID) {
    strips[session] = nil
    formerBadSamples[session] = nil
    sessionLoudness.forget(session)
  }

  // MARK: Loudness, which costs something and is measured only where somebody asks

  func measuresLoudness(of session: SessionID) -> Bool { sessionLoudness.contains(session) }

  func measuresLoudness(ofRoute index: Int) -> Bool { routeLoudness.contains(index) }

  /// Whether whose loudness is measured has changed since this was last asked.
  func takeLoudnessChange() -> Bool {
    if !sessionLoudness.isEmpty { sessionLoudness.expire(at: now) }
    if !routeLoudness.isEmpty { routeLoudness.expire(at: now) }
    let (sessions, routes) = (sessionLoudness.takeChange(), routeLoudness.takeChange())
    return sessions || routes
  }

  func forget(_ reader: ReaderID) {
    stripPeaks.forget(reader)
    routePeaks.forget(reader)
  }

  /// Whether a session's input carries the signal that plays it (§9).
  func hasActivationSignal(_ session: SessionID) -> Bool {
    guard let meters, let strip = strips[session] else { return false }
    return meters.hasActivationSignal(strip: strip)
  }

  /// Whether a session's input carries the signal by which it ducks others (D1).
  func hasDuckSignal(_ session: SessionID) -> Bool {
    guard let meters, let strip = strips[session] else { return false }
    return meters.hasDuckSignal(strip: strip)
  }

  // MARK: Environment

  func peak(of session: SessionID, reader: ReaderID) -> Double {
    guard let meters, let strip = strips[session] else { return SilentEnvironment.floor }
    return decibels(stripPeaks.read(strip, reader: reader, taken: meters.takePeak(ofStrip: strip)))
  }

  func loudness(of session: SessionID) -> Double {
    guard let meters, let strip = strips[session] else { return SilentEnvironment.floor }
    sessionLoudness.note(session, at: now)
    return Double(meters.loudness(ofStrip: strip))
  }

  func gain(of session: SessionID) -> Double {
    guard let meters, let strip = strips[session] else { return SilentEnvironment.floor }
    return decibels(meters.gain(ofStrip: strip))
  }

  /// How much the duck of a session takes off now, on the first route on which it sounds.
  func reduction(of session: SessionID) -> Double {
    guard let meters, let strip = strips[session] else { return 0 }
    return decibels(meters.duckGain(ofStrip: strip))
  }

  func badSamples(of session: SessionID) -> Int {
    guard let meters, let strip = strips[session] else { return 0 }
    return Int(clamping: meters.badSamples(ofStrip: strip) - (formerBadSamples[session] ?? 0))
  }

  func marginReduction(of ducker: SessionID) -> Double {
    guard let meters, let strip = strips[ducker] else { return 0 }
    return Double(meters.marginReduction(ofDucker: strip))
  }

  func peak(ofRoute index: Int, reader: ReaderID) -> Double {
    guard let meters else { return SilentEnvironment.floor }
    return decibels(routePeaks.read(slot(index), reader: reader, taken: meters.takePeak(ofOutput: slot(index))))
  }

  func loudness(ofRoute index: Int) -> Double {
    guard let meters else { return SilentEnvironment.floor }
    routeLoudness.note(index, at: now)
    return Double(meters.loudness(ofOutput: slot(index)))
  }

  func limiting(ofRoute index: Int) -> Double { meters.map { Double($0.limiting(ofOutput: slot(index))) } ?? 0 }

  func value(of figure: DaemonFigure) -> [Argument] { figures(figure) }

  private func decibels(_ amplitude: Float) -> Double {
    amplitude > 0 ? max(SilentEnvironment.floor, 20 * log10(Double(amplitude))) : SilentEnvironment.floor
  }
}
