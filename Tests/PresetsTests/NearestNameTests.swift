import Testing

@testable import Presets

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("volum", "volume"), ("vloume", "volume"), ("volumee", "volume"), ("VOLUME", "volume"), ("vilume", "volume"),
    ("mut", "mute"), ("mutes", "mute"), ("sola", "solo"), ("opions", "options"),
  ])
  func `a misspelling finds its name`(misspelt: String, name: String) {
    #expect(nearestName(to: misspelt, among: ["mute", "volume", "solo", "options", "pan"]) == name)
  }

  @Test(arguments: ["", "x", "colour", "volatile", "tumeoptn"])
  func `what resembles nothing finds nothing`(word: String) {
    #expect(nearestName(to: word, among: ["mute", "volume", "solo", "options", "pan"]) == nil)
  }

  @Test func `the nearest one wins, the first of two that are equally near`() {
    #expect(nearestName(to: "plays", among: ["player", "play", "replay"]) == "play")
    #expect(nearestName(to: "bat", among: ["cat", "rat"]) == "cat")
  }
}
