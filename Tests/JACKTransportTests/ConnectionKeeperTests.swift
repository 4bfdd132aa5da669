import Testing

@testable import JACKTransport

@Suite struct `Connections of sessions` {
  @Test func `a stereo program that appears is connected, side by side`() throws {
    var stage = Stage()
    try stage.session("music", channels: 2, sources: "mpv:.*")
    #expect(stage.act() == [])
    stage.add(outputs: "mpv:out_0", "mpv:out_1", "other:out")
    #expect(stage.act() == ["+mpv:out_0 > eider:music_in_1", "+mpv:out_1 > eider:music_in_2"])
    #expect(stage.act() == [])
  }

  @Test func `a program that was there before is connected`() throws {
    var stage = Stage()
    stage.add(outputs: "mpv:out_0", "mpv:out_1")
    try stage.session("music", channels: 2, sources: "mpv:.*")
    #expect(stage.act().count == 2)
  }

  @Test func `a mono program goes to both sides, until it turns out to be stereo`() throws {
    var stage = Stage()
    try stage.session("music", channels: 2, sources: "mpv:.*")
    stage.add(outputs: "mpv:out_1")
    #expect(stage.act() == ["+mpv:out_1 > eider:music_in_1", "+mpv:out_1 > eider:music_in_2"])
    stage.add(outputs: "mpv:out_2")
    #expect(stage.act() == ["-mpv:out_1 > eider:music_in_2", "+mpv:out_2 > eider:music_in_2"])
    #expect(stage.act() == [])
  }

  @Test func `a program that turns out to be stereo before its first wires are heard of is wired side by side`() throws
  {
    var stage = Stage()
    try stage.session("music", channels: 2, sources: "mpv:.*")
    stage.add(outputs: "mpv:out_1")
    #expect(stage.actUnheard().count == 2)
    stage.add(outputs: "mpv:out_2")
    #expect(stage.actUnheard() == ["-mpv:out_1 > eider:music_in_2", "+mpv:out_2 > eider:music_in_2"])
    stage.hear()
    #expect(stage.act() == [])
    #expect(
      stage.keeper.connections == [
        PortConnection("mpv:out_1", "eider:music_in_1"), PortConnection("mpv:out_2", "eider:music_in_2"),
      ])
    // It is mono again.
    stage.take("mpv:out_2")
    stage.add(outputs: "mpv:out_1")
    #expect(stage.act() == ["+mpv:out_1 > eider:music_in_2"])
  }

  @Test func `several programs feed one session, each from its first channel on`() throws {
    var stage = Stage()
    try stage.session("music", channels: 2, sources: "(mpv|vlc).*:.*")
    stage.add(outputs: "vlc_2:l", "vlc_2:r", "mpv:a", "mpv:b")
    #expect(
      Set(stage.act()) == [
        "+mpv:a > eider:music_in_1", "+mpv:b > eider:music_in_2", "+vlc_2:l > eider:music_in_1",
        "+vlc_2:r > eider:music_in_2",
      ])
  }

  @Test func `the order of sources decides over the order of names`() throws {
    var stage = Stage()
    try stage.session("music", channels: 2, sources: "player:right", "player:left")
    stage.add(outputs: "player:left", "player:right")
    #expect(stage.act() == ["+player:right > eider:music_in_1", "+player:left > eider:music_in_2"])
  }

  @Test func `channel 10 comes after channel 2`() throws {
    var stage = Stage()
    try stage.session("music", channels: 2, sources: "card:out_(2|10)")
    stage.add(outputs: "card:out_10", "card:out_2")
    #expect(stage.act() == ["+card:out_2 > eider:music_in_1", "+card:out_10 > eider:music_in_2"])
  }

  @Test func `inputs, MIDI and Eider's own ports are no sources`() throws {
    var stage = Stage()
    try stage.session("music", channels: 2, sources: ".*")
    try stage.route("speaker", channels: 2, ports: "system:.*")
    stage.add(inputs: "mpv:in")
    stage.add(JACKPort(name: "mpv:midi", direction: .output, isAudio: false))
    #expect(stage.act() == [])
  }

  @Test func `a port is known by its alias and its pretty name`() throws {
    var stage = Stage()
    try stage.session("guide", channels: 1, sources: "usb:voice")
    try stage.session("music", channels: 1, sources: "The band.*")
    stage.add(JACKPort(name: "system:capture_1", aliases: ["usb:voice"], direction: .output))
    stage.add(JACKPort(name: "player:out", prettyName: "The band (live)", direction: .output))
    #expect(
      stage.act() == ["+system:capture_1 > eider:guide_in_1", "+player:out > eider:music_in_1"])
  }

  @Test func `a port that gets its pretty name later is connected then`() throws {
    var stage = Stage()
    try stage.session("music", channels: 1, sources: "The band")
    stage.add(JACKPort(name: "player:out", direction: .output, identity: 7))
    #expect(stage.act() == [])
    let named = JACKPort(name: "player:out", prettyName: "The band", direction: .output, identity: 7)
    stage.keeper.note(TimedNotification(time: 0, notification: .metadataChanged(7))) { _ in named }
    #expect(stage.act() == ["+player:out > eider:music_in_1"])
  }

  @Test func `a port that is renamed is connected by its new name`() throws {
    var stage = Stage()
    try stage.session("music", channels: 1, sources: "player:main")
    stage.add(outputs: "player:out")
    #expect(stage.act() == [])
    stage.keeper.note(
      TimedNotification(time: 0, notification: .portRenamed(from: "player:out", to: "player:main"))
    ) { JACKPort(name: $0, direction: .output) }
    #expect(stage.act() == ["+player:main > eider:music_in_1"])
  }
}

@Suite struct `The person has the last word on connections` {
  private func playing() throws -> Stage {
    var stage = Stage()
    try stage.session("music", channels: 2, sources: "mpv:.*")
    stage.add(outputs: "mpv:out_0", "mpv:out_1")
    stage.act()
    stage.pass(seconds: 10)
    return stage
  }
  private let left = PortConnection("mpv:out_0", "eider:music_in_1")

  @Test func `what a person took away is not made again`() throws {
    var stage = try playing()
    stage.tell(.disconnected(left))
    #expect(stage.act() == [])
    stage.add(outputs: "mpv:out_0")
    #expect(stage.act() == [])
  }

  @Test func `nor when the program gives the port up and takes it again`() throws {
    var stage = try playing()
    stage.tell(.disconnected(left))
    stage.pass(seconds: 5)
    stage.take("mpv:out_0")
    stage.add(outputs: "mpv:out_0")
    #expect(stage.act() == [])
  }

  @Test func `a port that comes back by itself is connected again`() throws {
    var stage = try playing()
    stage.take("mpv:out_0")
    #expect(stage.act() == [])
    stage.add(outputs: "mpv:out_0")
    #expect(stage.act() == ["+mpv:out_0 > eider:music_in_1"])
  }

  @Test func `a program that restarts is connected again, also where a person had disconnected it`() throws {
    var stage = try playing()
    stage.tell(.disconnected(left))
    stage.pass(seconds: 5)
    stage.leave("mpv")
    #expect(stage.act() == [])
    stage.add(outputs: "mpv:out_0", "mpv:out_1")
    #expect(stage.act() == ["+mpv:out_0 > eider:music_in_1", "+mpv:out_1 > eider:music_in_2"])
  }

  @Test func `a server that restarts forgets what a person took away`() throws {
    var stage = try playing()
    stage.tell(.disconnected(left))
    stage.tell(.serverGone(reason: "killed"))
    #expect(stage.act() == [])
    let ports = ["mpv:out_0", "mpv:out_1"].map { JACKPort(name: $0, direction: .output) }
    let own = ["eider:music_in_1", "eider:music_in_2"].map { JACKPort(name: $0, direction: .input) }
    stage.keeper.begin(ports: ports + own, connections: [])
    #expect(stage.act().count == 2)
  }

  @Test func `connections that people make besides are kept`() throws {
    var stage = try playing()
    let extra = PortConnection("synth:out", "eider:music_in_1")
    let crossed = PortConnection("mpv:out_0", "eider:music_in_2")
    stage.add(outputs: "synth:out")
    stage.tell(.connected(extra))
    stage.tell(.connected(crossed))
    stage.add(outputs: "mpv:out_2")
    #expect(stage.act() == [])
    #expect(stage.keeper.connections.isSuperset(of: [extra, crossed]))
  }

  @Test func `who reconnects by hand gets it back by itself after the next return`() throws {
    var stage = try playing()
    stage.tell(.disconnected(left))
    stage.pass(seconds: 5)
    stage.tell(.connected(left))
    stage.pass(seconds: 5)
    stage.take("mpv:out_0")
    stage.add(outputs: "mpv:out_0")
    #expect(stage.act() == ["+mpv:out_0 > eider:music_in_1"])
  }

  @Test func `what JACK refuses is tried again when the port appears anew`() throws {
    var stage = Stage()
    try stage.session("music", channels: 1, sources: "mpv:.*")
    stage.add(outputs: "mpv:out_0")
    for action in stage.keeper.takeActions() { stage.keeper.failed(action) }
    #expect(stage.act() == [])
    stage.add(outputs: "mpv:out_0")
    #expect(stage.act() == ["+mpv:out_0 > eider:music_in_1"])
  }

  @Test func `what was wired before can be wired again once both its ports were told of`() throws {
    var stage = Stage()
    stage.add(inputs: "eider:hand_in_1")
    let wire = PortConnection("person:out", "eider:hand_in_1")
    #expect(!stage.keeper.knowsPorts(of: wire))
    stage.add(outputs: "person:out")
    #expect(stage.keeper.knowsPorts(of: wire))
    stage.leave("person")
    #expect(!stage.keeper.knowsPorts(of: wire))
  }
}

@Suite struct `Routes by their ports` {
  @Test func `a route is available exactly while all its ports exist`() throws {
    var stage = Stage()
    try stage.route("speaker", channels: 2, ports: "system:playback_1", "system:playback_2")
    #expect(!stage.keeper.isAvailable(.output("speaker")))
    stage.add(inputs: "system:playback_1")
    #expect(!stage.keeper.isAvailable(.output("speaker")))
    stage.add(inputs: "system:playback_2")
    #expect(stage.keeper.isAvailable(.output("speaker")))
    #expect(
      stage.act() == ["+eider:speaker_out_1 > system:playback_1", "+eider:speaker_out_2 > system:playback_2"])
    stage.leave("system")
    #expect(!stage.keeper.isAvailable(.output("speaker")))
  }

  @Test func `one port that two patterns match is enough for both`() throws {
    var stage = Stage()
    try stage.route("speaker", channels: 2, ports: "system:.*", "system:playback_1")
    stage.add(inputs: "system:playback_1")
    #expect(stage.keeper.isAvailable(.output("speaker")))
    #expect(stage.keeper.targets(of: .output("speaker")) == ["system:playback_1"])
  }

  @Test func `a pattern takes its ports in natural order, whatever order they appear in`() throws {
    var stage = Stage()
    try stage.route("headphones", channels: 3, ports: "headset:playback_.*")
    stage.add(inputs: "headset:playback_10")
    stage.act()
    stage.add(inputs: "headset:playback_2", "headset:playback_1")
    #expect(
      stage.keeper.targets(of: .output("headphones")) == [
        "headset:playback_1", "headset:playback_2", "headset:playback_10",
      ])
    stage.act()
    #expect(
      stage.keeper.connections == [
        PortConnection("eider:headphones_out_1", "headset:playback_1"),
        PortConnection("eider:headphones_out_2", "headset:playback_2"),
        PortConnection("eider:headphones_out_3", "headset:playback_10"),
      ])
  }

  @Test func `while a device goes port by port, nothing moves to what is left of it`() throws {
    var stage = Stage()
    try stage.route("headphones", channels: 2, ports: "headset:playback_.*")
    stage.add(inputs: "headset:playback_1", "headset:playback_2")
    stage.act()
    stage.take("headset:playback_1")
    #expect(stage.act() == [])
    stage.take("headset:playback_2")
    stage.tell(.clientUnregistered("headset"))
    #expect(stage.act() == [])
    stage.add(inputs: "headset:playback_1", "headset:playback_2")
    #expect(stage.act().count == 2)
  }

  @Test func `without a preset the route is the hardware`() throws {
    var stage = Stage()
    stage.add(inputs: "mpv:in")
    stage.add(JACKPort(name: "system:playback_2", direction: .input, isPhysical: true))
    stage.add(JACKPort(name: "system:playback_1", direction: .input, isPhysical: true))
    stage.add(JACKPort(name: "system:capture_1", direction: .output, isPhysical: true))
    stage.keeper.set(.output("speaker"), ownPorts: [], selection: .physical)
    #expect(stage.keeper.isAvailable(.output("speaker")))
    #expect(stage.keeper.targets(of: .output("speaker")) == ["system:playback_1", "system:playback_2"])
  }

  @Test func `an input route is fed by the ports of its microphone`() throws {
    var stage = Stage()
    stage.add(inputs: "eider:mic_in_1")
    stage.keeper.set(
      .input("mic"), ownPorts: ["eider:mic_in_1"], selection: .patterns([try PortPattern("system:capture_1")]))
    #expect(!stage.keeper.isAvailable(.input("mic")))
    stage.add(outputs: "system:capture_1")
    #expect(stage.keeper.isAvailable(.input("mic")))
    #expect(stage.act() == ["+system:capture_1 > eider:mic_in_1"])
  }
}

@Suite struct `Who feeds a session` {
  @Test func `clients are told, also those that a person connected`() throws {
    var stage = Stage()
    try stage.session("music", channels: 2, sources: "mpv:.*")
    #expect(stage.keeper.feed(of: "music") == .init())
    stage.add(outputs: "mpv:out_0", "mpv:out_1", "synth:out")
    stage.act()
    #expect(stage.keeper.feed(of: "music").clients == ["mpv"])
    stage.tell(.connected(PortConnection("synth:out", "eider:music_in_1")))
    #expect(stage.keeper.feed(of: "music").clients == ["mpv", "synth"])
  }

  @Test func `a program that dies is lost, one that a person disconnects is not`() throws {
    var stage = Stage()
    try stage.session("music", channels: 1, sources: "mpv:.*")
    stage.add(outputs: "mpv:out_0")
    stage.act()
    stage.leave("mpv")
    #expect(stage.keeper.feed(of: "music") == .init(clients: [], hasLostClient: true))
    stage.add(outputs: "mpv:out_0")
    stage.act()
    #expect(stage.keeper.feed(of: "music") == .init(clients: ["mpv"], hasLostClient: false))
    stage.tell(.disconnected(PortConnection("mpv:out_0", "eider:music_in_1")))
    #expect(stage.keeper.feed(of: "music") == .init())
    stage.pass(seconds: 3)
    stage.leave("mpv")
    #expect(stage.keeper.feed(of: "music") == .init())
  }

  @Test func `only the last of several programs is a loss`() throws {
    var stage = Stage()
    try stage.session("music", channels: 1, sources: ".*")
    stage.add(outputs: "mpv:out", "vlc:out")
    stage.act()
    stage.leave("mpv")
    #expect(stage.keeper.feed(of: "music") == .init(clients: ["vlc"], hasLostClient: false))
    stage.leave("vlc")
    #expect(stage.keeper.feed(of: "music").hasLostClient)
  }

  @Test func `with the server all programs are lost`() throws {
    var stage = Stage()
    try stage.session("music", channels: 1, sources: ".*")
    try stage.session("guide", channels: 1, sources: "nobody:.*")
    stage.add(outputs: "mpv:out")
    stage.act()
    stage.tell(.serverGone(reason: ""))
    #expect(stage.keeper.feed(of: "music").hasLostClient)
    #expect(!stage.keeper.feed(of: "guide").hasLostClient)
  }

  @Test func `a program that went while nobody could tell is lost, too`() throws {
    var stage = Stage()
    try stage.session("music", channels: 1, sources: "mpv:.*")
    try stage.session("guide", channels: 1, sources: "vlc:.*")
    stage.add(outputs: "mpv:out", "vlc:out")
    stage.act()
    let left = [JACKPort(name: "vlc:out", direction: .output), JACKPort(name: "new:out", direction: .output)]
    stage.keeper.refresh(ports: left, connections: [], at: 0)
    #expect(stage.keeper.feed(of: "music").hasLostClient)
    #expect(!stage.keeper.feed(of: "guide").hasLostClient)
  }
}
