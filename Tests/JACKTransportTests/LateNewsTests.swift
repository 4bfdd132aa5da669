import Testing

@testable import JACKTransport

/// The daemon hears of what happens in the graph afterwards, sometimes long afterwards and much at once.
@Suite struct `A person has the last word however late the news come` {
  private let left = PortConnection("mpv:out_0", "eider:music_in_1")
  private let right = PortConnection("mpv:out_1", "eider:music_in_2")
  private let ports = ["mpv:out_0", "mpv:out_1"].map { JACKPort(name: $0, direction: .output) }

  /// A program whose wires were made, and not heard of.
  private func wired() throws -> Stage {
    var stage = Stage()
    try stage.session("music", channels: 2, sources: "mpv:.*")
    stage.add(outputs: "mpv:out_0", "mpv:out_1")
    #expect(stage.actUnheard().count == 2)
    return stage
  }

  private func own(_ stage: Stage) -> [JACKPort] { stage.keeper.ports.values.filter { $0.client == "eider" } }

  @Test func `a wire is taken away before anybody has heard that it was made`() throws {
    var stage = try wired()
    stage.hear()
    stage.tell(.disconnected(left))
    stage.add(outputs: "mpv:out_0", "mpv:zither")
    #expect(stage.act() == [])
    #expect(stage.keeper.connections == [right])
    // Also in between the ends may be looked at.
    stage = try wired()
    stage.add(outputs: "mpv:out_0")
    #expect(stage.actUnheard() == [])
    stage.hear()
    stage.add(outputs: "mpv:out_0")
    #expect(stage.actUnheard() == [])
    stage.tell(.disconnected(left))
    stage.add(outputs: "mpv:out_0")
    #expect(stage.act() == [])
  }

  @Test func `a wire is taken away, and nobody has told that it was made`() throws {
    var stage = try wired()
    stage.tell(.connected(right))
    #expect(!stage.keeper.isWired(.session("music")))
    stage.tell(.disconnected(left))
    stage.add(outputs: "mpv:out_0")
    #expect(stage.actUnheard() == [])
    // Nothing waits for it in silence.
    #expect(stage.keeper.isWired(.session("music")))
    // Until the program has restarted.
    stage.pass(seconds: 5)
    stage.leave("mpv")
    stage.add(outputs: "mpv:out_0", "mpv:out_1")
    #expect(stage.act().count == 2)
  }

  @Test func `a wire was taken away in news that were lost`() throws {
    for isHeard in [true, false] {
      var stage = try wired()
      if isHeard { stage.hear() }
      stage.keeper.refresh(ports: ports + own(stage), connections: [right], at: 1000)
      #expect(stage.act() == [])
      #expect(stage.keeper.isWired(.session("music")))
      // News that were under way while the graph was read.
      if isHeard {
        stage.tell(.disconnected(left))
      } else {
        stage.hear()
        stage.tell(.disconnected(left))
      }
      stage.add(outputs: "mpv:out_0")
      #expect(stage.act() == [])
      // Who makes it again has it again.
      stage.keeper.refresh(ports: ports + own(stage), connections: [left, right], at: 2000)
      stage.pass(seconds: 5)
      stage.take("mpv:out_0")
      stage.add(outputs: "mpv:out_0")
      #expect(stage.act() == ["+mpv:out_0 > eider:music_in_1"])
    }
  }

  @Test func `what was being taken away when news were lost was taken away by nobody else`() throws {
    var stage = Stage()
    try stage.session("music", channels: 2, sources: "mpv:.*")
    stage.add(outputs: "mpv:out_1")
    stage.act()
    stage.add(outputs: "mpv:out_2")
    #expect(stage.actUnheard().first == "-mpv:out_1 > eider:music_in_2")
    let ports = ["mpv:out_1", "mpv:out_2"].map { JACKPort(name: $0, direction: .output) }
    let wires = [
      PortConnection("mpv:out_1", "eider:music_in_1"), PortConnection("mpv:out_2", "eider:music_in_2"),
    ]
    stage.keeper.refresh(ports: ports + own(stage), connections: wires, at: 1000)
    #expect(stage.act() == [])
    // It is mono again, and the wire that was asked for is known to be Eider's own.
    stage.take("mpv:out_2")
    stage.add(outputs: "mpv:out_1")
    #expect(stage.act() == ["+mpv:out_1 > eider:music_in_2"])
    stage.add(outputs: "mpv:out_2")
    #expect(stage.act().first == "-mpv:out_1 > eider:music_in_2")
  }

  @Test func `a wire that was asked for when news were lost is Eider's own`() throws {
    var stage = Stage()
    try stage.session("music", channels: 2, sources: "mpv:.*")
    stage.add(outputs: "mpv:out_1")
    #expect(stage.actUnheard().count == 2)
    let wires = ["eider:music_in_1", "eider:music_in_2"].map { PortConnection("mpv:out_1", $0) }
    stage.keeper.refresh(
      ports: [JACKPort(name: "mpv:out_1", direction: .output)] + own(stage), connections: wires, at: 1000)
    #expect(stage.act() == [])
    stage.add(outputs: "mpv:out_2")
    #expect(stage.act() == ["-mpv:out_1 > eider:music_in_2", "+mpv:out_2 > eider:music_in_2"])
  }

  @Test func `what is wanted again before it was heard to be gone is made again, and is Eider's own`() throws {
    var stage = Stage()
    try stage.session("music", channels: 2, sources: "mpv:.*")
    stage.add(outputs: "mpv:out_1")
    stage.act()
    stage.add(outputs: "mpv:out_2")
    #expect(stage.actUnheard().count == 2)
    // It is mono again at once: the port goes before it was heard that the other wire is gone.
    stage.tell(.portUnregistered("mpv:out_2"))
    stage.add(outputs: "mpv:out_1")
    #expect(stage.actUnheard() == [])
    stage.tell(.disconnected(PortConnection("mpv:out_1", "eider:music_in_2")))
    #expect(stage.actUnheard() == ["+mpv:out_1 > eider:music_in_2"])
  }
}
