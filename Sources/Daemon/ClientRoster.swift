import AddressSpace
import OSCTransport

/// Who the daemon talks to: addresses on the wire, numbers inside. Control thread only.
struct ClientRoster {
  /// The most clients that are remembered; who has not been heard of for longest is forgotten first.
  static let capacity = 1024

  private struct Client {
    let address: ClientAddress
    var booleans = OSCBooleanFormat.typed
    var lastHeard: UInt64
  }

  private var clients: [ReaderID: Client] = [:]
  private var readers: [ClientAddress: ReaderID] = [:]
  private var count: UInt64 = 0
  /// Who was heard last: nobody was heard since.
  private var last: (address: ClientAddress, reader: ReaderID)?

  /// The number of a client, and those who had to be forgotten for its sake: neither connected ones nor those to be kept.
  mutating func reader(
    at address: ClientAddress, keeping isKept: (ReaderID) -> Bool
  ) -> (reader: ReaderID, forgotten: [ReaderID]) {
    // Packets of one client come in a row.
    if let last, last.address == address { return (last.reader, []) }
    count += 1
    if let known = readers[address] {
      clients[known]?.lastHeard = count
      last = (address, known)
      return (known, [])
    }
    // Numbers from 1 on: 0 is the daemon itself.
    let reader = ReaderID(number: count)
    let forgotten = makeRoom(keeping: isKept)
    clients[reader] = Client(address: address, lastHeard: count)
    readers[address] = reader
    last = (address, reader)
    return (reader, forgotten)
  }

  private mutating func makeRoom(keeping isKept: (ReaderID) -> Bool) -> [ReaderID] {
    guard clients.count >= Self.capacity else { return [] }
    let oldest = clients.filter { $0.value.address.protocol == .udp && !isKept($0.key) }
      .sorted { $0.value.lastHeard < $1.value.lastHeard }.prefix(Self.capacity / 4).map(\.key)
    for reader in oldest { remove(reader) }
    return oldest
  }

  private mutating func remove(_ reader: ReaderID) {
    if let client = clients.removeValue(forKey: reader) { readers[client.address] = nil }
    if last?.reader == reader { last = nil }
  }

  /// A TCP client has hung up.
  mutating func hangUp(_ address: ClientAddress) -> ReaderID? {
    guard let reader = readers[address] else { return nil }
    remove(reader)
    return reader
  }

  mutating func setBooleans(_ format: OSCBooleanFormat, for reader: ReaderID) { clients[reader]?.booleans = format }

  func address(of reader: ReaderID) -> ClientAddress? { clients[reader]?.address }
  func booleans(of reader: ReaderID) -> OSCBooleanFormat { clients[reader]?.booleans ?? .typed }
}
