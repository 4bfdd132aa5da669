/// How loud, which the person decides (policy §8).
extension PolicyState {
  /// The index of the route whose system volume is in force, or was last (V3).
  public var volumeRoute: Int? { currentRoute ?? routeHistory.first }

  /// V3, V4: what `/host/volume` reads, a fader position 0…1.
  public var systemVolume: Double {
    guard let route = volumeRoute.map({ outputRoutes[$0] }) else { return 1 }
    return route.hasFixedVolume ? 1 : route.volume
  }

  /// V4: empty, or the title of the current route where its volume is fixed.
  public var volumeControl: String {
    guard let route = volumeRoute.map({ outputRoutes[$0] }), route.hasFixedVolume else { return "" }
    return route.title
  }

  /// V3, V4.
  mutating func setVolume(_ position: Double) throws(Refusal) {
    guard let route = volumeRoute else {
      throw Refusal(.resourceNotAvailable, "there is no output route whose volume could be set")
    }
    guard !outputRoutes[route].hasFixedVolume else {
      throw Refusal(
        .resourceNotAvailable, "the volume of \(outputRoutes[route].title) is fixed; set it at the device itself")
    }
    outputRoutes[route].volume = position
  }

  /// V2: one of sixteen steps of the volume that governs what is heard.
  mutating func stepVolume(up: Bool) throws(Refusal) {
    let surroundings = Surroundings(self)
    let step = up ? 1.0 / 16 : -1.0 / 16
    let systemIsHeard = sessions.indices.contains { index in
      let session = sessions[index].standing
      return !session.effectiveCategory.followsRinger && surroundings.silence(of: session) == .none
    }
    if systemIsHeard {
      try setVolume(min(1, max(0, systemVolume + step)))
    } else {
      ringerVolume = min(1, max(0, ringerVolume + step))
    }
  }
}
