import SessionPolicy

extension Preset {
  /// The machine of a script that comes without a preset: a speaker; headphones, bluetooth and line, all absent;
  /// and a microphone. OSC says what comes and goes.
  public static var scriptDefault: Preset {
    func route(_ name: String, _ kind: RouteKind, isAvailable: Bool) -> Route {
      var route = Route(name: name, kind: kind)
      route.ports = []
      route.availability = .manual
      route.isAvailableAtStart = isAvailable
      return route
    }
    var microphone = Input(name: "mic")
    microphone.ports = []
    microphone.availability = .manual

    var preset = Preset()
    preset.routes = [
      route("speaker", .speaker, isAvailable: true),
      route("headphones", .headphones, isAvailable: false),
      route("bluetooth", .bluetooth, isAvailable: false),
      route("line", .line, isAvailable: false),
    ]
    preset.inputs = [microphone]
    return preset
  }
}
