import SessionPolicy
import Testing

@testable import Daemon

/// What becomes of who feeds a session (policy §9).
@Suite struct FeedTests {
  private func session() throws -> Session {
    var policy = PolicyState(outputRoutes: [], inputRoutes: [])
    _ = try policy.applyAlone(.open(name: "film", category: .playback), at: 0)
    return try #require(policy.sessions.first)
  }

  /// A server tells of a lost wire and of the lost client one after the other, at times not in one go.
  @Test(arguments: [true, false])
  func `a session whose client has gone is given up after its linger, however the news come`(atOnce: Bool) throws {
    let film = try session()
    var feeds = Feeds()
    #expect(feeds.update(film, isConnected: true, hasLostClient: false, at: 1) == [.setConnected(film.id, true)])
    if !atOnce {
      #expect(feeds.update(film, isConnected: false, hasLostClient: false, at: 2) == [.setConnected(film.id, false)])
      #expect(feeds.nextDeadline == nil)
    }
    _ = feeds.update(film, isConnected: false, hasLostClient: true, at: 2)
    #expect(feeds.nextDeadline == 4)
    #expect(feeds.update(film, isConnected: false, hasLostClient: true, at: 3) == [])
    #expect(feeds.expire(at: 3.9) == [])
    #expect(feeds.expire(at: 4) == [.clientsLost(film.id)])
    // Once.
    #expect(feeds.update(film, isConnected: false, hasLostClient: true, at: 5) == [])
    #expect(feeds.nextDeadline == nil)
  }

  @Test func `a client that returns in time, or that a person has disconnected, ends nothing`() throws {
    let film = try session()
    var feeds = Feeds()
    _ = feeds.update(film, isConnected: true, hasLostClient: false, at: 1)
    _ = feeds.update(film, isConnected: false, hasLostClient: true, at: 2)
    #expect(feeds.update(film, isConnected: true, hasLostClient: false, at: 3) == [.setConnected(film.id, true)])
    #expect(feeds.nextDeadline == nil)
    _ = feeds.update(film, isConnected: false, hasLostClient: false, at: 4)
    #expect(feeds.nextDeadline == nil)
  }
}
