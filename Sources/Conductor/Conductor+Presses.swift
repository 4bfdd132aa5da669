import AddressSpace

/// What faders and buttons say, applied as it lies in a packet.
extension Conductor {
  /// Applies presses as one event, now, as if they were the messages that they are. `publish` brings it into force.
  ///
  /// - Parameter bytes: the packet that they lie in.
  public func perform(
    _ presses: Span<Press>, in bytes: Span<UInt8>, from reader: ReaderID, at moment: Moment
  ) {
    performOwnEvents(until: moment.seconds)
    performEvent(at: moment.seconds, partCount: presses.count) {
      // Whoever listens is not told what he says himself: that takes a closer look.
      let isListener = desk.knows(reader)
      for index in presses.indices {
        let press = presses[index]
        if !isListener, let replies = AddressTable.apply(press, in: bytes, to: &control) {
          for reply in replies { answer(reply, to: reader) }
        } else {
          dispatch(Message(press, in: bytes), from: reader)
        }
      }
    }
  }
}
