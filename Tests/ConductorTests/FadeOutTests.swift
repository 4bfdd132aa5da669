import AddressSpace
import Conductor
import MixCore
import Presets
import Testing

/// What falls silent does so by its fade, whenever that begins: nothing is taken away before.
final class FadeOutTests {
  private let conductor: Conductor
  private let mixer = Mixer(sampleRate: 48000)
  private let ports = SilentPorts()
  private var frame: UInt64 = 48_000

  init() throws {
    let text = """
      { eider: 1, routes: [{ name: "speaker", kind: "speaker", available: "manual", ports: [] }], fades: { resume: 0 },
        sessions: [{ name: "music", category: "playback" }] }
      """
    conductor = Conductor(preset: try Preset(SourceText(text, file: "test.json5")), version: "1")
    conductor.attach(mixer, rate: 48000, ports: ports) { _ in 2 }
    conductor.perform(
      [Message("/route/speaker/available", true), Message("/session/music/playing", true)], from: .only, at: moment)
    conductor.publish()
    run(frames: 640)
  }

  private var moment: Moment { Moment(seconds: Double(frame) / 48000, frame: frame) }

  /// Runs cycles, between which the control thread turns, and returns the gain of the music after each of them.
  @discardableResult
  private func run(frames: Int, lead: Int = 0) -> [Float] {
    (0..<frames / 64).map { _ in
      mixer.engine.beginCycle(startFrame: frame, frames: 64)
      mixer.engine.process()
      frame += 64
      conductor.advance(to: moment, lead: lead)
      conductor.publish()
      return mixer.meters.gain(ofStrip: 0)
    }
  }

  /// The gain at the ends of cycles, of a gate that closes from a frame on, within 60 ms.
  private func closing(_ offset: Int, cycles: Int) -> [Float] {
    (1...cycles).map { cycle in
      let position = 1 - Float(max(0, cycle * 64 - offset)) / 2880
      return position > 0 ? position * position * position : 0
    }
  }

  private func isNear(_ gains: [Float], _ wanted: [Float]) -> Bool {
    gains.count == wanted.count && zip(gains, wanted).allSatisfy { abs($0 - $1) < 1e-5 }
  }

  @Test(
    "A session that is closed at a time to come fades out from then on, however early that is known",
    arguments: [0, 640, 9600, 48_000])
  func timedClose(ahead: Int) {
    conductor.schedule(
      [Message("/session/close", "music")], from: .only, atFrame: frame + UInt64(ahead),
      seconds: moment.seconds + Double(ahead) / 48000)
    conductor.advance(to: moment, lead: ahead + 1)
    let cycles = (ahead + 2880) / 64 + 4
    let gains = run(frames: cycles * 64, lead: ahead + 1)
    #expect(isNear(gains, closing(ahead, cycles: cycles)))
    // In the end its ports are given back.
    run(frames: 9600)
    #expect(ports.names.allSatisfy { !$0.hasPrefix("music") })
  }

  @Test("At the end all fades out, though something waits for its time")
  func end() {
    let ahead = 9600
    conductor.schedule(
      [Message("/session/music/volume", 0.9)], from: .only, atFrame: frame + UInt64(ahead),
      seconds: moment.seconds + Double(ahead) / 48000)
    conductor.advance(to: moment, lead: ahead + 1)
    conductor.fadeOut(seconds: 0.1, rest: 192)
    var gain: Float = 1
    var steps: [Float] = []
    while !conductor.isFadedOut, steps.count < 10_000 {
      let next = run(frames: 64).last ?? 0
      steps.append(gain - next)
      gain = next
    }
    #expect(gain == 0)
    // In 100 ms, while the volume glides in 30.
    #expect((steps.max() ?? 1) < 0.06)
    #expect(steps.suffix(3) == [0, 0, 0])
  }
}
