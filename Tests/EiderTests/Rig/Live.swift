import JACKProbe
import Testing

/// Every test here has a private server, and libjack speaks to one at a time.
@Suite(.serialized) enum Live {
  /// Frames per cycle that sound must not depend on.
  static let periods = [16, 64, 256, 1024]
}
