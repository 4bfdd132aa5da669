import AddressSpace

/// Times of subscriptions are whole microseconds, so that periods add up exactly.
typealias Microseconds = Int

/// A pattern that a client listens to, and what of the board it reaches.
struct SubscribedPattern {
  /// As the client wrote it.
  let text: String
  /// `nil` is everything.
  private let pattern: AddressPattern?
  private let fixtures: [Bool]
  private let rows: [Bool]

  init(_ text: String, on board: ValueBoard) {
    let pattern = text == SubscriptionWish.everything ? nil : AddressPattern(text)
    self.text = text
    self.pattern = pattern
    fixtures = board.fixtures.map { fixture in pattern.map { $0.matches(fixture.address) } ?? true }
    rows = board.rows.map { row in pattern.map { $0.mayMatch(form: row.form) } ?? true }
  }

  func reaches(fixture place: Place) -> Bool { fixtures[place] }
  func reaches(row: Int) -> Bool { rows[row] }
  func reaches(session name: String) -> Bool { pattern.map { $0.matchesName(name) } ?? true }
  func hears(_ notice: AddressPattern.Parts) -> Bool { pattern.map { $0.matches(notice) } ?? true }

  /// All that it reaches now, in the order of the address table, then of the opening of sessions.
  func places(on board: ValueBoard) -> [Place] {
    let seats = board.seatsInOrder.filter { reaches(session: board.name(ofSeat: $0)) }
    return board.lines.flatMap { line in
      switch line {
      case .fixtures(let places): places.filter(reaches(fixture:))
      case .row(let row): reaches(row: row) ? seats.map { board.place($0, row) } : []
      }
    }
  }
}

/// One pattern that a client has subscribed to.
struct Subscription {
  let pattern: SubscribedPattern
  var period: Microseconds
  /// Who has asked for it: the client itself, or another one that gave its URL.
  var owner: ReaderID
  /// When it ends, unless it is renewed.
  var expiry: Microseconds
  /// From when on changes may be told. Always a multiple of the period, so that those of one period go together.
  var due: Microseconds
  /// What has changed, and what has to be measured, of the places that are told by this subscription.
  var changed: [Place] = []
  var measured: [Place] = []

  init(pattern: SubscribedPattern, period: Microseconds, owner: ReaderID, now: Microseconds) {
    self.pattern = pattern
    self.period = period
    self.owner = owner
    expiry = now
    due = 0
    restart(at: now)
  }

  /// The next change is told one period from now at the earliest.
  mutating func restart(at now: Microseconds) {
    due = (now + 2 * period - 1) / period * period
  }

  /// Goes on to the next period. Whoever was not due for long waits for the one after, so as not to be told twice in one.
  mutating func advance(at now: Microseconds) {
    if now - due < period { due += period } else { restart(at: now) }
  }
}
