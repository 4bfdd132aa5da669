import SessionPolicy
import Testing

@Suite("Ducking by what is measured (§6)")
struct DuckingTests {
  private static func host() -> Host {
    var host = Host()
    host.open("music", .playback, [.mixWithOthers])
    host.open("guide", .playback, [.duckOthers])
    host.play("music")
    host.play("guide")
    return host
  }

  @Test("A trigger of signal ducks while the signal is there and the ducker is heard (D1)")
  func signal() {
    var host = Self.host()
    var parameters = DuckParameters()
    parameters.trigger = .signal
    host.tell("guide") { .set($0, .duck(parameters)) }
    #expect(host.state.duckedBy(host["music"]) == [])
    #expect(host.state.mayDuck(host["guide"], in: Surroundings(host.state)))
    host.tell("guide") { .setDuckingSignal($0, true) }
    #expect(host.state.duckedBy(host["music"]) == ["guide"])
    #expect(host.state.reduction(of: host["music"]) == -14)
    host.tell("guide") { .set($0, .mute(true)) }
    #expect(host.state.duckedBy(host["music"]) == [])
    host.tell("guide") { .set($0, .mute(false)) }
    host.tell("guide") { .setDuckingSignal($0, false) }
    #expect(host.state.duckedBy(host["music"]) == [])
  }

  @Test("A margin counts as what it asks for now, and the deepest ducker counts (D3, D6)")
  func margin() {
    var host = Self.host()
    var parameters = DuckParameters()
    parameters.style = .margin
    host.tell("guide") { .set($0, .duck(parameters)) }
    #expect(host.state.reduction(of: host["music"]) == 0)
    #expect(host.state.reduction(of: host["music"]) { $0.name == "guide" ? -9 : -60 } == -9)
    host.open("bell", .ringtone)
    host.play("bell")
    #expect(host.state.reduction(of: host["music"]) { _ in -9 } == -14)
    #expect(host.state.reduction(of: host["music"]) { _ in -20 } == -20)
    #expect(host.state.duckedBy(host["music"]) == ["bell", "guide"])
  }
}
