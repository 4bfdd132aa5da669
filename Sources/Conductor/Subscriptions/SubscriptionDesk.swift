import AddressSpace
import SessionPolicy

/// Who listens to what, and what they are told. Control thread only.
///
/// Nothing is compared when nothing has happened; what has happened is looked at once for all who listen, when the first
/// of them is due.
struct SubscriptionDesk {
  /// The most clients that can listen. A further one is refused; none is thrown out.
  static let mostSubscribers = 64
  /// How long a subscription lasts that is not renewed.
  static let lease: Microseconds = 10_000_000
  private static let signOfLife: Microseconds = 1_000_000

  private var board: ValueBoard
  private var subscribers: [Subscriber] = []
  /// Clients that listen, or have subscribed for others.
  private var clients: Set<ReaderID> = []
  /// Counts what has happened, and how much of it the board shows.
  private var events: UInt64 = 1
  private var shown: UInt64 = 0
  /// Counts the occasions on which values are read.
  private var round: UInt64 = 0
  private var nextSignOfLife: Microseconds = 0

  init(_ state: PolicyState) { board = ValueBoard(state) }

  private var isStale: Bool { shown != events }

  /// Whether a client listens or has subscribed for another one.
  func knows(_ client: ReaderID) -> Bool { !clients.isEmpty && clients.contains(client) }

  /// Something has happened.
  mutating func noteEvent() { events &+= 1 }

  // MARK: Subscribing

  /// Begins to tell a client what changes.
  ///
  /// - Parameters:
  ///   - owner: who asks.
  ///   - reader: who is to be told.
  ///   - expiry: when it ends, unless it is renewed.
  mutating func subscribe(
    _ wish: SubscriptionWish, owner: ReaderID, reader: ReaderID, until expiry: Microseconds, at now: Microseconds,
    _ control: ControlState, _ measurements: Measurements, to outbox: inout [Outgoing]
  ) throws(Refusal) {
    let known = subscribers.first { $0.reader == reader }
    guard known != nil || subscribers.count < Self.mostSubscribers else {
      throw Refusal(
        .tooMany, "\(Self.mostSubscribers) clients have subscriptions already; one of them has to leave first")
    }
    let subscriber = known ?? Subscriber(reader)
    var values = AddressReader(control, environment: measurements)
    look(&values)
    let subscription = Subscription(
      pattern: SubscribedPattern(wish.pattern, on: board), period: wish.milliseconds * 1000, owner: owner, now: now)
    guard subscriber.subscribe(subscription, on: &board, to: &outbox) else {
      throw Refusal(
        .tooMany, "this client has \(Subscriber.mostSubscriptions) subscriptions already; /unsubscribe from one first")
    }
    if subscribers.isEmpty { nextSignOfLife = now - now % Self.signOfLife + Self.signOfLife }
    if known == nil { subscribers.append(subscriber) }
    for other in subscribers {
      _ = other.renew(for: owner, until: expiry)
      _ = other.renew(for: reader, until: now + Self.lease)
    }
    listClients()
    round += 1
    subscriber.tell(at: now, isFresh: false, round: round, &board, &values, to: &outbox)
  }

  /// Ends a client's subscription of a pattern, or all of them.
  mutating func unsubscribe(_ client: ReaderID, pattern: String?) throws(Refusal) {
    let isFound = end { subscriber, subscription in
      (client == subscriber || client == subscription.owner) && pattern.map { $0 == subscription.pattern.text } ?? true
    }
    guard isFound || pattern == nil else {
      throw Refusal(.resourceNotAvailable, "this client has no subscription of \(pattern ?? "")")
    }
  }

  /// Keeps all subscriptions of a client.
  mutating func renew(_ client: ReaderID, until expiry: Microseconds) throws(Refusal) {
    var isFound = false
    for subscriber in subscribers where subscriber.renew(for: client, until: expiry) { isFound = true }
    guard isFound else {
      throw Refusal(.resourceNotAvailable, "this client has no subscription to renew; send /subscribe")
    }
  }

  /// A client is gone for good.
  mutating func forget(_ client: ReaderID) {
    guard knows(client) else { return }
    _ = end { subscriber, subscription in client == subscriber || client == subscription.owner }
  }

  /// The host has other routes: everything that somebody listens to is told anew.
  mutating func rebuild(
    at now: Microseconds, _ control: ControlState, _ measurements: Measurements, to outbox: inout [Outgoing]
  ) {
    let listeners = subscribers.map { ($0.reader, $0.subscriptions) }
    board = ValueBoard(control.policy)
    subscribers = []
    for (reader, subscriptions) in listeners {
      for subscription in subscriptions {
        var wish = SubscriptionWish()
        wish.pattern = subscription.pattern.text
        wish.milliseconds = subscription.period / 1000
        // There was room for all of them before.
        try? subscribe(
          wish, owner: subscription.owner, reader: reader, until: subscription.expiry, at: now, control, measurements,
          to: &outbox)
      }
    }
    listClients()
  }

  private mutating func end(where isEnded: (ReaderID, Subscription) -> Bool) -> Bool {
    var isFound = false
    for subscriber in subscribers {
      if subscriber.unsubscribe(on: &board, where: { isEnded(subscriber.reader, $0) }) { isFound = true }
    }
    if isFound {
      subscribers.removeAll { $0.subscriptions.isEmpty }
      listClients()
    }
    return isFound
  }

  private mutating func listClients() {
    clients = Set(subscribers.flatMap { [$0.reader] + $0.subscriptions.map(\.owner) })
  }

  // MARK: What happens

  /// Who is told of what has happened.
  mutating func tell(_ notices: [Message], to outbox: inout [Outgoing]) {
    for notice in notices {
      guard !subscribers.isEmpty else {
        outbox.append(.notice(notice, to: []))
        continue
      }
      let address = AddressPattern.Parts(notice.address)
      outbox.append(.notice(notice, to: subscribers.filter { $0.hears(notice, at: address) }.map(\.reader)))
    }
  }

  /// A client that listens has set something: it is not told what it has just said itself, but what else has come of it.
  mutating func noteHand(_ message: Message, from client: ReaderID, _ control: ControlState) {
    let hands = subscribers.filter { $0.isActedFor(by: client) }
    for setting in AddressTable.settings(of: message.address, in: control) {
      let session = setting.endpoint.subject == .session ? control.policy.sessions[setting.index].id : nil
      if let session, board.place(of: setting.endpoint, session: session, index: 0) == nil {
        follow(control.policy.sessions)
      }
      guard let place = board.place(of: setting.endpoint, session: session, index: setting.index) else { continue }
      let isAsSent = setting.endpoint.isValue(setting.value, setBy: message.arguments)
      for hand in hands { hand.noteHand(at: place, value: isAsSent ? setting.value : nil, on: board) }
    }
  }

  /// Brings the board up to date. Returns whether it was not.
  @discardableResult
  private mutating func look(_ values: inout AddressReader) -> Bool {
    guard isStale else { return false }
    shown = events
    follow(values.sessions)
    for place in board.changes(&values) {
      for subscriber in subscribers { subscriber.noteChange(at: place, on: board) }
    }
    return true
  }

  private mutating func follow(_ sessions: [Session]) {
    let turnover = board.follow(sessions)
    for seat in turnover.closed {
      for subscriber in subscribers { subscriber.close(seat: seat, on: &board) }
      board.free(seat: seat)
    }
    for seat in turnover.opened {
      for subscriber in subscribers { subscriber.open(seat: seat, on: &board) }
    }
  }

  // MARK: Time

  /// Tells whoever is due.
  mutating func advance(
    to now: Microseconds, _ control: ControlState, _ measurements: Measurements, to outbox: inout [Outgoing]
  ) {
    guard !subscribers.isEmpty else { return }
    _ = end { _, subscription in subscription.expiry <= now }
    giveSignOfLife(at: now, to: &outbox)
    guard subscribers.contains(where: { $0.isDue(at: now, isStale: isStale) }) else { return }
    var values = AddressReader(control, environment: measurements)
    let isFresh = look(&values)
    round += 1
    for subscriber in subscribers {
      subscriber.tell(at: now, isFresh: isFresh, round: round, &board, &values, to: &outbox)
    }
  }

  private mutating func giveSignOfLife(at now: Microseconds, to outbox: inout [Outgoing]) {
    guard now >= nextSignOfLife else { return }
    nextSignOfLife = now - now % Self.signOfLife + Self.signOfLife
    let message = Message("/eider/alive", .int(Int32(clamping: now / Self.signOfLife)))
    outbox += subscribers.filter { !$0.isStarting }.map { .answer(message, to: $0.reader) }
  }

  /// When somebody is to be told something next.
  var nextTime: Microseconds? {
    guard !subscribers.isEmpty else { return nil }
    return subscribers.reduce(nextSignOfLife) { min($0, $1.nextTime(isStale: isStale) ?? .max) }
  }
}
