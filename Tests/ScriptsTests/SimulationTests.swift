import AddressSpace
import Presets
import Scripts
import Testing

private func run(_ text: String) throws -> ScriptJudge {
  Simulation.run(try Script(name: "test.osc", text: text), on: ControlState(preset: .scriptDefault))
}

@Suite("How a script is run")
struct SimulationTests {
  /// Two sessions, of which the second has taken the floor.
  private static let scene = """
    0 /session/open radio playback
    0 /session/radio/playing true
    0 /session/open film playback
    0 /session/film/playing true

    """

  @Test(
    "An expectation that does not hold is told with its line, what was expected and what came",
    arguments: [
      ("0 ? /session/radio/audible true", "expected /session/radio/audible true, got false"),
      ("0 ? /session/radio/causes none", "expected /session/radio/causes none, got film"),
      ("0 ? /session/film/causes radio", "expected /session/film/causes radio, got none"),
      ("0 ? /session/radio/title \"\"", "expected /session/radio/title \"\", got radio"),
      ("0 ? /session/*/playing true", "expected /session/*/playing true, got /session/radio/playing false"),
      ("0 ? /session/nobody/mute true", "expected /session/nobody/mute true, got noSuchSession"),
      ("0 ? /session/radio/banana 1", "expected /session/radio/banana 1, got badAddress"),
      ("0 ? /session/x*/mute true", "expected /session/x*/mute true, got badAddress"),
      ("0 ? /host/volumeUp 1", "expected /host/volumeUp 1, got nothing"),
      ("0 ? /eider/version 1", "expected /eider/version 1, got no value to read"),
      (
        "0 ! outOfRange /session/radio/priority 5",
        "expected /session/radio/priority 5 to be refused with outOfRange, got no error"
      ),
      (
        "0 ! outOfRange /session/radio/priority loud",
        "expected /session/radio/priority loud to be refused with outOfRange, got badArguments"
      ),
      (
        "0 ! forbidden /session/radio/resume",
        "expected /session/radio/resume to be refused with forbidden, got no error"
      ),
      (
        "0 < /session/radio/interruption begin phone",
        "expected notice /session/radio/interruption begin phone, got begin film"
      ),
      ("0 < /session/film/interruption end 1", "expected notice /session/film/interruption end 1, got none"),
      ("0 < /session/radio/interruption begin", "expected notice /session/radio/interruption begin, got begin film"),
      ("0 <! /session/radio/interruption", "expected no notice /session/radio/interruption, got begin film"),
    ])
  func failures(line: String, complaint: String) throws {
    let result = try run(Self.scene + line)
    #expect(result.failures.map(\.description) == ["test.osc:5: \(complaint)"])
    #expect(result.passed == 0)
  }

  @Test("A pattern that is partly refused is no refusal of every match")
  func partlyRefused() throws {
    let result = try run(
      """
      0 /session/open rain ambient
      0 /session/open film playback
      0 ! incompatibleCategory /session/*/options mixWithOthers
      """)
    #expect(result.failures.count == 1)
  }

  @Test("A line that is refused though nobody expects it is no failure, and is told")
  func refusals() throws {
    let result = try run("0 /session/open music banana\n1 ? /session/list none")
    #expect(result.failures.isEmpty)
    #expect(result.passed == 1)
    #expect(result.refusals.count == 1)
    #expect(result.refusals.first?.hasPrefix("test.osc:1: refused: /session/open incompatibleCategory: ") == true)
  }

  @Test("Reading changes nothing, not even by an act")
  func readingChangesNothing() throws {
    let result = try run("0 /host/ringer 0.5\n0 ? /host/volumeDown 1\n0 ? /host/ringer 0.5")
    #expect(result.failures.count == 1)
    #expect(result.passed == 1)
  }

  @Test("Notices are those since the last sending line, releases that come later among them")
  func lastSendingLine() throws {
    let result = try run(
      Self.scene + """
        0 /session/film/idleRelease 5
        0 <! /session/radio/interruption
        1 /session/film/playing false
        3 <! /session/radio/interruption
        7 < /session/radio/interruption end 1
        8 /host/silent true
        8 <! /session/radio/interruption
        """)
    #expect(result.failures.map(\.description) == [])
    #expect(result.passed == 4)
  }

  @Test("In a bundle each expected refusal is about its own message")
  func refusedInBundle() throws {
    let result = try run(
      """
      {
      0 ! badName /session/open "" playback
      0   /session/open music playback
      0 ! nameTaken /session/open music playback
      0 ! nameTaken /session/open film playback
      }
      0 ? /session/list music film
      """)
    #expect(result.passed == 3)
    #expect(
      result.failures.map(\.description) == [
        "test.osc:5: expected /session/open film playback to be refused with nameTaken, got no error"
      ])
  }
}
