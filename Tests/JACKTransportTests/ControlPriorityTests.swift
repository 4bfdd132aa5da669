import Testing

@testable import JACKTransport

@Suite("The priority of the control thread")
struct ControlPriorityTests {
  /// What it was set to, in order.
  private final class Settings {
    var list: [Int32] = []
  }

  @Test("It is just below the audio thread's while there is little to do, and none in a flood")
  func steps() {
    let settings = Settings()
    var priority = ControlPriority { priority in
      settings.list.append(priority)
      return true
    }
    var now = 0.0
    func live(seconds: Double, waiting share: Double, audio: Int32?) {
      let end = now + seconds
      while now < end {
        // In turns of a millisecond.
        now += 0.001 * (1 - share)
        priority.note(waitFrom: now, to: now + 0.001 * share, audio: audio)
        now += 0.001 * share
      }
    }
    live(seconds: 1, waiting: 0.9, audio: 70)
    #expect(settings.list == [69])
    live(seconds: 1, waiting: 0.05, audio: 70)
    #expect(settings.list == [69, 0])
    #expect(!priority.isRaised)
    // Neither one nor the other: as it was.
    live(seconds: 1, waiting: 0.5, audio: 70)
    #expect(settings.list == [69, 0])
    live(seconds: 1, waiting: 0.9, audio: 70)
    #expect(settings.list == [69, 0, 69])
    // The server is gone.
    live(seconds: 1, waiting: 0.9, audio: nil)
    #expect(settings.list == [69, 0, 69, 0])
  }

  @Test("Where it is not allowed, or the audio thread has none itself, nothing changes")
  func refused() {
    let settings = Settings()
    var priority = ControlPriority { priority in
      settings.list.append(priority)
      return false
    }
    for turn in 0..<50 {
      priority.note(waitFrom: Double(turn) * 0.01, to: Double(turn) * 0.01 + 0.009, audio: 1)
    }
    #expect(settings.list.isEmpty)
    for turn in 50..<100 {
      priority.note(waitFrom: Double(turn) * 0.01, to: Double(turn) * 0.01 + 0.009, audio: 10)
    }
    #expect(!priority.isRaised)
    #expect(Set(settings.list) == [9])
  }
}
