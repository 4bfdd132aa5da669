import ServiceManager
import Testing

@Suite struct `Whether the audio thread does its work` {
  /// The verdicts on one look after the other.
  private func verdicts(_ looks: AudioProgress?...) -> [AudioWatchdog.Verdict] {
    var watchdog = AudioWatchdog()
    return looks.map { watchdog.judge($0) }
  }

  private func idle(_ frame: UInt64, server: UInt32? = nil) -> AudioProgress {
    AudioProgress(begun: frame, finished: frame, server: server ?? UInt32(truncatingIfNeeded: frame))
  }

  private func mixing(_ frame: UInt64, server: UInt32? = nil) -> AudioProgress {
    AudioProgress(begun: frame, finished: frame - 256, server: server ?? UInt32(truncatingIfNeeded: frame))
  }

  @Test func `it does while cycle follows cycle, seen between them or within`() {
    #expect(verdicts(idle(0), idle(256), mixing(512), mixing(768), idle(1024)) == Array(repeating: .well, count: 5))
  }

  @Test func `it hangs when it does not come out of a cycle, whether the server goes on or waits for it`() {
    #expect(verdicts(mixing(512), mixing(512)) == [.well, .stuck])
    #expect(verdicts(mixing(512), mixing(512, server: 1024)) == [.well, .stuck])
  }

  @Test func `it hangs when the server goes on without it`() {
    #expect(verdicts(idle(512), idle(512, server: 1024)) == [.well, .stuck])
  }

  @Test func `it only waits while the server stands still, and goes on with it`() {
    #expect(
      verdicts(idle(512), idle(512), idle(512), idle(768)) == [.well, .serverStandsStill, .serverStandsStill, .well])
  }

  @Test func `nothing is expected of it while there is no server`() {
    #expect(verdicts(mixing(512), nil, nil, mixing(512), mixing(768)) == Array(repeating: .well, count: 5))
  }
}
