import SessionPolicy

/// Where addresses led that came lately. Surfaces send the same few over and over; to take each apart and look its parts up
/// costs more than all else that is done with a fader's message.
///
/// It says nothing about a state: states are equal whatever each remembers.
struct AddressMemory: Sendable {
  /// The addresses that it keeps. When there are more it begins anew, so that nobody fills it.
  private static let capacity = 4096

  /// Where an address leads. Plain data, so that looking it up counts no references.
  private struct Place: Sendable {
    var hash = AddressHash()
    /// Where its words are among all.
    var words: Int32 = 0
    /// How many bytes it has; 0 where nothing is kept.
    var count: Int32 = 0
    /// Where its target is among all.
    var target: Int32 = 0
    /// Where the session or route stands.
    var index: Int32 = 0
    /// The session that it is about; nil where it is about none.
    var session: SessionID?
    /// How a press there becomes a level; nil where it does not.
    var level: LevelRule?
  }

  /// A power of two, at most half of them taken: who looks for one of them goes on from the place that the hash names to the
  /// first that is free.
  private var places = [Place](repeating: Place(), count: 64)
  /// The addresses, each filled up with zeros to whole words.
  private var words: [UInt64] = []
  private var targets: [AddressTable.Target] = []
  /// What is done with the press of a fader or a button there, by itself: looked up without the rest.
  private var presses: [PressRule?] = []

  /// Where an address leads; nil if that is not known, or not so any more.
  func target(of address: String, in state: PolicyState) -> AddressTable.Target? {
    let bytes = address.utf8.span
    return place(of: bytes, AddressHash(bytes), in: state).map { targets[Int($0.target)] }
  }

  /// What the press of a fader or a button comes to, if it is known and all that is needed for it.
  func event(of press: Press, in bytes: Span<UInt8>, _ state: PolicyState) -> Event? {
    guard let place = place(of: bytes.extracting(press.address), press.hash, in: state), let session = place.session
    else { return nil }
    return presses[Int(place.target)]?.event(session, press.value)
  }

  /// What the press of a fader does to a level, if it is known and does so.
  func levelChange(of press: Press, in bytes: Span<UInt8>, _ state: PolicyState) -> LevelChange? {
    guard let place = place(of: bytes.extracting(press.address), press.hash, in: state), let rule = place.level,
      let value = rule.value(press.value)
    else { return nil }
    return LevelChange(index: Int(place.index), level: rule.level, value: value)
  }

  private func place(of address: Span<UInt8>, _ hash: AddressHash, in state: PolicyState) -> Place? {
    let place = places[number(of: address, hash)]
    guard place.count != 0, let session = place.session else { return place.count != 0 ? place : nil }
    return state.index(of: session) == Int(place.index) ? place : nil
  }

  /// Which place an address has, or would have.
  private func number(of address: Span<UInt8>, _ hash: AddressHash) -> Int {
    var number = Int(truncatingIfNeeded: hash.value) & (places.count - 1)
    while places[number].count != 0, places[number].hash != hash || !isAddress(of: places[number], address) {
      number = (number + 1) & (places.count - 1)
    }
    return number
  }

  private func isAddress(of place: Place, _ address: Span<UInt8>) -> Bool {
    guard address.count == Int(place.count) else { return false }
    var (offset, word) = (0, Int(place.words))
    while offset < address.count {
      guard address.word(at: offset) == words[word] else { return false }
      offset += 8
      word += 1
    }
    return true
  }

  /// Keeps in mind where an address leads.
  mutating func note(_ target: AddressTable.Target, in state: PolicyState) {
    let address = target.address.utf8.span
    let hash = AddressHash(address)
    if targets.count >= Self.capacity { self = AddressMemory() }
    if 2 * (targets.count + 1) > places.count { grow() }
    let number = number(of: address, hash)
    if places[number].count == 0 {
      places[number].hash = hash
      places[number].words = Int32(words.count)
      places[number].count = Int32(address.count)
      places[number].target = Int32(targets.count)
      for offset in stride(from: 0, to: address.count, by: 8) { words.append(address.word(at: offset)) }
      targets.append(target)
      presses.append(target.endpoint.press)
      places[number].level = target.endpoint.press?.level
    } else {
      // It led elsewhere before; what is done there is the same.
      targets[Int(places[number].target)] = target
    }
    places[number].index = Int32(target.index)
    places[number].session = target.endpoint.subject == .session ? state.sessions[target.index].id : nil
  }

  private mutating func grow() {
    let former = places
    places = [Place](repeating: Place(), count: 2 * places.count)
    for place in former where place.count != 0 {
      var number = Int(truncatingIfNeeded: place.hash.value) & (places.count - 1)
      while places[number].count != 0 { number = (number + 1) & (places.count - 1) }
      places[number] = place
    }
  }
}

/// What a fader does to a level of a session. Plain data.
struct LevelChange {
  /// Where the session stands.
  let index: Int
  let level: Level
  let value: Double
}

extension AddressMemory: Hashable {
  static func == (first: AddressMemory, second: AddressMemory) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
