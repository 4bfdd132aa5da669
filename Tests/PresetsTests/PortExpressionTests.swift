import Testing

@testable import Presets

@Suite struct PortExpressionTests {
  @Test(arguments: [
    "system:playback_1", "mpv:.*", "Browser (2):left", "a2j:Midi [14] (capture)", "(?i)x", "\\d+", "größe",
  ])
  func `names and regular expressions are taken as they are`(text: String) throws {
    #expect(try PortExpression(text).text == text)
  }

  @Test(arguments: ["", "(", ")", "a)(b", "[", "*", "a{2,1}", "\\", "(?<n", "+x"])
  func `what is no expression is refused with a reason`(text: String) {
    let mistake = #expect(throws: PortExpression.Mistake.self) { try PortExpression(text) }
    #expect(mistake?.reason.isEmpty == false)
  }

  @Test func `what a shell would understand is refused with what was meant`() {
    let mistake = #expect(throws: PortExpression.Mistake.self) { try PortExpression("mpv:*") }
    #expect(mistake?.reason.contains("write “mpv:.*” for every port") == true)
  }
}
