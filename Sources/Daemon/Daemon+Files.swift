import AddressSpace
import Conductor
import OSCTransport
import Presets
import SessionPolicy

/// The files of the daemon: its preset, which may change while it runs, and what it remembers.
extension Daemon {
  /// How long it waits after a change until the state is written, in seconds: what changes often is written seldom, and
  /// yet within a second.
  private static let stateDelay = 0.3

  // MARK: The preset

  /// Reads the preset file, which may have changed.
  func readPresetFile() {
    guard let path = configuration.presetFile else { return }
    scribe.readPreset(path)
  }

  /// Reads the preset file for the asking, and tells the service manager so, and when it is in force.
  func reload() {
    service.beginReload()
    readPresetFile()
    scribe.note(.reloadEnded)
  }

  /// Deals with what files have come to, and with what is due.
  func followFiles(at seconds: Double) {
    for item in scribe.take() {
      switch item {
      case .sceneStored(let name): log.info("the scene \(name) is stored in \(configuration.presetFile ?? "")")
      case .sceneNotStored(let reader, let reason):
        refuse(Message("/scene/store"), .ioError, "the scene is kept until the end only: \(reason)", from: reader)
      case .stateNotWritten(let reason):
        if !hasComplainedOfState { log.warning("nothing can be remembered: \(reason)") }
        hasComplainedOfState = true
      case .reloadEnded: service.endReload(status)
      case .presetRead(let preset, let text): adopt(preset, text: text)
      case .presetRefused(let mistakes, let description, let text):
        guard text != presetText || text.isEmpty else { continue }
        presetText = text
        for line in description.split(separator: "\n") { log.error(String(line)) }
        log.error("the preset is not taken over; the one before is in force")
        conductor.presetReport = [configuration.presetFile ?? ""] + mistakes
      }
    }
    if watch?.takeChange(at: seconds) ?? false { readPresetFile() }
    if conductor.isMemoryStale, stateDue == nil, statePath != nil { stateDue = seconds + Self.stateDelay }
    if let due = stateDue, due <= seconds { writeState() }
  }

  /// When something about files is to be done next, in seconds.
  var nextFileTime: Double? {
    [watch?.deadline, stateDue].compactMap { $0 }.min()
  }

  private func adopt(_ preset: Preset, text: String) {
    guard text != presetText else { return }
    presetText = text
    conductor.presetReport = [configuration.presetFile ?? ""]
    let old = configuration.preset
    guard preset != old else { return }
    configuration.preset = preset
    audio.adopt(preset) { audio in
      conductor.adopt(preset, at: moment, channels: audio.channels(of:))
    } orWithout: {
      conductor.adopt(preset, at: moment, channels: preset.expectedChannels(ofRoute:))
    }
    audio.followPreset(conductor, insteadOf: old, at: moment)
    if preset.osc != old.osc { changeAccess(preset, insteadOf: old) }
    log.info("the preset has changed: \(preset.title.map { "“\($0)” is in force" } ?? "the new one is in force")")
  }

  private func changeAccess(_ preset: Preset, insteadOf old: Preset) {
    do throws(OSCServerError) {
      osc.access = try OSCAccess(preset.osc)
    } catch {
      log.warning(error.description)
    }
    do throws(OSCServerError) {
      try osc.listen(on: configuration.listenAddresses, port: configuration.listenPort)
      if preset.osc.listen != old.osc.listen || preset.osc.port != old.osc.port {
        log.info("OSC on \(configuration.listenAddresses.joined(separator: ", ")) port \(osc.port)")
      }
    } catch {
      log.warning("\(error); OSC is listened for where it was before")
    }
  }

  /// A client has stored a scene.
  func keep(_ scene: Scene, for reader: ReaderID) {
    if let path = configuration.presetFile {
      scribe.store(scene, in: path, for: reader)
    } else {
      log.info("the scene \(scene.name) is kept until the end, for there is no preset file")
    }
  }

  // MARK: The state

  /// Takes up what is remembered of the last time.
  func recollect() {
    guard let statePath else { return }
    switch StateFile.read(statePath) {
    case .nothing: break
    case .memory(let memory):
      let plays = configuration.preset.resume && !memory.hasEnded
      conductor.restore(memory, plays: plays, at: moment)
      log.debug("\(statePath): \(memory.values.count) values are as they were")
    case .unusable(let reason, let setAside):
      log.warning(
        "what was remembered in \(statePath) cannot be used: \(reason)"
          + (setAside.map { "; it was set aside as \($0)" } ?? ""))
    }
  }

  private func writeState() {
    stateDue = nil
    guard let statePath else { return }
    let memory = conductor.memory()
    guard memory != writtenMemory else { return }
    writtenMemory = memory
    scribe.writeState(memory, to: statePath)
  }

  /// Writes what is to be remembered of an end in good order, and waits for all files.
  func finishFiles() {
    if let statePath {
      var memory = conductor.memory()
      memory.hasEnded = true
      scribe.writeState(memory, to: statePath)
    }
    scribe.finish()
    for case .stateNotWritten(let reason) in scribe.take() where !hasComplainedOfState {
      log.warning("nothing can be remembered: \(reason)")
    }
  }
}
