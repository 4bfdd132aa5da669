import Presets

extension Preset {
  /// How many ports an output or input route of this name has where nothing is known of the ports that it means: one
  /// for each that it names. A single expression can match several, so it counts as two; without any an output has two
  /// and an input one.
  public func expectedChannels(ofRoute name: String) -> Int {
    let route = routes.first { $0.name == name }
    let ports = route.map(\.ports) ?? inputs.first { $0.name == name }?.ports
    guard let ports, let first = ports.first else { return route == nil ? 1 : 2 }
    let isLiteral = !first.text.contains(where: "\\^$.|?*+()[]{}".contains)
    return ports.count == 1 && !isLiteral ? 2 : ports.count
  }

  /// How many channels a session of this name has.
  public func channels(ofSession name: String) -> Int { sessions.first { $0.name == name }?.channels ?? 2 }
}
