import MixCore

/// A mixer with a shell around it as a test needs one: signals at the inputs, recordings at the outputs, periods of
/// any length.
final class Rig {
  let mixer: Mixer
  /// The recording of each output port, from the first frame on.
  private(set) var recordings: [Int: [Float]] = [:]
  /// The ports that the last cycle asked for.
  private(set) var askedPorts: Set<Int> = []
  private(set) var frame: UInt64 = 0

  private var signals: [Int: (Int) -> Float] = [:]
  private var buffers: [UnsafeMutablePointer<Float>] = []
  private static let longest = 16_384

  var planner: MixPlanner { mixer.planner }

  init(
    strips: Int = 8, routes: Int = 3, inputs: Int = 2, sampleRate: Double = 48_000, framesPerCycle: Int = 8192,
    timedChanges: Int = 4096
  ) {
    mixer = Mixer(
      capacity: MixCapacity(
        strips: strips, outputRoutes: routes, inputRoutes: inputs, framesPerCycle: framesPerCycle,
        timedChanges: timedChanges),
      sampleRate: sampleRate)
  }

  deinit { for buffer in buffers { buffer.deallocate() } }

  /// The handle of a port with a number of the test's choice.
  static func port(_ number: Int) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: number)! }

  /// Input and output ports of a strip, send ports and so on, by number.
  static func stripInput(_ strip: Int, _ channel: Int) -> Int { 1000 + strip * 2 + channel }
  static func send(_ strip: Int, _ channel: Int) -> Int { 4000 + strip * 2 + channel }
  static func output(_ route: Int, _ channel: Int) -> Int { 7000 + route * 32 + channel }
  static func routeInput(_ input: Int, _ channel: Int) -> Int { 10_000 + input * 2 + channel }

  /// What a port hears at each frame; the same in both channels of a strip until the second is said too.
  func feed(strip: Int, channel: Int? = nil, _ signal: @escaping (Int) -> Float) {
    for each in channel.map({ [$0] }) ?? [0, 1] { signals[Self.stripInput(strip, each)] = signal }
  }

  func feed(input: Int, channel: Int? = nil, _ signal: @escaping (Int) -> Float) {
    for each in channel.map({ [$0] }) ?? [0, 1] { signals[Self.routeInput(input, each)] = signal }
  }

  /// Makes an output route available, with all its ports.
  func openRoute(_ route: Int, channels: Int = 2, limit: Float? = nil) {
    planner[output: route].ports = (0..<channels).map { UnsafePort(Self.port(Self.output(route, $0))) }
    planner[output: route].isAvailable = true
    planner[output: route].limit = limit
  }

  /// Makes an input route available, with all its ports.
  func openInput(_ input: Int, channels: Int = 2) {
    planner[input: input].ports = (0..<channels).map { UnsafePort(Self.port(Self.routeInput(input, $0))) }
    planner[input: input].isAvailable = true
  }

  /// Opens a strip with its ports, member of some routes and sounding there.
  func openStrip(_ strip: Int, channels: Int = 2, routes: RouteSet = [0], sounds: Bool = true) {
    planner[strip: strip].isOpen = true
    planner[strip: strip].channels = channels
    planner[strip: strip].inputs = PortPair(
      Self.port(Self.stripInput(strip, 0)), channels > 1 ? Self.port(Self.stripInput(strip, 1)) : nil)
    planner[strip: strip].routes = routes
    planner[strip: strip].openRoutes = sounds ? routes : []
  }

  /// Runs cycles of one period until so many frames have passed in all. The last cycle is shorter where it must be.
  func run(until end: Int, period: Int) {
    while Int(frame) < end { cycle(min(period, end - Int(frame))) }
  }

  /// Runs one cycle.
  func cycle(_ frames: Int) {
    let engine = mixer.engine
    let start = Int(frame)
    let count = engine.beginCycle(startFrame: frame, frames: frames)
    while buffers.count < count { buffers.append(.allocate(capacity: Self.longest)) }
    let ports = (0..<count).map { Int(bitPattern: engine.port(at: $0)!) }
    askedPorts = Set(ports)
    for (index, port) in ports.enumerated() {
      let signal = signals[port]
      // What a port has from before must not be heard again.
      for offset in 0..<frames { buffers[index][offset] = signal?(start + offset) ?? (isInput(port) ? 0 : 123) }
      engine.setBuffer(buffers[index], at: index)
    }
    engine.process()
    for (index, port) in ports.enumerated() where !isInput(port) {
      var recording = recordings[port] ?? []
      if recording.count < start { recording += Array(repeating: 0, count: start - recording.count) }
      recordings[port] = recording + Array(UnsafeBufferPointer(start: buffers[index], count: frames))
    }
    frame += UInt64(frames)
  }

  /// What was recorded at an output route.
  func output(_ route: Int = 0, _ channel: Int = 0) -> [Float] { recordings[Self.output(route, channel)] ?? [] }

  /// What was recorded at the microphone send of a strip.
  func send(_ strip: Int, _ channel: Int = 0) -> [Float] { recordings[Self.send(strip, channel)] ?? [] }

  private func isInput(_ port: Int) -> Bool { port < 4000 || port >= 10_000 }
}

/// A sequence of pseudo-random samples −1…1, the same on every run: the value at an index depends on nothing else.
func noise(_ index: Int, seed: UInt64 = 1) -> Float {
  var state = UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15 &+ seed &* 0xD1B5_4A32_D192_ED03
  state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
  state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
  state ^= state >> 31
  return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(1 << 31)
}
