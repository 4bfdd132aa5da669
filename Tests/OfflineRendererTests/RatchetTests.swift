import SessionPolicy
import Testing

@Suite struct RatchetTests {
  /// Whatever happened in 20 seconds, 100 times a second: when nobody ducks, interrupts or mutes any more, the music
  /// sounds again as it would have if nothing had happened, to the bit.
  @Test(arguments: [1, 2, 3, 4])
  func `after any number of ducks and interruptions gains are exactly what they were`(seed: UInt64) throws {
    let studio = try Studio()
    studio.preset.fades.resume = 250
    studio.session("music") { $0.activation = .connected }
    studio.session("guide") { $0.options = .duckOthers }
    studio.session("alarm") { session in
      session.options = .duckOthers
      session.priority = 10
      session.duck.depth = -30
      session.duck.attack = 7
    }
    studio.session("film") { $0.options = [] }
    studio.session("phone", .call)
    var random = SplitMix(state: seed)
    let events = [
      "/session/guide/playing true", "/session/guide/playing false", "/session/guide/active false",
      "/session/alarm/playing true", "/session/alarm/active false", "/session/phone/playing true",
      "/session/phone/active false", "/session/film/playing true", "/session/film/active false notifyOthers",
      "/session/music/mute true", "/session/music/mute false", "/session/guide/solo true", "/session/guide/solo false",
      "/host/silent true", "/host/silent false", "/host/volume 0.3", "/host/volume 1", "/session/music/volume 0.1",
      "/session/music/volume 1", "/session/guide/duck/depth -60", "/session/guide/duck/depth -3",
      "/session/alarm/priority -10", "/session/alarm/priority 10", "/host/interruption begin fire",
      "/host/interruption end fire resumable", "/session/music/interruption begin desk",
      "/session/music/interruption end desk resumable", "/session/music/pan -1", "/session/music/pan 0",
    ]
    let wild = (0..<2000).map { "\(Double($0) / 100) \(events[Int(random.next() % UInt64(events.count))])" }
    let calm = [
      "/host/interruption end fire resumable", "/session/music/interruption end desk resumable",
      "/session/{guide,alarm,phone,film}/active false notifyOthers", "/session/*/solo false",
      "/session/music/mute false",
      "/host/silent false", "/host/volume 1", "/session/music/volume 1", "/session/music/pan 0",
      "/session/music/playing true",
    ].map { "20 \($0)" }
    let end = ["22 ? /session/music/silence none", "22 ? /session/music/reduction 0"]
    let frames = 23 * 48_000
    let file = try studio.write("music.wav", frames: frames, { noise($0) }, { noise($0, seed: 2) })
    let report = try studio.render((wild + calm + end).joined(separator: "\n"), inputs: ["music": file])
    #expect(report.judge.failures.isEmpty)
    let sound = try studio.read("speaker.wav")
    // The longest way back is the release of a duck, 800 ms.
    for frame in (22 * 48_000)..<frames
    where sound[0][frame] != noise(frame) || sound[1][frame] != noise(frame, seed: 2) {
      Issue.record("frame \(frame): \(sound[0][frame]) instead of \(noise(frame))")
      break
    }
    #expect((0..<frames).contains { sound[0][$0] == 0 && noise($0) != 0 })
  }
}

/// A generator whose sequence depends on its seed alone (Steele, Lea and Flood's SplitMix64).
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
