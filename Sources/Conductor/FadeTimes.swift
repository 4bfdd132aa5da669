import Presets
import SessionPolicy

/// How long each kind of change takes, in frames (policy §13).
struct FadeTimes: Hashable {
  let volume: Int
  let mute: Int
  let pause: Int
  let resume: Int
  let interrupt: Int
  let route: Int
  let microphone: Int
  /// Everything is silent within 5 ms of a panic.
  let panic: Int
  let rate: Double

  init(_ fades: Fades, rate: Double) {
    func frames(_ milliseconds: Double) -> Int { Int((milliseconds * rate / 1000).rounded()) }
    volume = frames(fades.volume)
    mute = frames(fades.mute)
    pause = frames(fades.pause)
    resume = frames(fades.resume)
    interrupt = frames(fades.interrupt)
    route = frames(fades.route)
    microphone = frames(fades.mic)
    // One millisecond is left for the cycle to begin.
    panic = frames(4)
    self.rate = rate
  }

  func frames(milliseconds: Double) -> Int { Int((milliseconds * rate / 1000).rounded()) }

  /// How long a gate takes that opens or closes because a session is silent for another reason than before.
  func gate(from before: Silence, to after: Silence) -> Int {
    after == .none ? opening(from: before) : closing(to: after)
  }

  private func opening(from before: Silence) -> Int {
    switch before {
    case .inactive, .interrupted, .paused: resume
    case .recording, .silentSwitch, .locked, .muted, .notSoloed, .noOutput: mute
    case .noRoute, .none: route
    }
  }

  private func closing(to after: Silence) -> Int {
    switch after {
    case .inactive, .paused, .noOutput: pause
    case .interrupted: interrupt
    case .recording, .silentSwitch, .locked, .muted, .notSoloed: mute
    case .noRoute, .none: route
    }
  }
}
