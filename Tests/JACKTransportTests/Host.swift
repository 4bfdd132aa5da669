import Foundation
import JACKProbe
import MixCore

@testable import JACKTransport

/// A client with its keeper, as the control thread has it.
final class Host {
  let client: JACKClient
  var keeper: ConnectionKeeper
  var heard: [JACKNotification] = []

  init(_ server: ProbeServer, mixer: Mixer? = nil, name: String = "eider") throws {
    client = try JACKClient.open(.init(name: name, server: server.name), mixer: mixer)
    keeper = ConnectionKeeper(client: client.name)
    try client.activate()
    client.begin(&keeper)
  }

  /// Registers a port of the session `music`, which hears what a program called `player` plays.
  func openMusic() throws -> String {
    let port = try client.registerPort("music_in_1", .input).name
    keeper.set(.session("music"), ownPorts: [port], selection: .patterns([try PortPattern("player:.*")]))
    return port
  }

  /// Follows notifications, waiting for them by `poll`, until something is so.
  func follow(within seconds: Double = 20, until condition: (Host) -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while Date() < deadline {
      var entry = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 50) > 0 {
        let news = client.drain()
        heard += news.map(\.notification)
        client.note(news, in: &keeper)
        client.carryOut(&keeper)
      }
      if condition(self) { return true }
    }
    return false
  }

  func hears(_ notification: JACKNotification) -> Bool { follow { $0.heard.contains(notification) } }
}
