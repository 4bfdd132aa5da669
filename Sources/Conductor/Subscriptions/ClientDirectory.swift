import AddressSpace
import SessionPolicy

/// What the conductor has to know of the clients on the wire, which it knows by number only.
public struct ClientDirectory {
  /// Whether a client has a connection of its own: it listens until it hangs up. Else it has a lease.
  public var isConnected: (ReaderID) -> Bool
  /// The client that a URL names, as another client wants it to be told: in its own form of booleans. Throws
  /// `badArguments` for what is no URL that one can send to.
  public var reader: (_ url: String, _ owner: ReaderID) throws(Refusal) -> ReaderID

  public init(
    isConnected: @escaping (ReaderID) -> Bool,
    reader: @escaping (_ url: String, _ owner: ReaderID) throws(Refusal) -> ReaderID
  ) {
    self.isConnected = isConnected
    self.reader = reader
  }

  /// Where there is no wire: nobody is connected, and no URL leads anywhere.
  public static var none: ClientDirectory {
    ClientDirectory { _ in
      false
    } reader: { url, _ throws(Refusal) in
      throw Refusal(.badArguments, "argument 3: nothing can be sent to \"\(url)\" from here")
    }
  }
}
