import Daemon
import Foundation
import OfflineRenderer
import Presets

/// `eider render`: the live code on files.
enum RenderCommand: Command {
  static let name = "render"
  static let summary = "the live code on sound files instead of JACK, faster than real time"
  static let help = """
    usage: eider render --preset FILE --script FILE --in SESSION=WAV… --out ROUTE=WAV… [--stems DIR]
                        [--rate HZ] [--period FRAMES] [--plot FILE.svg]

      --preset FILE        routes, sessions and scenes (default: as for eider simulate)
      --script FILE        what happens when; lines that expect something are checked as by eider simulate
      --in NAME=FILE       what a session plays, or what an input route's microphone hears, from the first frame on:
                           any format that libsndfile reads, mono or stereo. Others are silent
      --out ROUTE=FILE     where the sound of a route goes: a WAV file of 32-bit float samples
      --stems DIR          where each session's part of each of its routes goes, SESSION@ROUTE.wav, and what it hears of
                           the microphone, SESSION@mic.wav. The parts of a route make up the route where its limiter
                           does nothing
      --rate HZ            frames per second (default: that of the inputs, else 48000). Nothing is resampled
      --period FRAMES      the longest cycle, 1…8192 (default: 1024). The result is the same for each
      --plot FILE.svg      draws levels, ducks and states over time

    There is no JACK: a route whose ports decide is there if an --out names it, or if there is no --out, and inputs are
    there; both until the script says otherwise by /route/NAME/available and /input/NAME/available.
    A session that plays a file counts as connected from the first frame on. The result is as long as the
    longest input, and at least up to the last line of the script; it is the same on every run.

    Prints each expectation that does not hold and a last line “N passed, N failed”.
    Exits with 1 if any failed, 2 if something cannot be read or written.
    """

  static func run(_ words: inout CommandWords) throws -> ExitCode {
    guard let (request, plot) = try request(&words) else { return .wrongUse }
    let progress = ProgressLine()
    let report: RenderReport
    do throws(RenderError) {
      report = try Rendering(request, version: Daemon.version).run { progress.show($0, of: $1) }
    } catch {
      progress.clear()
      Console.complain("eider render: \(error)")
      return .wrongUse
    }
    progress.clear()
    if let plot, let drawing = report.plot {
      do {
        try Data(drawing.utf8).write(to: URL(fileURLWithPath: plot), options: .atomic)
      } catch {
        Console.complain("eider render: \(plot): it cannot be written: \(error.localizedDescription)")
        return .wrongUse
      }
    }
    let judge = report.judge
    for warning in report.warnings { Console.complain("eider render: \(warning)") }
    for refusal in judge.refusals { Console.complain(refusal) }
    for failure in judge.failures { Console.say(failure.description) }
    Console.say("\(judge.passed) passed, \(judge.failures.count) failed")
    return judge.failures.isEmpty ? .done : .notSo
  }

  /// What is asked for, and where the drawing goes; `nil` where the preset cannot be used: that has been said.
  private static func request(_ words: inout CommandWords) throws -> (RenderRequest, plot: String?)? {
    var preset = Preset.scriptDefault
    var script: String?
    var plot: String?
    var stems: String?
    var inputs: [RenderRequest.Binding] = []
    var outputs: [RenderRequest.Binding] = []
    var rate: Int?
    var period: Int?
    while let word = words.next() {
      switch word {
      case "--preset":
        guard let read = PresetFile.read(try words.value(of: word)) else { return nil }
        preset = read
      case "--script": script = try words.value(of: word)
      case "--in": inputs += try words.values(of: word).map { try binding($0, of: word, "SESSION=FILE") }
      case "--out": outputs += try words.values(of: word).map { try binding($0, of: word, "ROUTE=FILE") }
      case "--rate": rate = try words.number(of: word, in: 1000...768_000)
      case "--period": period = try words.number(of: word, in: 1...8192)
      case "--stems": stems = try words.value(of: word)
      case "--plot": plot = try words.value(of: word)
      default: throw UsageError(word.hasPrefix("--") ? "there is no option \(word)" : "what is \(word) for?")
      }
    }
    guard let script else { throw UsageError("which script? --script FILE") }
    guard !outputs.isEmpty || stems != nil || plot != nil else {
      throw UsageError("what is wanted of it? --out ROUTE=FILE")
    }
    if let plot {
      let folder = URL(fileURLWithPath: plot).deletingLastPathComponent().path
      guard FileManager.default.isWritableFile(atPath: folder) else {
        throw UsageError("--plot \(plot): there is no directory \(folder) that can be written to")
      }
    }
    var request = RenderRequest(preset: preset, script: try ScriptFile.read(script))
    request.inputs = inputs
    request.outputs = outputs
    request.rate = rate
    if let period { request.period = period }
    request.stems = stems
    request.isPlotted = plot != nil
    return (request, plot)
  }

  private static func binding(
    _ word: String, of option: String, _ form: String
  ) throws(UsageError) -> RenderRequest.Binding {
    guard let sign = word.firstIndex(of: "="), sign != word.startIndex, word.index(after: sign) != word.endIndex else {
      throw UsageError("\(option) takes \(form), got \(word)")
    }
    return RenderRequest.Binding(name: String(word[..<sign]), path: String(word[word.index(after: sign)...]))
  }
}

/// How far a long work is, on standard error: on a terminal at once, elsewhere only what takes longer.
final class ProgressLine {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant?
  private var isShown = false

  /// Shows how much is done, now and then.
  func show(_ done: Int, of all: Int) {
    let now = ContinuousClock.now
    let pause: Duration = isTerminal ? .milliseconds(200) : .seconds(2)
    guard all > 0, now - (last ?? start) >= pause else { return }
    last = now
    isShown = true
    let line = "rendering: \(100 * done / all) %"
    FileHandle.standardError.write(Data((isTerminal ? "\r\(line)" : "\(line)\n").utf8))
  }

  /// Takes the line away again.
  func clear() {
    guard isTerminal, isShown else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    isShown = false
  }
}
