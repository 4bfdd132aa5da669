extension Preset {
  /// The same preset for a host without JACK, in virtual time or on files: no port says whether a route is there, so the
  /// script does, by `/route/NAME/available` and `/input/NAME/available`.
  ///
  /// - Parameter isThere: whether the output route of a name whose ports would decide is there at the start; `nil`: if it
  ///   is nobody's own, as with one that is left to OSC. Inputs are there.
  public func withoutJACK(isThere: ((String) -> Bool)? = nil) -> Preset {
    var preset = self
    for index in preset.routes.indices where preset.routes[index].availability == .ports {
      preset.routes[index].availability = .manual
      preset.routes[index].isAvailableAtStart = isThere?(preset.routes[index].name)
    }
    for index in preset.inputs.indices { preset.inputs[index].availability = .manual }
    return preset
  }
}
