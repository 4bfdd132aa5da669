import Conductor
import JACKTransport
import Presets

// What the preset wants of the ports of the server.
extension AudioSide {
  /// The icon of what ports belong to, by the icon naming specification of freedesktop.org.
  static func icon(of owner: AudioPortName.Owner, _ preset: Preset) -> String {
    switch owner {
    case .session: "audio-x-generic"
    case .microphoneSend, .inputRoute: "audio-input-microphone"
    case .outputRoute(let name):
      switch preset.routes.first(where: { $0.name == name })?.kind {
      case .headphones: "audio-headphones"
      case .bluetooth: "bluetooth"
      case .airplay: "network-wireless"
      case .hdmi: "video-display"
      case .line, .usb: "audio-card"
      case .speaker, nil: "audio-speakers"
      }
    }
  }

  /// The ports of others that a route of the preset means, by its name.
  func selection(_ patterns: [PortExpression]?) -> PortSelection {
    guard let patterns else { return .physical }
    return .patterns(
      patterns.map { expression in
        do {
          return try PortPattern(expression.text)
        } catch {
          preconditionFailure("a preset that was read has patterns that compile: \(error)")
        }
      })
  }

  /// The ports that a route's or input's patterns match now, and how many patterns there are.
  private func matches(_ patterns: [PortExpression]?, direction: PortDirection) -> [JACKPort] {
    let selection = selection(patterns)
    return client.ports().filter { port in
      guard port.isAudio, port.direction == direction, port.client != client.name else { return false }
      return switch selection {
      case .physical: port.isPhysical
      case .patterns(let patterns): patterns.contains { $0.matches(port) }
      }
    }
  }

  /// How many ports a route or input of this name has: one for each port that it means.
  func channels(of name: String) -> Int {
    let (patterns, direction): ([PortExpression]?, PortDirection) =
      if let route = preset.routes.first(where: { $0.name == name }) { (route.ports, .input) } else {
        (preset.inputs.first { $0.name == name }?.ports, .output)
      }
    return max(matches(patterns, direction: direction).count, preset.expectedChannels(ofRoute: name))
  }

  /// Whether all ports of the route or input of this name exist now.
  func portsExist(of name: String) -> Bool {
    if let route = preset.routes.first(where: { $0.name == name }) {
      return exist(route.ports, direction: .input)
    }
    return exist(preset.inputs.first { $0.name == name }?.ports, direction: .output)
  }

  private func exist(_ patterns: [PortExpression]?, direction: PortDirection) -> Bool {
    guard let patterns else { return !matches(nil, direction: direction).isEmpty }
    return patterns.allSatisfy { !matches([$0], direction: direction).isEmpty }
  }
}
