import AddressSpace

/// A client that listens: what it was told, and what it has yet to be told. Control thread only.
final class Subscriber {
  /// The most patterns that one client can subscribe to.
  static let mostSubscriptions = 64
  /// How many values are sent in one go, and the pause until the next: a client's socket can take in a few hundred
  /// datagrams before it reads them, and what it loses is never sent again.
  static let valuesInOneGo = 100
  static let pause: Microseconds = 2000

  /// The values with which a subscription begins.
  private struct Start {
    let pattern: String
    let places: [Place]
    var position = 0
    /// How many of them were there to be sent.
    var count: Int32 = 0
  }

  let reader: ReaderID
  /// The shortest period first: an address that several match is told by the first of them only.
  private(set) var subscriptions: [Subscription] = []
  /// By place: the number of the subscription that tells it, from 1 on; 0 where there is none.
  private var teller: [UInt8] = []
  /// By place: the value that the client knows; `nil` if it has to be told whatever it is.
  private var told: [[Argument]?] = []
  /// By place: whether it stands in `changed` of its subscription.
  private var isChanged: [Bool] = []

  private var starts: [Start] = []
  /// What has happened while the first values are being sent.
  private var heldNotices: [Message] = []
  /// What may have changed, as far as it could not be sent in one go.
  private var batch: [Place] = []
  private var batchPosition = 0
  private var nextGo: Microseconds = 0

  init(_ reader: ReaderID) { self.reader = reader }

  /// Whether the first values are still being sent.
  var isStarting: Bool { !starts.isEmpty }
  private var isBusy: Bool { isStarting || batchPosition < batch.count }

  /// Whether a client is this one, or has subscribed for it.
  func isActedFor(by client: ReaderID) -> Bool {
    client == reader || subscriptions.contains { $0.owner == client }
  }

  // MARK: Subscriptions

  /// Adds a subscription or changes that of the same pattern, and lines up its first values.
  /// - Returns: `false` if there are too many.
  func subscribe(_ subscription: Subscription, on board: inout ValueBoard, to outbox: inout [Outgoing]) -> Bool {
    let pattern = subscription.pattern.text
    let known = subscriptions.firstIndex { $0.pattern.text == pattern }
    guard known != nil || subscriptions.count < Self.mostSubscriptions else { return false }
    rearrange(on: &board) {
      if let known { subscriptions.remove(at: known) }
      let place = subscriptions.firstIndex { $0.period > subscription.period } ?? subscriptions.endIndex
      subscriptions.insert(subscription, at: place)
    }
    if starts.contains(where: { $0.pattern == pattern }) { releaseHeldNotices(to: &outbox) }
    starts.removeAll { $0.pattern == pattern }
    starts.append(Start(pattern: pattern, places: subscription.pattern.places(on: board)))
    return true
  }

  /// Ends subscriptions. Returns whether there were any.
  func unsubscribe(on board: inout ValueBoard, where isEnded: (Subscription) -> Bool) -> Bool {
    let ended = subscriptions.filter(isEnded).map(\.pattern.text)
    guard !ended.isEmpty else { return false }
    starts.removeAll { ended.contains($0.pattern) }
    rearrange(on: &board) { subscriptions.removeAll(where: isEnded) }
    return true
  }

  /// Keeps the subscriptions of a client for longer. Returns whether there were any.
  func renew(for client: ReaderID, until expiry: Microseconds) -> Bool {
    var isFound = false
    for index in subscriptions.indices where client == reader || subscriptions[index].owner == client {
      subscriptions[index].expiry = max(subscriptions[index].expiry, expiry)
      isFound = true
    }
    return isFound
  }

  /// Changes the subscriptions, and settles anew which of them tells what.
  private func rearrange(on board: inout ValueBoard, _ change: () -> Void) {
    let waiting = subscriptions.flatMap(\.changed)
    for place in teller.indices where teller[place] != 0 { board.leave(place) }
    change()
    teller = Array(repeating: 0, count: board.count)
    grow(to: board.count)
    for number in subscriptions.indices {
      subscriptions[number].changed = []
      subscriptions[number].measured = []
      for place in board.fixtures.indices where subscriptions[number].pattern.reaches(fixture: place) {
        take(place, by: number, on: &board)
      }
      for seat in board.seatsInOrder { takeSeat(seat, by: number, on: &board) }
    }
    for place in teller.indices where teller[place] == 0 {
      told[place] = nil
      isChanged[place] = false
    }
    for place in waiting where teller[place] != 0 { subscriptions[Int(teller[place]) - 1].changed.append(place) }
  }

  private func grow(to count: Int) {
    teller += Array(repeating: 0, count: count - teller.count)
    told += Array(repeating: nil, count: count - told.count)
    isChanged += Array(repeating: false, count: count - isChanged.count)
  }

  private func take(_ place: Place, by number: Int, on board: inout ValueBoard) {
    guard teller[place] == 0 else { return }
    teller[place] = UInt8(number + 1)
    board.join(place)
    if board.dependence(place).isMeasured { subscriptions[number].measured.append(place) }
  }

  private func takeSeat(_ seat: Int, by number: Int, on board: inout ValueBoard) {
    guard subscriptions[number].pattern.reaches(session: board.name(ofSeat: seat)) else { return }
    for row in board.rows.indices where subscriptions[number].pattern.reaches(row: row) {
      take(board.place(seat, row), by: number, on: &board)
    }
  }

  // MARK: What changes

  /// A session was opened.
  func open(seat: Int, on board: inout ValueBoard) {
    grow(to: board.count)
    for number in subscriptions.indices { takeSeat(seat, by: number, on: &board) }
    for place in board.places(ofSeat: seat) { noteChange(at: place, on: board) }
  }

  /// A session was closed.
  func close(seat: Int, on board: inout ValueBoard) {
    let places = board.places(ofSeat: seat)
    for number in subscriptions.indices {
      subscriptions[number].changed.removeAll(where: places.contains)
      subscriptions[number].measured.removeAll(where: places.contains)
    }
    for place in places where teller[place] != 0 {
      board.leave(place)
      teller[place] = 0
      told[place] = nil
      isChanged[place] = false
    }
  }

  /// A value may have changed.
  func noteChange(at place: Place, on board: ValueBoard) {
    guard teller[place] != 0, !isChanged[place], !board.dependence(place).isMeasured else { return }
    isChanged[place] = true
    subscriptions[Int(teller[place]) - 1].changed.append(place)
  }

  /// The client has set a value itself. It is not told what it knows; `nil` if what it sent is not what has come of it.
  func noteHand(at place: Place, value: [Argument]?, on board: ValueBoard) {
    guard teller[place] != 0 else { return }
    told[place] = value
    // The rest of the event, or the next one, may set it to what the board shows already.
    noteChange(at: place, on: board)
  }

  /// Something has happened at an address. Returns whether the client is to be told at once.
  func hears(_ notice: Message, at address: AddressPattern.Parts) -> Bool {
    guard subscriptions.contains(where: { $0.pattern.hears(address) }) else { return false }
    if isStarting { heldNotices.append(notice) }
    return !isStarting
  }

  // MARK: Telling

  /// Whether something is to be sent now.
  ///
  /// - Parameter isStale: whether something has happened that the board does not show yet.
  func isDue(at now: Microseconds, isStale: Bool) -> Bool { nextTime(isStale: isStale).map { $0 <= now } ?? false }

  /// When something is to be sent next, if anything is.
  func nextTime(isStale: Bool) -> Microseconds? {
    if isBusy { return nextGo }
    return subscriptions.filter { isStale || !$0.changed.isEmpty || !$0.measured.isEmpty }.map(\.due).min()
  }

  /// Sends what is due, as much as goes in one go.
  ///
  /// - Parameter isFresh: whether something had happened that the board shows only now.
  func tell(
    at now: Microseconds, isFresh: Bool, round: UInt64, _ board: inout ValueBoard, _ values: inout AddressReader,
    to outbox: inout [Outgoing]
  ) {
    if !isBusy { gather(at: now, isFresh: isFresh) }
    guard isBusy, nextGo <= now else { return }
    var left = Self.valuesInOneGo
    while left > 0, isStarting {
      left -= sendNextOfStart(round, &board, &values, to: &outbox)
    }
    while left > 0, batchPosition < batch.count {
      let place = batch[batchPosition]
      batchPosition += 1
      guard teller[place] != 0 else { continue }
      guard let value = board.value(at: place, round: round, for: reader, &values), value != told[place] else {
        continue
      }
      send(value, at: place, &board, to: &outbox)
      left -= 1
    }
    if batchPosition == batch.count {
      batch.removeAll(keepingCapacity: true)
      batchPosition = 0
    }
    nextGo = isBusy ? now + Self.pause : 0
  }

  private func gather(at now: Microseconds, isFresh: Bool) {
    for number in subscriptions.indices where subscriptions[number].due <= now {
      guard isFresh || !subscriptions[number].changed.isEmpty || !subscriptions[number].measured.isEmpty else {
        continue
      }
      for place in subscriptions[number].changed { isChanged[place] = false }
      batch += subscriptions[number].changed.sorted()
      batch += subscriptions[number].measured
      subscriptions[number].changed.removeAll(keepingCapacity: true)
      subscriptions[number].advance(at: now)
    }
  }

  /// Sends one of the first values, or their end mark. Returns how many messages that was.
  private func sendNextOfStart(
    _ round: UInt64, _ board: inout ValueBoard, _ values: inout AddressReader, to outbox: inout [Outgoing]
  ) -> Int {
    let position = starts[0].position
    guard position < starts[0].places.count else {
      let start = starts.removeFirst()
      outbox.append(.answer(Message("/subscribed", .string(start.pattern), .int(start.count)), to: reader))
      if starts.isEmpty { releaseHeldNotices(to: &outbox) }
      return 1
    }
    starts[0].position += 1
    let place = starts[0].places[position]
    guard teller[place] != 0, let value = board.value(at: place, round: round, for: reader, &values) else { return 0 }
    starts[0].count += 1
    send(value, at: place, &board, to: &outbox)
    return 1
  }

  private func send(_ value: [Argument], at place: Place, _ board: inout ValueBoard, to outbox: inout [Outgoing]) {
    told[place] = value
    outbox.append(.answer(Message(board.address(of: place), value), to: reader))
  }

  private func releaseHeldNotices(to outbox: inout [Outgoing]) {
    outbox += heldNotices.map { .notice($0, to: [reader]) }
    heldNotices = []
  }
}

extension Endpoint.Dependence {
  /// Whether it changes without an event.
  var isMeasured: Bool { self == .measurement || self == .reader }
}
