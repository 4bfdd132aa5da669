import SessionPolicy

/// What is drawn of a rendering: courses over time, one value a column.
struct PlotRecord {
  /// What holds from which frame on.
  struct Course<Value: Hashable> {
    private var changes: [(frame: Int, value: Value)] = []

    /// Takes down what holds from a frame on, the last one for each frame.
    mutating func note(_ value: Value, at frame: UInt64) {
      if let last = changes.last, last.frame == Int(frame) { changes.removeLast() }
      if changes.last?.value != value { changes.append((Int(frame), value)) }
    }

    /// What holds now.
    var last: Value? { changes.last?.value }

    /// What holds when, up to a frame.
    func spans(until end: Int) -> [(frames: Range<Int>, value: Value)] {
      changes.indices.compactMap { index in
        let start = changes[index].frame
        let next = index + 1 < changes.count ? changes[index + 1].frame : end
        return next > start ? (start..<next, changes[index].value) : nil
      }
    }

    /// Whether a value held at any time.
    func has(_ value: Value) -> Bool { changes.contains { $0.value == value } }
  }

  /// A session, or namesakes after each other.
  struct SessionTrack {
    let name: String
    /// For people; the name where there is none.
    var title: String
    /// The peak of what the program plays, an amplitude.
    var played: [Float]
    /// The peak of what is heard of it, after all gains: dBFS.
    var heard: [Float]
    /// How much it is turned down for others, where it is heard at all: dB.
    var reduction: [Float]
    /// From when on it is in which state; `nil`: it is not open.
    var states = Course<Silence?>()
    /// From when on its microphone is open or not.
    var microphone = Course<Bool>()

    /// Whether such a session was open at any time.
    var wasOpen: Bool { Silence.allCases.contains { states.has($0) } }
  }

  /// An output route.
  struct RouteTrack {
    let name: String
    let title: String
    /// The ceiling of its limiter in dBFS.
    let limit: Double?
    /// The peak over its channels, an amplitude.
    var peak: [Float]
    /// The sum of the squares of the loudest channel's samples.
    var energy: [Double]
    /// From when on it is there or not.
    var availability = Course<Bool>()
  }

  /// A line of the script.
  struct Mark {
    let frame: Int
    let text: String
  }

  let title: String
  let subtitle: String
  let rate: Int
  /// Frames.
  let length: Int
  /// Frames of a column.
  let step: Int
  var sessions: [SessionTrack] = []
  var routes: [RouteTrack] = []
  var marks: [Mark] = []

  var columns: Int { max(1, (length + step - 1) / step) }

  /// How many frames a column has.
  func frames(ofColumn column: Int) -> Int { max(1, min(step, length - column * step)) }
}
