import Glibc
import SessionPolicy

/// What recalls of scenes have still to do: numbers on their way, and what closes when the scene has arrived.
///
/// A recall is one crossfade. Levels – faders, pan, decibels – glide from where they are now, within the scene's time.
/// What *opens* (plays, activates, unmutes …) does so at its start and fades in; what *closes* fades out first and
/// closes at its end (`Endpoint.closes`). Everything else – texts, ranks, times – switches at its start.
struct Crossfade: Hashable, Sendable {
  /// A number on its way.
  struct Glide: Hashable, Sendable {
    let address: String
    let law: GlideLaw
    let from: Double
    let to: Double
    /// Seconds.
    let start: Double
    let end: Double
    /// What its address read when it was last moved. Where it reads something else, somebody else has set it.
    var last: [Argument]

    func value(at time: Double) -> Double {
      guard time < end, end > start else { return to }
      return law.value(from: from, to: to, part: max(0, (time - start) / (end - start)))
    }
  }

  /// A message that waits for the end of the crossfade.
  struct Closing: Hashable, Sendable {
    let message: Message
    /// Seconds.
    let time: Double
    /// Who has recalled the scene, and is told if it is refused.
    let reader: ReaderID
  }

  var glides: [Glide] = []
  /// In the order of their times; of one time in the order of the scene.
  var closings: [Closing] = []
  /// The addresses whose way somebody has changed since this was last taken.
  var retaken: Set<String> = []

  var isEmpty: Bool { glides.isEmpty && closings.isEmpty }

  /// Somebody else has the say about an address.
  mutating func drop(_ address: String) {
    let count = glides.count + closings.count
    glides.removeAll { $0.address == address }
    closings.removeAll { $0.message.address == address }
    if glides.count + closings.count != count { retaken.insert(address) }
  }

  mutating func add(_ closing: Closing) {
    let place = closings.firstIndex { $0.time > closing.time } ?? closings.count
    closings.insert(closing, at: place)
  }
}

/// How a level glides: in a straight line of the fader's position, or of itself.
enum GlideLaw: Hashable, Sendable {
  case linear
  /// Decibels: the position whose cube is the gain (V1).
  case fader

  func value(from: Double, to: Double, part: Double) -> Double {
    switch self {
    case .linear: from + (to - from) * part
    case .fader: 60 * log10(Self.position(from) + (Self.position(to) - Self.position(from)) * part)
    }
  }

  private static func position(_ decibels: Double) -> Double { pow(10, decibels / 60) }
}

extension Endpoint {
  /// How its number glides; `nil` where it is no level. Times and ranks decide when something happens and who has the
  /// say: between two of their values there is nothing to hear.
  var glideLaw: GlideLaw? {
    guard access == .readWrite, kinds.count == 1, let kind = kinds.first else { return nil }
    switch kind {
    case .fader: return .linear
    case .clamped(_, let unit), .number(_, let unit):
      switch unit {
      case "dB": return .fader
      case "", "dBFS", "LU": return .linear
      default: return nil
      }
    case .measured, .integer, .bool, .text, .word, .words, .names: return nil
    }
  }

  /// Whether these arguments close something, so that a scene fades it out first and does it at its end: pausing and
  /// deactivating, muting, closing a session, the background, the silent switch, the lock, the cover, and taking a
  /// route away. All else opens, or is neither: solo is of both kinds, and switches at the start.
  func closes(_ arguments: [Argument]) -> Bool {
    switch address {
    case "/session/NAME/playing", "/session/NAME/active", "/session/NAME/foreground", "/route/NAME/available",
      "/input/NAME/available":
      arguments.first?.truth == false
    case "/session/NAME/mute", "/session/NAME/micMute", "/host/silent", "/host/locked": arguments.first?.truth == true
    case "/host/cover": arguments.first == .string(Cover.closed.rawValue)
    case "/session/close": true
    default: false
    }
  }

  /// What else than itself an address changes when it is set: what is safe from recalls is safe from these too.
  func alsoTouches(_ address: String, in state: PolicyState) -> [String] {
    switch self.address {
    case "/host/volume": return state.volumeRouteName.map { ["/route/\($0)/volume"] } ?? []
    case "/route/NAME/volume":
      return state.volumeRouteName.map { "/route/\($0)/volume" } == address ? ["/host/volume"] : []
    case "/session/NAME/category":
      let session = address.dropLast("/category".count)
      return ["\(session)/options", "\(session)/mode"]
    case "/session/NAME/active": return ["\(address.dropLast("/active".count))/playing"]
    case "/session/NAME/playing": return ["\(address.dropLast("/playing".count))/active"]
    default: return []
    }
  }
}

extension Argument {
  /// What it means where a bool is wanted; `nil` where it means none.
  var truth: Bool? {
    if case .bool(let value) = self { return value }
    return number.map { $0 != 0 }
  }
}

extension PolicyState {
  /// The name of the route whose system volume is in force, or was last (V3).
  var volumeRouteName: String? { volumeRoute.map { outputRoutes[$0].name } }
}
