import AddressSpace
import SessionPolicy

/// What a client has asked the desk for. It is done when the event is over: nobody is told half an event.
struct DeskRequest {
  enum Act {
    case subscribe(SubscriptionWish)
    case unsubscribe(pattern: String?)
    case renew
  }

  let act: Act
  let reader: ReaderID

  init(_ act: Act, from reader: ReaderID) {
    self.act = act
    self.reader = reader
  }

  var address: String {
    switch act {
    case .subscribe: "/subscribe"
    case .unsubscribe: "/unsubscribe"
    case .renew: "/renew"
    }
  }
}

extension Conductor {
  /// Whether a client listens or has subscribed for another one, and so has to be remembered.
  public func isListening(_ reader: ReaderID) -> Bool { desk.knows(reader) }

  /// Does what clients have asked the desk for in the event that has just ended.
  func carryOutDeskRequests() {
    guard !deskRequests.isEmpty else { return }
    let requests = deskRequests
    deskRequests = []
    for request in requests {
      do throws(Refusal) {
        try carryOut(request)
      } catch {
        outbox.append(.answer(error.message(for: request.address), to: request.reader))
      }
    }
  }

  private func carryOut(_ request: DeskRequest) throws(Refusal) {
    let now = Moment(seconds: policy.lastEventTime, frame: 0).microseconds
    let expiry = clients.isConnected(request.reader) ? Microseconds.max : now + SubscriptionDesk.lease
    switch request.act {
    case .subscribe(let wish):
      var reader = request.reader
      if let url = wish.url { reader = try clients.reader(url, request.reader) }
      try desk.subscribe(
        wish, owner: request.reader, reader: reader, until: expiry, at: now, control, measurements, to: &outbox)
    case .unsubscribe(let pattern): try desk.unsubscribe(request.reader, pattern: pattern)
    case .renew: try desk.renew(request.reader, until: expiry)
    }
  }
}

extension Moment {
  /// The time as subscriptions count it.
  var microseconds: Microseconds { Microseconds((seconds * 1e6).rounded()) }
}
