import Glibc

/// All memory of a mixer: set aside and touched when it is made, freed with its last owner.
///
/// Unsafe, because the audio thread must not count references: it has a bare pointer to `engine`, and whoever lets it
/// run keeps the `Mixer` alive. Each part says which thread may touch it.
final class MixMemory: @unchecked Sendable {
  let capacity: MixCapacity
  let shared: UnsafeMutablePointer<SharedWords>
  let slots: UnsafeMutablePointer<PlanSlot>
  /// The plan from which the control thread fills the slots. Control thread only.
  let baseHeader: UnsafeMutablePointer<PlanSlot>
  let timeline: UnsafeMutablePointer<TimedChange>
  let stripMeters: UnsafeMutablePointer<StripMeterWords>
  let stripLevels: UnsafeMutablePointer<StripLevelWords>
  let outputMeters: UnsafeMutablePointer<RouteMeterWords>
  let engine: UnsafeMutablePointer<EngineState>
  /// Frames by which a limiter can look ahead: 50 ms.
  let longestLookAhead: Int
  private let blocks: [UnsafeMutableRawBufferPointer]

  var base: PlanSlot { baseHeader.pointee }

  init(capacity: MixCapacity, sampleRate: Double) {
    var arena = Arena()
    let words = capacity.stripWords
    let paddedStrips = words * 64
    self.capacity = capacity
    shared = arena.one(SharedWords())
    func makeSlot() -> PlanSlot {
      PlanSlot(
        groupVersions: arena.array(words, of: 0),
        stripVersions: arena.array(paddedStrips, of: 0),
        strips: arena.array(paddedStrips, of: StripSettings()),
        outputVersions: arena.array(capacity.outputRoutes, of: 0),
        outputs: arena.array(capacity.outputRoutes, of: OutputRouteSettings()),
        inputVersions: arena.array(capacity.inputRoutes, of: 0),
        inputs: arena.array(capacity.inputRoutes, of: InputRouteSettings()))
    }
    slots = arena.array([makeSlot(), makeSlot(), makeSlot()])
    baseHeader = arena.array([makeSlot()])
    timeline = arena.array(capacity.timedChanges, of: TimedChange())
    stripMeters = arena.array(capacity.strips) { StripMeterWords() }
    stripLevels = arena.array(capacity.strips) { StripLevelWords() }
    outputMeters = arena.array(capacity.outputRoutes) { RouteMeterWords() }
    let portCapacity =
      capacity.strips * 4 + capacity.outputRoutes * MixCapacity.channelsPerRoute + capacity.inputRoutes * 2
    let channels = MixCapacity.channelsPerRoute
    let outputBuffers = arena.array(capacity.outputRoutes * channels, of: UnsafeMutablePointer<Float>?.none)
    let lookAhead = Int((sampleRate / 20).rounded(.up))
    longestLookAhead = lookAhead
    let outputs = (0..<capacity.outputRoutes).map { index in
      OutputState(
        buffers: outputBuffers + index * channels,
        limiter: Limiter(
          delay: arena.array(2 * lookAhead, of: 0),
          gains: arena.array(lookAhead + 1, of: 0),
          minima: arena.array(lookAhead + 1, of: Limiter.Minimum()),
          capacity: lookAhead,
          hold: Int(sampleRate / 100),
          keep: 1 - 1 / (0.08 * sampleRate)))
    }
    engine = arena.one(
      EngineState(
        ports: arena.array(portCapacity, of: 0),
        buffers: arena.array(portCapacity, of: nil),
        slots: slots, shared: shared,
        outputs: arena.array(outputs),
        kernels: .best,
        segments: arena.array(capacity.outputRoutes * capacity.strips, of: MixSegment()),
        stripBuffers: arena.array(paddedStrips, of: BufferPair()),
        stripLevels: stripLevels, outputMeters: outputMeters,
        liveOnRoute: arena.array(words * capacity.outputRoutes, of: 0),
        stripWords: words,
        scratch: arena.array(2 * capacity.framesPerCycle, of: 0),
        capacity: capacity, sampleRate: Float(sampleRate), timeline: timeline, stripMeters: stripMeters,
        strips: arena.array(paddedStrips, of: StripState()),
        inputs: arena.array(capacity.inputRoutes, of: InputState()),
        pairs: arena.array(capacity.outputRoutes * capacity.strips, of: PairState()),
        duckTables: arena.array(capacity.outputRoutes, of: DuckTable()),
        stems: capacity.hasStems ? arena.array(capacity.outputRoutes * capacity.strips, of: BufferPair()) : nil,
        liveStrips: arena.array(words, of: 0),
        watchedStrips: arena.array(words, of: 0),
        listenedStrips: arena.array(words, of: 0),
        sendingStrips: arena.array(words, of: 0),
        duckingStrips: arena.array(words, of: 0),
        suspectStrips: arena.array(words, of: 0),
        changedStrips: arena.array(words, of: 0),
        scrubbed: arena.array(2 * capacity.framesPerCycle, of: 0),
        gains: arena.array(capacity.framesPerCycle, of: 0),
        weighting: KWeighting(sampleRate: sampleRate),
        framesPerBlock: max(1, Int((sampleRate / 100).rounded())),
        stripLoudness: arena.array(capacity.strips, of: LoudnessMeter()),
        outputLoudness: arena.array(capacity.outputRoutes, of: LoudnessMeter()),
        measuredStrips: arena.array(words, of: 0),
        margins: arena.array(MixEngine.marginCapacity, of: MarginDuck()),
        marginStrips: arena.array(words, of: 0),
        loudnessScratch: arena.array(4 * MixEngine.loudnessChunk, of: 0),
        portCapacity: portCapacity))
    blocks = arena.blocks
  }

  // Everything in the blocks is plain data or atomic words: there is nothing to deinitialize.
  deinit {
    for block in blocks { munmap(block.baseAddress, block.count) }
  }
}

/// Sets memory aside and touches it. Each array begins on a cache line of its own; arrays that are asked for one after the
/// other lie side by side, in huge pages where the kernel has them: between two cycles other programs run, and what the
/// audio thread touches first after that it has to look up page by page.
private struct Arena {
  /// The size of a huge page, of which blocks are multiples.
  private static let granule = 2 << 20

  /// As the kernel gave them.
  private(set) var blocks: [UnsafeMutableRawBufferPointer] = []
  private var next: UnsafeMutableRawPointer?
  private var bytesLeft = 0

  mutating func one<Element: ~Copyable>(_ value: consuming Element) -> UnsafeMutablePointer<Element> {
    let place = reserve(1, of: Element.self)
    place.initialize(to: value)
    return place
  }

  mutating func array<Element>(_ count: Int, of value: Element) -> UnsafeMutablePointer<Element> {
    let place = reserve(count, of: Element.self)
    place.initialize(repeating: value, count: count)
    return place
  }

  mutating func array<Element>(_ values: [Element]) -> UnsafeMutablePointer<Element> {
    let place = reserve(values.count, of: Element.self)
    for (index, value) in values.enumerated() { (place + index).initialize(to: value) }
    return place
  }

  mutating func array<Element: ~Copyable>(_ count: Int, make: () -> Element) -> UnsafeMutablePointer<Element> {
    let place = reserve(count, of: Element.self)
    for index in 0..<count { (place + index).initialize(to: make()) }
    return place
  }

  private mutating func reserve<Element: ~Copyable>(_ count: Int, of: Element.Type) -> UnsafeMutablePointer<Element> {
    let bytes = (max(count * MemoryLayout<Element>.stride, 1) + 63) & ~63
    if bytes > bytesLeft { addBlock(for: bytes) }
    guard let place = next else { preconditionFailure("there is a block for \(bytes) bytes") }
    next = place + bytes
    bytesLeft -= bytes
    return place.bindMemory(to: Element.self, capacity: count)
  }

  private mutating func addBlock(for bytes: Int) {
    let size = (bytes + Self.granule - 1) & ~(Self.granule - 1)
    // From the kernel itself: what a heap gets back it keeps. One granule more than needed, for the block is to begin at
    // a multiple of one; what is before and after it is not touched, and not there.
    let wanted = size + Self.granule
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    guard let place = mmap(nil, wanted, PROT_READ | PROT_WRITE, flags, -1, 0), place != MAP_FAILED else {
      preconditionFailure("there are no \(wanted) bytes of memory left")
    }
    let block = place.alignedUp(toMultipleOf: Self.granule)
    // Advice: where there are no huge pages, small ones do.
    madvise(block, size, MADV_HUGEPAGE)
    block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    blocks.append(UnsafeMutableRawBufferPointer(start: place, count: wanted))
    next = block
    bytesLeft = size
  }
}
