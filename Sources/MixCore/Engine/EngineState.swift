/// One strip as the audio thread knows it. Audio thread only.
struct StripState {
  var settings = StripSettings()
  /// The publication from which `settings` are.
  var version: UInt64 = 0
  /// Which way its levels are on, and its gates.
  var way: UInt32 = 0
  var gateWay: UInt32 = 0
  /// The routes on which its gate is open or moving.
  var liveRoutes: UInt64 = 0
  var volume = Ramp(1)
  /// Positions of the balance.
  var left = Ramp(1)
  var right = Ramp(1)
  var microphone = Ramp(0)
  /// The buffers of its microphone send in this cycle.
  var sends = BufferPair()
  /// Whether this cycle's input has a sample that is no finite number.
  var isScrubbed = false
  /// The first frame of the last cycle that had one.
  var lastBad: UInt64 = 0
  /// Whether a signal of this strip ducks others.
  var ducksBySignal = false
  /// Listens for that signal; it may have heard a change that is still to come.
  var duckSignal = SignalDetector()
  /// The frame of that change, or the end of time.
  var nextSignalChange = UInt64.max
  /// Whether it is present.
  var hasSignal = false
  /// Whether somebody waits for a signal that activates.
  var isActivatedBySignal = false
  /// Listens for that signal.
  var activationSignal = SignalDetector()
}

/// One or two channels of samples, or silence where the shell has given no buffer.
struct BufferPair {
  var first: UnsafeMutablePointer<Float>?
  var second: UnsafeMutablePointer<Float>?

  @_noLocks @_noAllocation
  init(_ first: UnsafeMutablePointer<Float>? = nil, _ second: UnsafeMutablePointer<Float>? = nil) {
    self.first = first
    self.second = second
  }
}

/// One strip on one route. Audio thread only.
struct PairState {
  var gate = Ramp(0)
  var duck = Ramp(1)
  /// The system volume of the route, or the ringer volume.
  var master = Ramp(1)
  /// The release of the ducker that last had the say, in frames.
  var release: UInt32 = 1
}

/// One output route as the audio thread knows it. Audio thread only.
struct OutputState {
  /// The channels of this cycle; a change of ports during a cycle counts from the next one on.
  var channels = 0
  /// The buffers of this cycle, one for each channel.
  let buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  var limiter: Limiter
  var trim = Ramp(1)
  var version: UInt64 = 0
  var settings = OutputRouteSettings()
}

/// One input route as the audio thread knows it. Audio thread only.
struct InputState {
  var settings = InputRouteSettings()
  var version: UInt64 = 0
  var trim = Ramp(1)
  /// 1 where the microphones hear this input.
  var selection = Ramp(0)
  var buffers = BufferPair()
  var isScrubbed = false
}

/// Everything that the audio thread has. It is reached through one pointer, so that no reference is counted.
struct EngineState {
  // What every cycle needs: side by side, for after other programs have run each cache line has to be fetched anew.
  /// The first frame of this cycle, and its length.
  var frame: UInt64 = 0
  var frames = 0
  /// Whether this cycle is longer than prepared.
  var isOversized = false
  /// Whether nothing can begin or end in the middle of a cycle: nobody waits for a signal, nothing is measured but peaks,
  /// no microphone has a send, and no strip had bad samples lately.
  var isEven = false
  /// Whether the shell has given the buffers of this cycle.
  var hasBuffers = false
  /// The ports of this cycle, and where the buffer of each is to be noted.
  var portCount = 0
  let ports: UnsafeMutablePointer<UInt>
  let buffers: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?>
  /// Goes up whenever a ramp, a set of strips or a port changes.
  var changes: UInt64 = 1
  /// `changes` when the ports were listed, or 0 if they have to be listed in every cycle.
  var listedChanges: UInt64 = 0
  var reading = PlanExchange.firstReading
  var timelineRead: UInt64 = 0
  // Shared with the control thread.
  let slots: UnsafeMutablePointer<PlanSlot>
  let shared: UnsafeMutablePointer<SharedWords>
  /// Output routes that have ports, and those that are there.
  var portedRoutes: UInt64 = 0
  var availableRoutes: UInt64 = 0
  /// Output routes on which a gate may have closed in the frames that are being mixed.
  var closingRoutes: UInt64 = 0
  /// Output routes whose strips were all searched for bad samples while these frames are mixed.
  var inspectedRoutes: UInt64 = 0
  let outputs: UnsafeMutablePointer<OutputState>
  let kernels: MixKernels
  /// Output routes × strips.
  let segments: UnsafeMutablePointer<MixSegment>
  /// The input buffers of each strip in this cycle, where it is listened to.
  let stripBuffers: UnsafeMutablePointer<BufferPair>
  // Shared with the control thread.
  let stripLevels: UnsafeMutablePointer<StripLevelWords>
  let outputMeters: UnsafeMutablePointer<RouteMeterWords>
  /// Output routes × strips: those that sound or move on that route.
  let liveOnRoute: UnsafeMutablePointer<UInt64>
  let stripWords: Int
  /// How many words of a set of strips can have members.
  var wordsInUse = 0
  /// Two channels of one cycle: stands in for output buffers that the shell has not given.
  let scratch: UnsafeMutablePointer<Float>
  let capacity: MixCapacity

  let sampleRate: Float

  // Shared with the control thread.
  let timeline: UnsafeMutablePointer<TimedChange>
  let stripMeters: UnsafeMutablePointer<StripMeterWords>

  // The audio thread's own.
  let strips: UnsafeMutablePointer<StripState>
  let inputs: UnsafeMutablePointer<InputState>
  /// Output routes × strips.
  let pairs: UnsafeMutablePointer<PairState>
  let duckTables: UnsafeMutablePointer<DuckTable>
  /// Output routes × strips: where the part of a strip on a route goes beside the route itself; `nil` where the mixer has
  /// no stems.
  let stems: UnsafeMutablePointer<BufferPair>?

  // Sets of strips, a bit each.
  /// Those that sound or move on some route.
  let liveStrips: UnsafeMutablePointer<UInt64>
  /// Those whose signal is watched though they may not sound.
  let watchedStrips: UnsafeMutablePointer<UInt64>
  /// Those whose input is needed in this cycle.
  let listenedStrips: UnsafeMutablePointer<UInt64>
  /// Those that have a microphone send.
  let sendingStrips: UnsafeMutablePointer<UInt64>
  /// Those that duck others now.
  let duckingStrips: UnsafeMutablePointer<UInt64>
  /// Those that had samples lately that were no finite numbers.
  let suspectStrips: UnsafeMutablePointer<UInt64>
  /// Those that were changed on this frame.
  let changedStrips: UnsafeMutablePointer<UInt64>

  /// Two channels of one cycle: an input without its bad samples.
  let scrubbed: UnsafeMutablePointer<Float>
  /// One channel of one cycle: gains that move.
  let gains: UnsafeMutablePointer<Float>

  // Loudness.
  let weighting: KWeighting
  /// 10 ms.
  let framesPerBlock: Int
  let stripLoudness: UnsafeMutablePointer<LoudnessMeter>
  let outputLoudness: UnsafeMutablePointer<LoudnessMeter>
  /// Strips whose loudness somebody asks for.
  let measuredStrips: UnsafeMutablePointer<UInt64>
  var measuredRoutes: UInt64 = 0
  /// Duckers by margin, `MixEngine.marginCapacity` places; which of them somebody has, and which are at work.
  let margins: UnsafeMutablePointer<MarginDuck>
  var ownedMargins: UInt64 = 0
  var activeMargins: UInt64 = 0
  /// Strips that duck by margin, when they do.
  let marginStrips: UnsafeMutablePointer<UInt64>
  /// How many meters of loudness are in use.
  var metersInUse = 0
  /// Four channels of `MixEngine.loudnessChunk` frames.
  let loudnessScratch: UnsafeMutablePointer<Float>

  /// How many ports there can be.
  let portCapacity: Int
  /// Input routes that are heard in this cycle.
  var heardInputs: UInt64 = 0

  var seenSequence: UInt64 = 0
  var host = HostSettings()
  var hostVersion: UInt64 = 0
  var hostGate = Ramp(1)
  /// Output routes whose duckers have changed on this frame.
  var changedDuckers: UInt64 = 0
}
