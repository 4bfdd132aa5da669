import CEbur128
import MixCore

/// A voice over music through the mixer, and how loud each was, by libebur128.
struct MarginRun {
  /// LU.
  let margin: Float
  /// Momentary loudness in LUFS at the end of each 100 ms: the voice, the music as it came and as it was let through.
  private(set) var voice: [Double] = []
  private(set) var music: [Double] = []
  private(set) var ducked: [Double] = []
  /// What the ducker asks for, in dB, after each 10 ms.
  private(set) var reduction: [Double] = []

  static let sampleRate = 48_000
  private static let block = 480

  /// Plays one channel of voice over one of music through the engine, with the defaults of a ducker but its margin.
  init(voice voiceSamples: [Float], music musicSamples: [Float], margin: Float) {
    self.margin = margin
    let mixer = Mixer(
      capacity: MixCapacity(strips: 2, outputRoutes: 1, inputRoutes: 1, framesPerCycle: Self.block, hasStems: true),
      sampleRate: Double(Self.sampleRate))
    let ports = (1...4).map { UnsafeMutableRawPointer(bitPattern: $0)! }
    let planner = mixer.planner
    planner[output: 0].ports = [UnsafePort(ports[2]), UnsafePort(ports[3])]
    planner[output: 0].isAvailable = true
    planner[output: 0].limit = nil
    for strip in 0..<2 {
      planner[strip: strip].isOpen = true
      planner[strip: strip].channels = 1
      planner[strip: strip].inputs = PortPair(ports[strip])
      planner[strip: strip].routes = [0]
      planner[strip: strip].openRoutes = [0]
    }
    planner[strip: 0].duck.isOfDuckerClass = true
    planner[strip: 0].duck.style = .margin
    planner[strip: 0].duck.margin = margin
    planner[strip: 0].duck.trigger = .held(true)
    planner.publish()

    let meters = (voice: Momentary(), music: Momentary(), ducked: Momentary())
    var stems = Array(repeating: [Float](repeating: 0, count: Self.block), count: 4)
    var route = Array(repeating: [Float](repeating: 0, count: Self.block), count: 2)
    let blocks = min(voiceSamples.count, musicSamples.count) / Self.block
    for index in 0..<blocks {
      let frames = index * Self.block..<(index + 1) * Self.block
      var inputs = [Array(voiceSamples[frames]), Array(musicSamples[frames])]
      for channel in stems.indices { stems[channel] = Array(repeating: 0, count: Self.block) }
      Self.cycle(mixer.engine, at: frames.lowerBound, inputs: &inputs, route: &route, stems: &stems)
      meters.voice.hear(stems[0], stems[1])
      meters.music.hear(inputs[1], inputs[1])
      meters.ducked.hear(stems[2], stems[3])
      reduction.append(Double(mixer.meters.marginReduction(ofDucker: 0)))
      if index % 10 == 9 {
        voice.append(meters.voice.loudness)
        music.append(meters.music.loudness)
        ducked.append(meters.ducked.loudness)
      }
    }
  }

  private static func cycle(
    _ engine: MixEngine, at frame: Int, inputs: inout [[Float]], route: inout [[Float]], stems: inout [[Float]]
  ) {
    func pointer(_ samples: inout [Float]) -> UnsafeMutablePointer<Float> {
      // The arrays are not resized before the cycle is over.
      samples.withUnsafeMutableBufferPointer { $0.baseAddress! }
    }
    let buffers = [pointer(&inputs[0]), pointer(&inputs[1]), pointer(&route[0]), pointer(&route[1])]
    let count = engine.beginCycle(startFrame: UInt64(frame), frames: block)
    for index in 0..<count { engine.setBuffer(buffers[Int(bitPattern: engine.port(at: index)!) - 1], at: index) }
    for strip in 0..<2 {
      engine.setStem(pointer(&stems[strip * 2]), pointer(&stems[strip * 2 + 1]), ofStrip: strip, onRoute: 0)
    }
    engine.process()
  }
}

extension MarginRun {
  /// What is judged: the windows in which the voice is at most 6 LU below its mean and has sounded for 300 ms.
  struct Judgement {
    /// LU.
    var margin: Float
    /// Shares of the judged windows, 0…1, in which the voice is at least margin − 3 and margin − 1 above the music.
    var within3 = 0.0
    var within1 = 0.0
    /// LU by which the mean difference exceeds the margin.
    var excess = 0.0
    /// Changes of direction by more than 1 dB, in a second.
    var turns = 0.0
    /// Whether anything was turned down at all.
    var isDucked = false

    var keepsPromise: Bool { within3 >= 0.95 && (excess <= 3 || !isDucked) && turns <= 1 }
    var keepsAim: Bool { keepsPromise && within1 >= 0.95 }
  }

  var judgement: Judgement {
    let sounding = voice.map { $0 > -45 }
    let mean = decibels(voice.indices.filter { sounding[$0] }.map { energy(voice[$0]) })
    let judged = voice.indices.filter { index in
      index >= 3 && voice[index] >= mean - 6 && (index - 3...index).allSatisfy { sounding[$0] }
    }
    let differences = judged.map { voice[$0] - ducked[$0] }
    var result = Judgement(margin: margin)
    result.within3 = share(differences) { $0 >= Double(margin) - 3 }
    result.within1 = share(differences) { $0 >= Double(margin) - 1 }
    let above = decibels(judged.map { energy(voice[$0]) }) - decibels(judged.map { energy(ducked[$0]) })
    result.excess = above - Double(margin)
    result.turns = Double(turnCount) / (Double(reduction.count) / 100)
    result.isDucked = reduction.contains { $0 < 0 }
    return result
  }

  /// How often the reduction turns round by more than 1 dB.
  private var turnCount: Int {
    var (lowest, highest) = (reduction.first ?? 0, reduction.first ?? 0)
    var direction = 0
    var count = 0
    for level in reduction {
      lowest = min(lowest, level)
      highest = max(highest, level)
      if direction >= 0 && level < highest - 1 {
        count += direction == 0 ? 0 : 1
        (direction, lowest, highest) = (-1, level, level)
      } else if direction <= 0 && level > lowest + 1 {
        count += direction == 0 ? 0 : 1
        (direction, lowest, highest) = (1, level, level)
      }
      // Only the extreme behind counts.
      if direction > 0 { lowest = level }
      if direction < 0 { highest = level }
    }
    return count
  }

  private func share(_ values: [Double], _ isGood: (Double) -> Bool) -> Double {
    values.isEmpty ? 0 : Double(values.filter(isGood).count) / Double(values.count)
  }
}

/// libebur128 for one pair of channels.
final class Momentary {
  private var state: UnsafeMutablePointer<ebur128_state>?

  /// `ebur128_init`
  init() { state = ebur128_init(2, UInt(MarginRun.sampleRate), Int32(EBUR128_MODE_M.rawValue)) }

  /// `ebur128_destroy`
  deinit { ebur128_destroy(&state) }

  /// `ebur128_add_frames_float`
  func hear(_ left: [Float], _ right: [Float]) {
    ebur128_add_frames_float(state, zip(left, right).flatMap { [$0, $1] }, left.count)
  }

  /// LUFS, −120 at least. `ebur128_loudness_momentary`
  var loudness: Double {
    var loudness = 0.0
    ebur128_loudness_momentary(state, &loudness)
    return max(-120, loudness)
  }
}
