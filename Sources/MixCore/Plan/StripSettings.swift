/// A strip's plan as the audio thread reads it: plain data, checked, positions instead of decibels.
struct StripSettings {
  var isOpen = false
  var followsRinger = false
  var isCall = false
  var isMicrophoneOpen = false
  var measuresLoudness = false
  /// 1 or 2.
  var channels: UInt8 = 2
  /// −100…100.
  var priority: Int16 = 0
  var inputs = PortPair()
  var sends = PortPair()
  var volume: Float = 1
  var left: Float = 1
  var right: Float = 1
  var volumeFade: UInt32 = 0
  var gateFade: UInt32 = 0
  var way: UInt32 = 0
  var gateWay: UInt32 = 0
  var microphoneFade: UInt32 = 0
  var openRoutes: UInt64 = 0
  var routes: UInt64 = 0
  var duck = DuckSettings()
  var activation = ActivationSettings()
}

extension StripSettings {
  /// Whether a ducker ducks this strip on the routes that they share (D2). A ducker does not duck itself.
  @_noLocks @_noAllocation
  func isDucked(by ducker: StripSettings) -> Bool {
    if isCall { return false }
    return priority < ducker.priority || (priority == ducker.priority && !duck.isOfDuckerClass)
  }
}

struct DuckSettings {
  var isOfDuckerClass = false
  /// With trigger `held`: whether it ducks now. With trigger `signal`: whether its signal may.
  var isAllowed = false
  var waitsForSignal = false
  var keepsMargin = false
  /// A position 0…1.
  var depth: Float = 1
  /// dB, −60…0.
  var maxDepth: Float = 0
  /// LU.
  var margin: Float = 10
  /// An amplitude.
  var threshold: Float = 0
  var attack: UInt32 = 1
  var hold: UInt32 = 0
  var release: UInt32 = 1
}

struct ActivationSettings {
  var isWatched = false
  /// An amplitude.
  var threshold: Float = 0
  var onset: UInt32 = 0
  var hold: UInt32 = 0
}

struct OutputRouteSettings {
  var isAvailable = false
  var measuresLoudness = false
  /// How many of `ports` there are.
  var channels: UInt8 = 0
  var volume: Float = 1
  var trim: Float = 1
  var volumeFade: UInt32 = 0
  var way: UInt32 = 0
  /// An amplitude, or infinity where the limiter is off.
  var ceiling: Float = .infinity
  var lookAhead: UInt32 = 0
  var ports = InlineArray<32, UInt>(repeating: 0)
}

struct InputRouteSettings {
  var isAvailable = false
  /// How many of `ports` there are, 0…2.
  var channels: UInt8 = 0
  var trim: Float = 1
  var trimFade: UInt32 = 0
  var ports = PortPair()
}

struct HostSettings {
  var isOpen = true
  var ringer: Float = 1
  var ringerFade: UInt32 = 0
  var ringerWay: UInt32 = 0
  var openFade: UInt32 = 0
  var inputFade: UInt32 = 0
}
