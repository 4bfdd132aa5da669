import AddressSpace
import Conductor
import MixCore
import Scripts
import SessionPolicy

/// Runs the live code, the same conductor and mixer, on sound files and a script instead of JACK and OSC. One thread.
///
/// Every line of the script, and all that the host does by itself, takes effect exactly on the frame of its time, the nearest one to
/// time × rate. What the mixer hears reaches the policy at the multiples of `signalGrid`. So nothing depends on the
/// period.
///
/// The ports of the routes that have a file exist. A session that plays a file counts as connected from the first frame on. It is
/// as long as the longest input, and at least up to the last line of the script.
public final class Rendering {
  /// How many frames apart the control side asks what the mixer has heard.
  static let signalGrid: UInt64 = 64
  /// How many frames are prepared at once where nobody needs to ask.
  static let stretch: UInt64 = 8192
  /// How many events are published at most before the mixer takes them.
  private static let mostPublications = 32
  /// The longest time that a script may take.
  private static let longestScript = 7.0 * 24 * 3600

  private let rate: Int
  private let length: UInt64
  private let mixer: Mixer
  private let conductor: Conductor
  private let ports = MemoryPorts(capacity: Int(Rendering.stretch))
  private let shell: CycleShell
  private let inputs: InputFiles
  private let outputs: OutputFiles
  private let stems: StemFiles?
  private var recorder: PlotRecorder?
  private var steps: ArraySlice<Script.Step>
  private var judge: ScriptJudge
  private var warnings: [String] = []
  /// The sessions that are known to play a file.
  private var connected: Set<SessionID> = []
  /// The frame that the mixer is at.
  private var frame: UInt64 = 0
  /// The frame of the newest event; at least `frame`.
  private var eventFrame: UInt64 = 0

  /// Opens all files.
  /// - Parameter version: of the program, as scripts can read it.
  public init(_ request: RenderRequest, version: String) throws(RenderError) {
    guard (1...Int(Self.stretch)).contains(request.period) else {
      throw RenderError("a period has 1…\(Self.stretch) frames, not \(request.period)")
    }
    guard request.script.end <= Self.longestScript else {
      throw RenderError("the script takes \(request.script.end) s; a rendering takes at most \(Self.longestScript) s")
    }
    inputs = try InputFiles(request)
    rate = request.rate ?? inputs.rate ?? 48_000
    guard (1000...768_000).contains(rate) else {
      throw RenderError("a rate is 1000…768000 Hz, not \(rate)")
    }
    length = max(UInt64(inputs.length), UInt64((request.script.end * Double(rate)).rounded()))
    outputs = try OutputFiles(request, rate: rate, frames: Int(length))
    if let folder = request.stems {
      stems = try StemFiles(
        folder, request.preset, rate: rate, frames: Int(length), capacity: Int(Self.stretch))
    } else {
      stems = nil
    }
    mixer = Mixer(
      capacity: MixCapacity(timedChanges: 65_536, hasStems: stems != nil), sampleRate: Double(rate))
    shell = CycleShell(engine: mixer.engine, period: request.period)
    // A rendering has the ports of the routes that it writes down, for what sounds elsewhere nobody would hear; and of
    // all, where it writes nothing.
    let silent = Set(request.outputs.isEmpty ? [] : request.preset.routes.map(\.name))
      .subtracting(request.outputs.map(\.name))
    conductor = Conductor(preset: request.preset.withoutJACK { !silent.contains($0) }, version: version)
    steps = request.script.steps[...]
    judge = ScriptJudge(request.script)
    if request.isPlotted {
      recorder = PlotRecorder(request, routes: conductor.policy.outputRoutes, rate: rate, length: Int(length))
    }
  }

  /// Renders everything and finishes the files.
  /// - Parameter progress: is told now and then how many frames of how many are done.
  public func run(progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }) throws(RenderError) -> RenderReport {
    FloatingPointMode.flushDenormals()
    conductor.witness = { [unowned self] in judge.notices += $0 }
    conductor.attach(mixer, rate: Double(rate), ports: ports, channels: conductor.preset.expectedChannels(ofRoute:))
    connectFiles(at: 0, onFrame: 0)
    while true {
      control()
      let end = performDue()
      if frame == length && nextDue == nil { break }
      try run(to: end)
      progress(Int(frame), Int(length))
    }
    try outputs.finish()
    try stems?.finish()
    return RenderReport(
      judge: judge, warnings: warnings + outputs.surprises, frames: Int(length), rate: rate,
      plot: record.map { PlotDrawing($0).svg })
  }

  /// What was recorded for a drawing, where one was asked for.
  var record: PlotRecord? { recorder?.record }

  // MARK: The control side

  private func seconds(_ frame: UInt64) -> Double { Double(frame) / Double(rate) }

  private func frame(_ seconds: Double) -> UInt64 { UInt64((seconds * Double(rate)).rounded()) }

  /// The next frame at which the control side asks the mixer.
  private func nextControl(after frame: UInt64) -> UInt64 {
    let grid = conductor.hearsSignals ? Self.signalGrid : Self.stretch
    return (frame / grid + 1) * grid
  }

  /// Does what the control thread of the daemon does in each of its turns.
  private func control() {
    guard frame % (conductor.hearsSignals ? Self.signalGrid : Self.stretch) == 0 else { return }
    conductor.advance(to: Moment(seconds: seconds(frame), frame: frame), lead: 0)
    conductor.publish(atFrame: frame)
    eventFrame = max(eventFrame, frame)
    note(at: frame)
  }

  /// What happens next.
  private enum Due {
    case step(Script.Step)
    case ownEvent(seconds: Double)
  }

  /// What happens next, and its frame; `nil`: nothing until the end.
  private var nextDue: (what: Due, frame: UInt64)? {
    var next: (what: Due, frame: UInt64)?
    if let step = steps.first { next = (.step(step), max(eventFrame, frame(step.time))) }
    if let time = conductor.nextOwnTime, time <= steps.first?.time ?? seconds(length) {
      next = (.ownEvent(seconds: time), max(eventFrame, frame(time)))
    }
    return next
  }

  /// Performs what happens before the mixer has to be asked again, and returns the frame up to which it runs now.
  private func performDue() -> UInt64 {
    var limit = min(nextControl(after: frame), length)
    var publications = 0
    while let due = nextDue, due.frame < limit || due.frame == frame {
      if publications >= Self.mostPublications { return due.frame }
      switch due.what {
      case .ownEvent(let seconds):
        conductor.performOwnEvents(until: seconds, onFrame: due.frame)
      case .step(let step):
        // What is expected may have to be measured: the mixer has to be there.
        guard step.isSending || due.frame == frame else { return due.frame }
        steps.removeFirst()
        perform(step, onFrame: due.frame)
      }
      eventFrame = due.frame
      publications += 1
      note(at: due.frame)
      limit = min(limit, nextControl(after: due.frame))
    }
    return max(frame, limit)
  }

  private func perform(_ step: Script.Step, onFrame frame: UInt64) {
    switch step.action {
    case .send(let sendings):
      judge.notices = []
      let matches = sendings.map { AddressTable.matchCount(of: $0.message, in: conductor.policy) }
      let replies = conductor.perform(sendings.map(\.message), from: .only, at: step.time, onFrame: frame)
      for (index, sending) in sendings.enumerated() {
        judge.send(sending, replies: replies[index], matches: matches[index])
      }
      recorder?.mark(sendings.map(\.text).joined(separator: "; "), at: frame)
      connectFiles(at: step.time, onFrame: frame)
    case .read(let address, let expected):
      judge.read(address, expected, step.line, replies: conductor.read(address, for: .only, at: step.time))
    case .notice(let address, let expected): judge.notice(address, expected, step.line)
    case .noNotice(let address): judge.noNotice(address, step.line)
    }
  }

  /// New sessions that play a file are connected from now on.
  private func connectFiles(at seconds: Double, onFrame frame: UInt64) {
    let new = conductor.policy.sessions.filter { inputs.sessions.contains($0.name) && !connected.contains($0.id) }
    guard !new.isEmpty else { return }
    connected.formUnion(new.map(\.id))
    conductor.perform(new.map { .setConnected($0.id, true) }, at: Moment(seconds: seconds, frame: frame))
    conductor.publish(atFrame: frame)
  }

  private func note(at frame: UInt64) {
    for case .complaint(let text) in conductor.takeOutbox() where !warnings.contains(text) { warnings.append(text) }
    recorder?.note(conductor.policy, at: frame)
    stems?.note(conductor.policy)
  }

  // MARK: The mixer

  /// Lets the mixer run up to a frame.
  private func run(to end: UInt64) throws(RenderError) {
    let count = Int(end - frame)
    ports.clearOutputs(count)
    try inputs.fill(ports, frames: count) { owner, samples, channels in
      recorder?.hear(owner, samples, channels: channels, at: frame)
    }
    try stems?.begin(count, at: Int(frame))
    let places = stems?.places(conductor.strips) ?? []
    let origin = frame
    repeat {
      let next = min(end, recorder?.nextSample(after: frame) ?? end)
      shell.run(origin: origin, from: frame, to: next, stems: places)
      frame = next
      recorder?.sample(conductor, at: frame)
    } while frame < end
    recorder?.hear(ports, frames: count, at: origin)
    try outputs.write(ports, frames: count)
    try stems?.write(ports, frames: count)
  }
}

extension Script.Step {
  fileprivate var isSending: Bool {
    if case .send = action { true } else { false }
  }
}
