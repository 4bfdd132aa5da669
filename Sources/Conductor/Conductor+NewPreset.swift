import AddressSpace
import Presets
import SessionPolicy

// A preset that takes the place of another while everything runs.
extension Conductor {
  /// Makes what differs between the present preset and another so, as one event, without a click. What is the same goes on
  /// as if nothing had happened, to the bit.
  ///
  /// Output routes that depend on JACK ports and are new are absent until somebody says that they are there.
  /// - Parameter channels: how many ports an output or input route of a name has.
  public func adopt(_ new: Preset, at moment: Moment, channels: (String) -> Int) {
    let old = preset
    performOwnEvents(until: moment.seconds)
    publish()
    performEvent(at: moment.seconds) {
      outbox += control.adopt(new, insteadOf: old).map { .complaint($0) }
      preset = new
      recollection.adopt(new, insteadOf: old)
      if let stage {
        outbox += stage.adopt(new, insteadOf: old, policy, channels: channels, measurements)
          .map { .complaint($0.message) }
      }
    }
    if old.routes.map(\.name) != new.routes.map(\.name) || old.inputs.map(\.name) != new.inputs.map(\.name) {
      desk.rebuild(at: moment.microseconds, control, measurements, to: &outbox)
    }
    publish()
  }
}
