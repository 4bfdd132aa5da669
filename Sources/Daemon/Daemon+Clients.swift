import AddressSpace
import OSCTransport
import SessionPolicy

/// The clients that the daemon talks to.
extension Daemon {
  /// The number of the client at an address. Whoever had to be forgotten for its sake has stopped listening long ago.
  func reader(at address: ClientAddress) -> ReaderID {
    let (reader, forgotten) = roster.reader(at: address, keeping: conductor.isListening)
    for other in forgotten { conductor.forget(other) }
    return reader
  }

  /// The number of the client that a URL names. It reads booleans as the one who gives the URL does.
  func reader(atURL url: String, for owner: ReaderID) throws(Refusal) -> ReaderID {
    let address: ClientAddress
    do throws(OSCURLError) {
      address = try ClientAddress(url: url)
    } catch {
      throw Refusal(.badArguments, "argument 3: \(error)")
    }
    guard osc.access.admits(address.host) else {
      throw Refusal(.forbidden, "argument 3: \(address.host) is none of the hosts that this daemon talks to")
    }
    guard osc.canReach(address) else {
      throw Refusal(
        .badArguments, "argument 3: \(address.host) cannot be reached from an address that this daemon listens on")
    }
    let reader = reader(at: address)
    roster.setBooleans(roster.booleans(of: owner), for: reader)
    return reader
  }

  /// What time it is: by the system's clock, and the frame of that time.
  var time: Message {
    let now = OSCTimeTag.now()
    let parts = now.partsSince1970
    let nanoseconds = parts.seconds * 1_000_000_000 + Int64(Double(parts.fraction) / 4.294967296)
    let frame = clock.frame(at: nanoseconds)
    return Message("/eider/time", .double(now.secondsSince1970), .long(Int64(clamping: frame)))
  }
}
