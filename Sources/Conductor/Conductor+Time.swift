import AddressSpace
import SessionPolicy

/// What happens because time goes by.
extension Conductor {
  /// Does what is due: timed events, idle releases, and what the mixer has measured or acknowledged.
  ///
  /// - Parameter lead: how many frames before its own a timed event is performed, so that it is in time.
  public func advance(to moment: Moment, lead: Int) {
    while let entry = agenda.takeNext(before: moment.frame &+ UInt64(lead)) {
      publish()
      performOwnEvents(until: entry.seconds)
      performEvent(at: entry.seconds, partCount: entry.messages.count) {
        for message in entry.messages { dispatch(message, from: entry.reader) }
      }
      publish(atFrame: entry.frame)
    }
    performOwnEvents(until: moment.seconds)
    if let next = nextGlideStep, next <= moment.seconds { moveGlides(to: moment.seconds) }
    followSignals(at: moment)
    stage?.tidy(at: moment.frame)
    if stage?.isChanged ?? false {
      stage?.isChanged = false
      isStale = true
    }
    outbox += syncs.take(acknowledged: stage?.acknowledged).map {
      .answer(Message("/synced", .int($0.id)), to: $0.reader)
    }
    measurements.now = moment.seconds
    desk.advance(to: moment.microseconds, control, measurements, to: &outbox)
    if measurements.takeLoudnessChange() { isStale = true }
  }

  /// How long nothing is due, in seconds from a moment.
  public func timeToNext(from moment: Moment, lead: Int, rate: Double) -> Double {
    var time = 0.1
    if let next = nextOwnEvent { time = min(time, next - moment.seconds) }
    if let frame = agenda.nextFrame {
      time = min(time, (Double(frame) - Double(moment.frame) - Double(lead)) / rate)
    }
    if let next = desk.nextTime { time = min(time, Double(next - moment.microseconds) / 1e6) }
    if stage != nil {
      if !syncs.isEmpty { time = min(time, 0.0005) }
      if stage?.isBusy ?? false || listensForSignals { time = min(time, 0.005) }
    }
    return max(0, time)
  }

  /// Does what the host does by itself: releases idle sessions, and lets scenes arrive.
  func performOwnEvents(until seconds: Double) {
    while let event = control.performOwnEvent(until: seconds) {
      for (reply, reader) in event.replies { answer(reply, to: reader) }
      conclude(event.notices)
    }
  }

  /// Brings numbers that glide to where they are by now, for whoever reads them and for what has no ramp in the mixer.
  func moveGlides(to seconds: Double) {
    control.moveGlides(to: seconds)
    lastGlideStep = seconds
    isStale = true
    recollection.isStale = true
    desk.noteEvent()
  }

  /// When numbers that glide are moved next, in seconds: every 20 ms, and when they arrive.
  private var nextGlideStep: Double? {
    guard let arrival = control.nextArrival else { return nil }
    let next = ((lastGlideStep / Self.glideStep).rounded(.down) + 1) * Self.glideStep
    return min(arrival, next > lastGlideStep ? next : next + Self.glideStep)
  }

  private static let glideStep = 0.02

  /// When the host does something by itself next, in seconds.
  var nextOwnEvent: Double? {
    switch (control.nextOwnEvent, nextGlideStep) {
    case (let event?, let step?): min(event, step)
    case (let event, let step): event ?? step
    }
  }

  var listensForSignals: Bool { policy.sessions.contains { $0.listensForSignal } }

  /// What the mixer hears becomes events (§9, D1).
  private func followSignals(at moment: Moment) {
    var events: [Event] = []
    for index in policy.sessions.indices where policy.sessions[index].listensForSignal {
      let session = policy.sessions[index]
      let hasSignal = measurements.hasActivationSignal(session.id)
      if session.activation == .signal, session.hasActivationSignal != hasSignal {
        events.append(.setSignal(session.id, hasSignal))
      }
      let ducks = measurements.hasDuckSignal(session.id)
      if session.hasDuckingSignal != ducks { events.append(.setDuckingSignal(session.id, ducks)) }
    }
    if !events.isEmpty { perform(events, at: moment) }
  }
}

extension Session {
  /// Whether somebody wants to know if its input carries signal.
  fileprivate var listensForSignal: Bool {
    activation == .signal || isDucker && duck.trigger == .signal && state == .active
  }
}
