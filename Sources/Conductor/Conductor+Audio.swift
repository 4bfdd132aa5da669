import MixCore

/// The conductor's tie to the mixer, which comes and goes with the server. Control thread only.
extension Conductor {
  /// Starts to mix: makes all ports.
  ///
  /// - Parameters:
  ///   - rate: frames per second.
  ///   - waitsForWires: whether all is silent until `setUnwired` says what is wired.
  ///   - channels: how many ports an output or input route of a name has.
  public func attach(
    _ mixer: Mixer, rate: Double, ports: any AudioPorts, waitsForWires: Bool = false,
    channels: @escaping (String) -> Int
  ) {
    measurements.attach(mixer.meters)
    let stage = Stage(mixer: mixer, rate: rate, fades: preset.fades, ports: ports, channels: channels)
    self.stage = stage
    let complaints = stage.complete(policy, preset, measurements)
    outbox += complaints.map { .complaint($0.message) }
    if waitsForWires {
      stage.unwired = Set(
        policy.sessions.map { .session($0.name) } + policy.outputRoutes.map { .outputRoute($0.name) })
    }
    isStale = true
    publish()
  }

  /// Some port has become free: what could not have ports tries again to get them.
  public func completePorts() {
    guard let stage, !stage.isComplete else { return }
    _ = stage.complete(policy, preset, measurements)
    isStale = true
  }

  /// Says which sessions and output routes wait for their wires from now on, in silence. Those that do no longer fade in
  /// from a frame on, which should lie so far ahead that the wires are in force by then.
  public func setUnwired(_ owners: Set<AudioPortName.Owner>, fromFrame frame: UInt64) {
    guard let stage, stage.unwired != owners else { return }
    let all = stage.unwired.union(owners)
    if all != stage.unwired { isStale = true }
    stage.unwired = all
    publish()
    guard all != owners else { return }
    stage.unwired = owners
    isStale = true
    publish(atFrame: frame)
  }

  /// The audio is gone, with all ports. The policy goes on.
  public func detach() {
    stage = nil
    measurements.attach(nil)
  }

  /// Fades everything out, within this many seconds; so many frames of silence belong to it.
  public func fadeOut(seconds: Double, rest: Int) { stage?.fadeOut(seconds: seconds, rest: rest) }

  /// Whether that is done.
  public var isFadedOut: Bool { stage?.isFadedOut ?? true }
}
