import Testing

@testable import JACKTransport

@Suite struct `Patterns for ports` {
  private func matches(_ pattern: String, _ name: String) throws -> Bool {
    try PortPattern(pattern).matches(JACKPort(name: name, direction: .output))
  }

  @Test func `a pattern matches the whole name or not at all`() throws {
    #expect(try matches("mpv:.*", "mpv:out_0"))
    #expect(try !matches("mpv:.*", "my-mpv:out_0"))
    #expect(try !matches("mpv:out", "mpv:out_0"))
    #expect(try !matches("pv:out_0", "mpv:out_0"))
    #expect(try matches(".*:out_[01]", "mpv:out_1"))
    #expect(try matches("", ""))
  }

  @Test(arguments: [
    ("mp+v:out", "mppv:out"), ("mpx?v:out", "mpv:out"), ("mpx*v:out", "mpv:out"), ("mpv:out|vlc:out", "vlc:out"),
    ("(?i)mpv:out", "MPV:OUT"), ("mpvx{0,1}:out", "mpv:out"), ("caf.:out", "café:out"), ("café:.*", "café:out"),
    ("\\Q(x)\\E:out", "(x):out"),
  ]) func `what may be missing or differ is not asked for`(pattern: String, name: String) throws {
    #expect(try matches(pattern, name))
  }

  @Test func `the plain text of a name is a pattern for it, whatever characters it has`() throws {
    #expect(try matches("USB Audio (hw:1):playback_1", "USB Audio (hw:1):playback_1"))
    #expect(try matches("a.b [x]:out", "a.b [x]:out"))
    #expect(try matches("Lautsprecher ü 日本:out", "Lautsprecher ü 日本:out"))
  }

  @Test func `an expression that is none is refused with its text`() {
    #expect(throws: PortPatternError.self) { try PortPattern("mpv:(") }
    do {
      _ = try PortPattern("mpv:(")
    } catch {
      #expect(error.description.contains("“mpv:(”"))
    }
  }
}

@Suite struct `Names at the limit` {
  @Test func `a name is cut after a whole character`() {
    #expect(JACKNames.cut("abc", bytes: 3) == "abc")
    #expect(JACKNames.cut("abcd", bytes: 3) == "abc")
    #expect(JACKNames.cut("aé", bytes: 2) == "a")
    #expect(JACKNames.cut("日本", bytes: 5) == "日")
    #expect(JACKNames.cut("👩‍🚀", bytes: 8).utf8.count <= 8)
    #expect(JACKNames.cut("abc", bytes: 0) == "")
  }

  @Test func `a name that is taken gets a number, within the limit`() {
    #expect(JACKNames.unique("line", bytes: 10) { _ in false } == "line")
    #expect(JACKNames.unique("line", bytes: 10) { $0 == "line" } == "line-2")
    #expect(JACKNames.unique("line", bytes: 4) { $0 == "line" || $0 == "li-2" } == "li-3")
  }

  @Test func `ports are named after session and route`() {
    #expect(JACKNames.sessionInputs("music", channels: 2) == ["music_in_1", "music_in_2"])
    #expect(JACKNames.sessionMicrophones("call", channels: 1) == ["call_mic_1"])
    #expect(JACKNames.routeOutputs("speaker", channels: 2) == ["speaker_out_1", "speaker_out_2"])
    #expect(JACKNames.routeInputs("mic", channels: 1) == ["mic_in_1"])
    #expect(JACKNames.client(of: "a2j:Key (1): out") == "a2j")
  }

  @Test func `people count 2 before 10`() {
    let names = ["out_10", "out_2", "out_02", "out", "in_1", "out_2b", "out_1"]
    #expect(
      names.sorted(by: NaturalOrder.isBefore) == ["in_1", "out", "out_1", "out_02", "out_2", "out_2b", "out_10"])
  }
}

@Suite struct `Frames and time` {
  @Test func `frames go on beyond 32 bits`() {
    #expect(FrameClock.extend(5, near: 0xffff_fff0) == 0x1_0000_0005)
    #expect(FrameClock.extend(0xffff_fff0, near: 0x1_0000_0005) == 0xffff_fff0)
    #expect(FrameClock.extend(0x8000_0010, near: 0x3_8000_0000) == 0x3_8000_0010)
  }

  @Test func `after a restart of the server frames begin later than they ended`() {
    #expect(FrameClock.extend(100, from: 0) == 100)
    #expect(FrameClock.extend(100, from: 50) == 100)
    #expect(FrameClock.extend(100, from: 101) == 0x1_0000_0064)
    #expect(FrameClock.extend(100, from: 0x2_0000_0000) == 0x2_0000_0064)
  }

  @Test func `a time an hour ahead is met to the frame`() {
    let clock = FrameClock(frame: 1_000_000, nanoseconds: 1_700_000_000_000_000_000, rate: 44100)
    #expect(clock.frame(at: clock.nanoseconds) == 1_000_000)
    #expect(clock.frame(at: clock.nanoseconds + 3_600_000_000_000) == 1_000_000 + 3600 * 44100)
    #expect(clock.frame(at: clock.nanoseconds - 1_000_000_000) == 1_000_000 - 44100)
    #expect(clock.frame(at: clock.nanoseconds - 3_600_000_000_000) == 0)
    for frame: UInt64 in [0, 1, 999_999, 1_000_001, 200_000_000] {
      #expect(clock.frame(at: clock.nanoseconds(of: frame)) == frame)
    }
  }

  @Test func `a time that no clock shows is far away, not a crash`() {
    let clock = FrameClock(frame: 10, nanoseconds: 0, rate: 48000)
    #expect(clock.frame(at: .max) > UInt64(Int64.max / 1_000_000_000))
    #expect(clock.frame(at: .min) == 0)
  }
}

@Suite struct `Sound cards` {
  private let cards = """
     0 [HDMI           ]: HDA-Intel - HDA Intel HDMI
                          HDA Intel HDMI at 0xe1810000 irq 31
     1 [Headset        ]: USB-Audio - Jabra - Evolve 20
                          Jabra Evolve 20 at usb-0000:00:14.0-2, full speed
    """

  @Test func `the first card that plays is taken`() {
    let devices = "00-00: Mic : Mic : capture 1\n00-03: HDMI 0 : HDMI 0 : playback 1\n01-00: USB : USB : playback 1\n"
    #expect(
      SoundCard.first(cards: cards, devices: devices)
        == SoundCard(id: "HDMI", title: "HDA Intel HDMI", device: 3, records: false, isUSB: false))
  }

  @Test func `a headset on USB records too`() throws {
    let card = try #require(
      SoundCard.first(cards: cards, devices: "01-00: USB Audio : USB Audio : playback 1 : capture 1"))
    #expect(card == SoundCard(id: "Headset", title: "Jabra - Evolve 20", device: 0, records: true, isUSB: true))
    let command = ServerProcess.Configuration(driver: .card(card), period: 128).command.joined(separator: " ")
    #expect(command == "jackd -R -d alsa -d hw:Headset,0 -r 48000 -p 128 -n 3")
  }

  @Test func `without a card there is none`() {
    #expect(SoundCard.first(cards: "--- no soundcards ---\n", devices: "") == nil)
    let command = ServerProcess.Configuration(name: "own", driver: .dummy, isRealtime: false).command
    #expect(command.joined(separator: " ") == "jackd -n own -r -d dummy -r 48000 -p 256")
  }
}

@Suite struct `Realtime limits` {
  @Test func `what is missing is told with the command that mends it`() {
    var limits = RealtimeLimits(mayRunRealtime: true, lockableMemory: nil, remedy: remedy)
    #expect(limits.advice == [])
    limits.mayRunRealtime = false
    limits.lockableMemory = 8 << 20
    #expect(limits.advice.count == 2)
    #expect(limits.advice.allSatisfy { $0.hasSuffix(remedy.description) })
    #expect(limits.advice.last?.contains("8192 KiB") ?? false)
  }

  private var remedy: RealtimeRemedy {
    RealtimeRemedy(user: "anna", userNumber: 1000, isGroupPermitted: false, isInGroup: false, isService: false)
  }

  @Test func `the command is what this very person lacks on this very machine`() {
    var remedy = remedy
    #expect(
      "\(remedy)" == "run “sudo dpkg-reconfigure -p high jackd2 && sudo usermod -aG audio anna” (answer yes), "
        + "then log out and in again")
    remedy.isGroupPermitted = true
    #expect("\(remedy)" == "run “sudo usermod -aG audio anna”, then log out and in again")
    remedy.isService = true
    #expect("\(remedy)" == "run “sudo usermod -aG audio anna && sudo systemctl restart user@1000”")
    remedy.isInGroup = true
    #expect("\(remedy)" == "run “sudo systemctl restart user@1000”")
    remedy.isService = false
    #expect("\(remedy)" == "log out and in again")
  }

  @Test func `root has all of it, but for a container, which is told otherwise`() {
    var remedy = remedy
    remedy.userNumber = 0
    #expect("\(remedy)".contains("--cap-add=SYS_NICE --cap-add=IPC_LOCK"))
    #expect(RealtimeLimits.mayLockAll("Name:\teider\nCapEff:\t000001ffffffffff\nSeccomp:\t0\n"))
    #expect(!RealtimeLimits.mayLockAll("Name:\teider\nCapEff:\t00000000a80425fb\nCapBnd:\t000001ffffffffff\n"))
    #expect(!RealtimeLimits.mayLockAll(""))
  }

  @Test func `whether the group has the permissions is read as the system reads it`() {
    #expect(RealtimeRemedy.isPermitted(by: "# jackd\n@audio   -  rtprio     95\n@audio - memlock unlimited\n"))
    #expect(!RealtimeRemedy.isPermitted(by: "#@audio - rtprio 95\n@pipewire - rtprio 95\n@audio - nice -19\n"))
    #expect(!RealtimeRemedy.isPermitted(by: ""))
  }

  @Test func `with a limit nothing is locked, for what is allocated later would be refused`() {
    #expect(!RealtimeLimits(mayRunRealtime: true, lockableMemory: 1 << 40, remedy: remedy).lockMemory())
  }
}
