import SessionPolicy

/// Where addresses led that came lately. Surfaces send the same few over and over; to take each apart and look its parts up
/// costs more than all else that is done with a fader's message.
///
/// It says nothing about a state: states are equal whatever each remembers.
struct AddressMemory: Sendable {
  /// The addresses that it keeps. When there are more it begins anew, so that nobody fills it.
  private static let capacity = 4096

  /// Where an address leads.
  final class Place: Sendable {
    let target: AddressTable.Target
    /// The session that it is about; nil where it is about none.
    let session: SessionID?

    init(_ target: AddressTable.Target, _ session: SessionID?) {
      self.target = target
      self.session = session
    }
  }

  private var places: [String: Place] = [:]

  /// Where an address leads; nil if that is not known, or not so any more.
  func place(of address: String, in state: PolicyState) -> Place? {
    guard let place = places[address] else { return nil }
    guard let session = place.session else { return place }
    let index = place.target.index
    return index < state.sessions.count && state.sessions[index].id == session ? place : nil
  }

  /// Keeps in mind where an address leads.
  mutating func note(_ target: AddressTable.Target, in state: PolicyState) -> Place {
    if places.count >= Self.capacity { places.removeAll(keepingCapacity: true) }
    let place = Place(target, target.endpoint.subject == .session ? state.sessions[target.index].id : nil)
    places[target.address] = place
    return place
  }
}

extension AddressMemory: Hashable {
  static func == (first: AddressMemory, second: AddressMemory) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
