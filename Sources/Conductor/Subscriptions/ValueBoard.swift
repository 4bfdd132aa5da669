import AddressSpace
import SessionPolicy

/// Where the value of one address stands on the board: first those that are there for good, then those of each session.
typealias Place = Int

/// The values that somebody listens to, as they were when they were last looked at. All who listen share it, so that a
/// value is read once, however many do. Control thread only.
struct ValueBoard {
  /// An address that is there for good: of the host, a route, the daemon.
  struct Fixture {
    let source: ValueSource
    let dependence: Endpoint.Dependence
    /// Where its route stands.
    let index: Int
    /// The name of its route.
    let name: String
    let address: String
  }

  /// An address that every session has.
  struct Row {
    let source: ValueSource
    let dependence: Endpoint.Dependence
    /// The address, with NAME for that of the session.
    let form: String
    /// What follows the name.
    let attribute: Substring
  }

  /// The places of one session.
  private struct Seat {
    /// As it was last looked at.
    var session: Session
    /// When it was last seen to be open.
    var round: UInt64
  }

  /// A line of the address table: places that follow each other.
  enum Line {
    case fixtures(Range<Place>)
    case row(Int)
  }

  /// What has become of the sessions since the last time, by their seats.
  struct Turnover {
    var opened: [Int] = []
    var closed: [Int] = []
  }

  let fixtures: [Fixture]
  let rows: [Row]
  /// In the order of the address table.
  let lines: [Line]
  private let firstPlaces: [String: Place]
  private let ownRows: [Int]
  private let sharedRows: [Int]

  private var seats: [Seat?] = []
  /// By seat: where its session stands in the state. Not a part of the seat, which is large and would be copied for it.
  private var indices: [Int?] = []
  private var seatOf: [SessionID: Int] = [:]
  private var freeSeats: [Int] = []
  /// The taken seats in the order of opening.
  private(set) var seatsInOrder: [Int] = []
  /// The seats whose sessions have changed since values were last compared.
  private var changedSeats: Set<Int> = []
  private var round: UInt64 = 0

  private var values: [[Argument]?]
  private var readAt: [UInt64]
  private var addresses: [String?]
  private var listeners: [Int]

  /// The board of a host with the routes of this state.
  init(_ state: PolicyState) {
    var fixtures: [Fixture] = []
    var rows: [Row] = []
    var lines: [Line] = []
    var firstPlaces: [String: Place] = [:]
    for endpoint in AddressTable.endpoints {
      guard let source = ValueSource(endpoint) else { continue }
      func fix(_ names: [String]) {
        firstPlaces[endpoint.address] = fixtures.count
        lines.append(.fixtures(fixtures.count..<(fixtures.count + names.count)))
        for (index, name) in names.enumerated() {
          fixtures.append(
            Fixture(
              source: source, dependence: endpoint.dependence, index: index, name: name,
              address: name.isEmpty ? endpoint.address : endpoint.address(of: name)))
        }
      }
      switch endpoint.subject {
      case .one: fix([""])
      case .route: fix(state.outputRoutes.map(\.name))
      case .input: fix(state.inputRoutes.map(\.name))
      case .session:
        firstPlaces[endpoint.address] = rows.count
        lines.append(.row(rows.count))
        rows.append(
          Row(
            source: source, dependence: endpoint.dependence, form: endpoint.address,
            attribute: endpoint.address.dropFirst("/session/NAME/".count)))
      }
    }
    self.fixtures = fixtures
    self.rows = rows
    self.lines = lines
    self.firstPlaces = firstPlaces
    ownRows = rows.indices.filter { rows[$0].dependence == .subject }
    sharedRows = rows.indices.filter { rows[$0].dependence == .state }
    values = Array(repeating: nil, count: fixtures.count)
    readAt = Array(repeating: 0, count: fixtures.count)
    addresses = fixtures.map(\.address)
    listeners = Array(repeating: 0, count: fixtures.count)
  }

  // MARK: Places

  /// How many places there are, taken or not.
  var count: Int { values.count }

  /// The places of a session.
  func places(ofSeat seat: Int) -> Range<Place> { place(seat, 0)..<place(seat + 1, 0) }

  func place(_ seat: Int, _ row: Int) -> Place { fixtures.count + seat * rows.count + row }

  /// The name of the session on a taken seat.
  func name(ofSeat seat: Int) -> String { seats[seat]?.session.name ?? "" }

  func dependence(_ place: Place) -> Endpoint.Dependence {
    place < fixtures.count
      ? fixtures[place].dependence : rows[(place - fixtures.count) % rows.count].dependence
  }

  mutating func address(of place: Place) -> String {
    if let known = addresses[place] { return known }
    let (seat, row) = (place - fixtures.count).quotientAndRemainder(dividingBy: rows.count)
    let address = "/session/\(name(ofSeat: seat))/\(rows[row].attribute)"
    addresses[place] = address
    return address
  }

  /// Where the value of an endpoint stands; `nil` for a session that has no seat yet.
  func place(of endpoint: Endpoint, session: SessionID?, index: Int) -> Place? {
    guard let first = firstPlaces[endpoint.address] else { return nil }
    guard let session else { return first + index }
    return seatOf[session].map { place($0, first) }
  }

  // MARK: Listeners

  mutating func join(_ place: Place) { listeners[place] += 1 }

  mutating func leave(_ place: Place) {
    listeners[place] -= 1
    if listeners[place] == 0 { values[place] = nil }
  }

  // MARK: Values

  /// Gives new sessions a seat and takes those of closed ones.
  mutating func follow(_ sessions: [Session]) -> Turnover {
    round += 1
    var turnover = Turnover()
    var order: [Int] = []
    order.reserveCapacity(sessions.count)
    for index in sessions.indices {
      if let seat = seatOf[sessions[index].id], let last = seats[seat]?.session {
        if last != sessions[index] {
          seats[seat]?.session = sessions[index]
          changedSeats.insert(seat)
        }
        indices[seat] = index
        seats[seat]?.round = round
        order.append(seat)
      } else {
        let seat = takeSeat()
        seats[seat] = Seat(session: sessions[index], round: round)
        indices[seat] = index
        seatOf[sessions[index].id] = seat
        turnover.opened.append(seat)
        order.append(seat)
      }
    }
    for seat in seatsInOrder {
      guard let left = seats[seat], left.round != round else { continue }
      seatOf[left.session.id] = nil
      seats[seat] = nil
      indices[seat] = nil
      turnover.closed.append(seat)
    }
    seatsInOrder = order
    return turnover
  }

  private mutating func takeSeat() -> Int {
    if let seat = freeSeats.popLast() { return seat }
    seats.append(nil)
    indices.append(nil)
    values += Array(repeating: nil, count: rows.count)
    readAt += Array(repeating: 0, count: rows.count)
    addresses += Array(repeating: nil, count: rows.count)
    listeners += Array(repeating: 0, count: rows.count)
    return seats.count - 1
  }

  /// Clears a seat whose session is closed, once nobody listens to it any more.
  mutating func free(seat: Int) {
    for place in places(ofSeat: seat) {
      values[place] = nil
      addresses[place] = nil
    }
    freeSeats.append(seat)
  }

  /// The places whose values have changed since they were last looked at, of those that only events change.
  mutating func changes(_ reader: inout AddressReader) -> [Place] {
    var changed: [Place] = []
    func look(_ place: Place, _ source: ValueSource, _ index: Int) {
      let value = reader.value(from: source, at: index)
      guard values[place] != value else { return }
      values[place] = value
      changed.append(place)
    }
    for place in fixtures.indices where listeners[place] > 0 && fixtures[place].dependence == .state {
      look(place, fixtures[place].source, fixtures[place].index)
    }
    for seat in changedSeats {
      guard let index = indices[seat] else { continue }
      for row in ownRows where listeners[place(seat, row)] > 0 {
        look(place(seat, row), rows[row].source, index)
      }
    }
    for seat in seatsInOrder {
      guard let index = indices[seat] else { continue }
      for row in sharedRows where listeners[place(seat, row)] > 0 {
        look(place(seat, row), rows[row].source, index)
      }
    }
    changedSeats.removeAll(keepingCapacity: true)
    return changed
  }

  /// The value at a place. What is measured is read, once in a round however many listen to it.
  ///
  /// - Parameters:
  ///   - round: numbers the occasions on which values are read.
  ///   - client: who wants to know.
  mutating func value(
    at place: Place, round: UInt64, for client: ReaderID, _ reader: inout AddressReader
  ) -> [Argument]? {
    let source: ValueSource
    let index: Int
    if place < fixtures.count {
      (source, index) = (fixtures[place].source, fixtures[place].index)
    } else {
      let (seat, row) = (place - fixtures.count).quotientAndRemainder(dividingBy: rows.count)
      guard let taken = indices[seat] else { return nil }
      (source, index) = (rows[row].source, taken)
    }
    switch dependence(place) {
    case .reader: return reader.value(from: source, at: index, reader: client)
    case .measurement where readAt[place] == round: break
    case .measurement:
      let value = reader.value(from: source, at: index)
      // An equal value is not replaced: that it is the very same is seen at once by all who compare it.
      if values[place] != value { values[place] = value }
      readAt[place] = round
    case .subject, .state:
      if values[place] == nil { values[place] = reader.value(from: source, at: index) }
    }
    return values[place]
  }
}
