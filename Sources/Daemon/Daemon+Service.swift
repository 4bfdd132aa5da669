import ServiceManager

/// What the daemon keeps in mind for whoever started it as a service. Control thread only.
struct ServiceLink {
  var manager = ServiceManager()
  /// When the audio thread is looked at next, in seconds.
  var nextLook = 0.0
  /// What was found the last time.
  var verdict = AudioWatchdog.Verdict.well
  /// Whether there was a server then.
  var hadServer = true

  /// How often it was asked to read the preset again and has not done so yet.
  private var reloads = 0

  /// It was asked to read the preset again.
  mutating func beginReload() {
    reloads += 1
    manager.tellReloading()
  }

  /// What was read then is in force, or refused. Whoever asks several times is told once all of it is done.
  mutating func endReload(_ status: String) {
    reloads -= 1
    if reloads == 0 { manager.tellReady(status) }
  }

  /// It does so now; while it reads the preset again, that is what it does.
  mutating func tell(_ status: String) { if reloads == 0 { manager.tell(status) } }

  /// Whether the server is there but runs no cycles.
  var serverStandsStill: Bool { verdict == .serverStandsStill }
}

/// The daemon as a service: it tells how it does, and has itself started anew should its audio thread hang.
extension Daemon {
  /// Looks after the audio thread, when it is time to.
  func watchAudio(at seconds: Double) {
    guard service.nextLook <= seconds || service.hadServer != audio.isRunning else { return }
    service.nextLook = seconds + service.manager.interval
    service.hadServer = audio.isRunning
    let verdict = service.manager.watch(audio.progress)
    if verdict != service.verdict { note(verdict) }
    service.verdict = verdict
    service.tell(status)
  }

  private func note(_ verdict: AudioWatchdog.Verdict) {
    switch verdict {
    case .well: if audio.isRunning { log.info("the audio thread goes on") }
    case .serverStandsStill: log.warning("the JACK server runs no cycles: waiting until it goes on")
    case .stuck: log.warning("the audio thread hangs")
    }
  }

  /// How it does, in a line.
  var status: String {
    guard audio.isRunning else { return "the JACK server is gone: looking for it" }
    switch service.verdict {
    case .well: break
    case .serverStandsStill: return "the JACK server runs no cycles: waiting until it goes on"
    case .stuck: return "the audio thread hangs"
    }
    let title = configuration.preset.title ?? "no preset"
    let mistakes = conductor.presetReport.count > 1 ? "; the preset file has mistakes, the one before is in force" : ""
    return "\(title): \(audio.rate) Hz, \(audio.period) frames, OSC on port \(osc.port)\(mistakes)"
  }
}
