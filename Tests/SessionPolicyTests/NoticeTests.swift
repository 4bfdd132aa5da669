import SessionPolicy
import Testing

@Suite("What listeners are told (§1, Order)")
struct NoticeTests {
  @Test("Endings, beginnings, pauses, route, the rest; by session name within each")
  func order() {
    var host = Host()
    host.happen(.setRouteAvailable(Host.headphones, true))
    for name in ["z", "b"] {
      host.open(name, .playback, [.mixWithOthers])
      host.play(name)
      host.tell(name) { .beginHold($0, source: "desk") }
    }
    for name in ["y", "a", "x", "c"] {
      host.open(name, .playback, [.mixWithOthers], controls: name == "x")
      host.play(name)
    }
    host.tell("x") { .set($0, .remote([.init(.next)])) }
    host.play("x")
    host.bundle { state in
      func id(_ name: String) -> SessionID { state.sessionID(named: name)! }
      try state.apply(.open(name: "m", category: .ambient))
      try state.apply(.remote(.next))
      try state.apply(.close(id("c")))
      try state.apply(.setRouteAvailable(Host.headphones, false))
      try state.apply(.beginHold(id("y"), source: "door"))
      try state.apply(.beginHold(id("a"), source: "door"))
      try state.apply(.endHold(id("z"), source: "desk", resumable: true))
      try state.apply(.endHold(id("b"), source: "desk", resumable: true))
    }
    #expect(
      host.notices == [
        .interruptionEnded(session: "b", shouldResume: false), .interruptionEnded(session: "z", shouldResume: false),
        .interruptionBegan(session: "a", cause: "session:door"),
        .interruptionBegan(session: "y", cause: "session:door"),
        .paused(session: "a"), .paused(session: "x"), .paused(session: "y"),
        .route(name: "speaker", reason: .oldDeviceUnavailable), .closed(session: "c"), .opened(session: "m"),
        .remote(session: "x", command: .next),
      ])
  }

  @Test("What is one session's stays in its order among the rest")
  func restOfOneSession() {
    var host = Host()
    host.open("film", .playback)
    host.bundle { state in
      try state.apply(.close(state.sessionID(named: "film")!))
      try state.apply(.open(name: "film", category: .ambient))
    }
    #expect(host.notices == [.closed(session: "film"), .opened(session: "film")])
    host.bundle { state in
      try state.apply(.open(name: "guest", category: .ambient))
      try state.apply(.close(state.sessionID(named: "guest")!))
    }
    #expect(host.notices == [])
    host.bundle { state in
      try state.apply(.close(state.sessionID(named: "film")!))
      try state.apply(.open(name: "film", category: .ambient))
      try state.apply(.close(state.sessionID(named: "film")!))
    }
    #expect(host.notices == [.closed(session: "film")])
  }

  @Test("Remote commands are told even of a session that is closed in the same event")
  func remoteOfClosed() {
    var host = Host()
    host.open("film", .playback, controls: true)
    host.tell("film") { .set($0, .remote([.init(.next)])) }
    host.play("film")
    host.bundle { state in
      try state.apply(.remote(.next))
      try state.apply(.close(state.sessionID(named: "film")!))
    }
    #expect(host.notices == [.remote(session: "film", command: .next), .closed(session: "film")])
  }

  @Test("An event that changes nothing tells nothing, and what it refuses neither")
  func nothing() {
    var host = Host()
    host.open("film", .playback)
    host.play("film")
    host.play("film")
    #expect(host.notices == [])
    host.activate("film")
    #expect(host.notices == [])
    #expect(host.code("film") { .setMode($0, .default) } == nil)
    #expect(host.code("film") { .setOptions($0, .overrideMutedMicrophoneInterruption) } == .incompatibleCategory)
    #expect(host.notices == [])
  }

  @Test("A title is kept as it is given, and is the name if none is given")
  func titles() {
    var host = Host()
    host.happen(.open(name: "a", category: .playback, title: "Δ — „Titel“"), .open(name: "b", category: .playback))
    #expect(host["a"].title == "Δ — „Titel“")
    #expect(host["b"].title == "b")
  }

  @Test("What is told to a session that was closed meanwhile is refused")
  func closedMeanwhile() {
    var host = Host()
    host.open("film", .playback)
    let id = host["film"].id
    host.tell("film") { .close($0) }
    host.open("film", .playback)
    #expect(host["film"].id != id)
    host.open("other", .ambient)
    #expect(host.code("other") { _ in .play(id) } == .noSuchSession)
  }
}
