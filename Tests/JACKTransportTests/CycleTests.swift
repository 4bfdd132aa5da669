import JACKProbe
import MixCore
import Testing

@testable import JACKTransport

/// Samples that are never the same twice in a row.
private func noise(_ count: Int, seed: UInt32) -> [Float] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return Float(Int32(bitPattern: state)) / Float(Int32.max) * 0.5
  }
}

@Suite struct `Sound through the client` {
  /// A session of two channels through a speaker of two, at full level, with a program before and a listener behind.
  private func withPassage(
    period: Int, _ body: (ProbeClient, JACKClient, Mixer) throws -> Void
  ) async throws {
    try await withProbeServer(.init(period: period)) { server in
      let capacity = MixCapacity(strips: 8, outputRoutes: 2, inputRoutes: 1, framesPerCycle: 8192, timedChanges: 16)
      let mixer = Mixer(capacity: capacity, sampleRate: 48000)
      let client = try JACKClient.open(.init(server: server.name), mixer: mixer)
      defer { client.close() }
      try client.activate()
      let inputs = try JACKNames.sessionInputs("music", channels: 2).map { try client.registerPort($0, .input) }
      let outputs = try JACKNames.routeOutputs("speaker", channels: 2).map { try client.registerPort($0, .output) }
      let planner = mixer.planner
      planner[output: 0].ports = outputs.map { UnsafePort($0.handle) }
      planner[output: 0].isAvailable = true
      planner[output: 0].limit = nil
      planner[strip: 0].isOpen = true
      planner[strip: 0].channels = 2
      planner[strip: 0].inputs = PortPair(inputs[0].handle, inputs[1].handle)
      planner[strip: 0].routes = [0]
      planner[strip: 0].openRoutes = [0]
      planner.host.isOpen = true
      #expect(planner.publish() == .published(sequence: planner.publishedSequence))
      #expect(eventually { planner.acknowledgedSequence == planner.publishedSequence })

      let probe = try ProbeClient("probe", on: server, outputs: ["l", "r"], inputs: ["a", "b"])
      defer { probe.close() }
      for (source, input) in zip(["probe:l", "probe:r"], inputs) { try probe.connect(source, input.name) }
      for (output, destination) in zip(outputs, ["probe:a", "probe:b"]) { try probe.connect(output.name, destination) }
      try body(probe, client, mixer)
    }
  }

  /// Where in `heard` the samples of `played` begin.
  private func beginning(of played: [Float], in heard: [Float]) -> Int? {
    let beginning = played.prefix(16)
    return heard.indices.dropLast(16).first { heard[$0..<$0 + 16].elementsEqual(beginning) }
  }

  @Test(arguments: [16, 64, 256, 1024]) func `what goes in comes out, sample by sample`(period: Int) async throws {
    try await withPassage(period: period) { probe, _, _ in
      let played = [noise(20000, seed: 1), noise(20000, seed: 2)]
      let recording = try probe.start(play: played, record: 30000).recording()
      try #require(recording.gaps.isEmpty)
      for channel in 0..<2 {
        let heard = recording.channels[channel]
        let delay = try #require(beginning(of: played[channel], in: heard))
        // The probe hears what it plays a cycle later: its own output is its input by way of Eider.
        #expect(delay <= 2 * period)
        #expect(Array(heard[delay..<delay + 20000]) == played[channel])
        #expect(heard[..<delay].allSatisfy { $0 == 0 })
        #expect(heard[(delay + 20000)...].allSatisfy { $0 == 0 })
      }
    }
  }

  @Test func `a change of the period in mid-sound harms nothing`() async throws {
    try await withPassage(period: 256) { probe, client, mixer in
      for period in [32, 1024, 8192, 64] {
        try probe.setPeriod(period)
        let played = [noise(20000, seed: 3), noise(20000, seed: 4)]
        let recording = try probe.start(play: played, record: 20000 + 3 * period + 1000).recording()
        try #require(recording.gaps.isEmpty)
        let delay = try #require(beginning(of: played[0], in: recording.channels[0]))
        #expect(Array(recording.channels[0][delay..<delay + 20000]) == played[0])
        #expect(client.period == period)
      }
      #expect(mixer.meters.oversizedCycles == 0)
    }
  }

  @Test func `it works as fast as the machine can, too`() async throws {
    try await withPassage(period: 256) { probe, _, _ in
      try probe.setFreewheeling(true)
      let played = [noise(400_000, seed: 5), noise(400_000, seed: 6)]
      let recording = try probe.start(play: played, record: 410_000).recording()
      try probe.setFreewheeling(false)
      try #require(recording.gaps.isEmpty)
      let delay = try #require(beginning(of: played[1], in: recording.channels[1]))
      #expect(Array(recording.channels[1][delay..<delay + 400_000]) == played[1])
    }
  }

  @Test func `the engine's time is JACK's`() async throws {
    try await withPassage(period: 64) { probe, client, mixer in
      let first = try probe.start(play: [[0], [0]]).begin()
      #expect(eventually { mixer.meters.frame > UInt64(first) })
      #expect(client.cycleStart >= UInt64(first))
      #expect(mixer.meters.frame <= client.frame + UInt64(2 * client.period) + 48000)
    }
  }
}
