import AddressSpace
import Scripts
import Testing

/// What the steps of a script are, in short.
private func steps(_ text: String) throws -> [String] {
  try Script(name: "test.osc", text: text).steps.map { step in
    let what =
      switch step.action {
      case .send(let sendings):
        sendings.map { ($0.expectedError.map { "! \($0) " } ?? "") + $0.text }.joined(separator: "; ")
      case .read(let address, let expected): "? \(address) \(expected.map(\.text))"
      case .notice(let address, let expected): "< \(address) \(expected.map(\.text))"
      case .noNotice(let address): "<! \(address)"
      }
    return "\(step.line) @\(step.time) \(what)"
  }
}

/// The arguments of the only message of a script.
private func arguments(_ line: String) throws -> [Argument] {
  let script = try Script(name: "test.osc", text: line)
  guard script.steps.count == 1, case .send(let sendings) = script.steps[0].action, sendings.count == 1 else {
    Issue.record("one message was expected")
    return []
  }
  return sendings[0].message.arguments
}

@Suite("How a script is read")
struct ScriptReaderTests {
  @Test("Sending, reading, refused, noticed and not noticed, each with its time and line")
  func lines() throws {
    let script = """
      # seconds  what

      0     /session/open music playback
      1.5 ? /session/music/options none
      2   ! incompatibleCategory /session/music/category banana
      2   < /session/opened music   # a comment
      2  <! /session/closed
      """
    #expect(
      try steps(script) == [
        "3 @0.0 /session/open music playback",
        "4 @1.5 ? /session/music/options [\"none\"]",
        "5 @2.0 ! incompatibleCategory /session/music/category banana",
        "6 @2.0 < /session/opened [\"music\"]",
        "7 @2.0 <! /session/closed",
      ])
  }

  @Test("A relative time follows the timed line before, whatever that line is")
  func relativeTimes() throws {
    let script = """
      +1 /host/silent true
      +0.5 ? /host/silent true
      +0 /host/silent false
      5 /host/silent true
      +2.25 <! /host/route
      """
    #expect(
      try steps(script) == [
        "1 @1.0 /host/silent true", "2 @1.5 ? /host/silent [\"true\"]", "3 @1.5 /host/silent false",
        "4 @5.0 /host/silent true", "5 @7.25 <! /host/route",
      ])
  }

  @Test("Braces make one event of the lines between them; an empty bundle is none")
  func bundles() throws {
    let script = """
      {
      1   /host/silent true   # first

      1 ! forbidden /host/routes x
      +0  /host/locked true
      }
      { # nothing happens
      }
      2 /host/silent false
      """
    #expect(
      try steps(script) == [
        "1 @1.0 /host/silent true; ! forbidden /host/routes x; /host/locked true", "9 @2.0 /host/silent false",
      ])
  }

  @Test("Words are typed: true, false, whole numbers and decimals; quoted ones are texts")
  func types() throws {
    #expect(
      try arguments("0 /x 1 -1 +5 0.5 .5 5. -0.25 3000000000 true false none")
        == [
          .int(1), .int(-1), .int(5), .double(0.5), .double(0.5), .double(5), .double(-0.25), .long(3_000_000_000),
          .bool(true), .bool(false), .string("none"),
        ])
    #expect(
      try arguments("0 /x 1e3 nan inf 0x10 1.2.3 True - . 99999999999999999999")
        == [
          .string("1e3"), .string("nan"), .string("inf"), .string("0x10"), .string("1.2.3"), .string("True"),
          .string("-"), .string("."), .double(1e20),
        ])
    #expect(
      try arguments(##"0 /x "5" 'true' "" "two words" 'it "is"' "say \"so\"" "back\\slash" "#hash" 'a\b'"##)
        == [
          "5", "true", "", "two words", "it \"is\"", "say \"so\"", "back\\slash", "#hash", "a\\b",
        ])
  }

  @Test("Lines may end as on any machine, be indented by tabs, and the last one needs no end")
  func lineEnds() throws {
    let expected = ["1 @0.0 /host/silent true", "3 @1.0 ? /host/silent [\"true\"]"]
    #expect(try steps("0\t/host/silent true\n\n\t1 ?  /host/silent true") == expected)
    #expect(try steps("0 /host/silent true\r\n\r\n1 ? /host/silent true\r\n") == expected)
  }

  @Test("The text of a message is as it stands in the script, without comment and code")
  func texts() throws {
    #expect(
      try steps(#"0 ! badName   /session/open  "late  quartets" playback  # no"#)
        == [#"1 @0.0 ! badName /session/open  "late  quartets" playback"#])
  }

  @Test(
    "What cannot be read is told with its line and what would be right",
    arguments: [
      ("/host/silent true", 1, "a line begins with its time in seconds, such as 1.5 or +0.2, got /host/silent"),
      ("-1 /host/silent true", 1, "a line begins with its time in seconds, such as 1.5 or +0.2, got -1"),
      ("1e3 /host/silent true", 1, "a line begins with its time in seconds, such as 1.5 or +0.2, got 1e3"),
      ("0x10 /host/silent true", 1, "a line begins with its time in seconds, such as 1.5 or +0.2, got 0x10"),
      ("inf /host/silent true", 1, "a line begins with its time in seconds, such as 1.5 or +0.2, got inf"),
      ("++1 /host/silent true", 1, "a line begins with its time in seconds, such as 1.5 or +0.2, got ++1"),
      ("+ /host/silent true", 1, "a line begins with its time in seconds, such as 1.5 or +0.2, got +"),
      ("{ 0 /host/silent true }", 1, "a line begins with its time in seconds, such as 1.5 or +0.2, got {"),
      ("2 /host/silent true\n1 /host/silent true", 2, "time goes backwards: 1 after 2.0"),
      ("0", 1, "after the time comes an address, or one of ? ! < <! before it"),
      ("0 host/silent true", 1, "expected an address, which begins with /, got host/silent"),
      ("0 ?", 1, "expected an address, which begins with /"),
      ("0 < music", 1, "expected an address, which begins with /, got music"),
      ("0 <!", 1, "expected an address, which begins with /"),
      ("0 <! /host/route speaker", 1, "after <! comes an address alone, got speaker, too"),
      ("0 ! /host/silent true", 1, "after ! comes the code of the expected error, then an address"),
      ("0 !", 1, "after ! comes the code of the expected error, then an address"),
      ("0 ! badName", 1, "expected an address, which begins with /"),
      (
        "0 ! badWord /host/silent x", 1,
        "there is no error code badWord, there is badAddress badArguments outOfRange badName nameTaken noSuchSession "
          + "noSuchRoute noSuchScene incompatibleCategory cannotInterruptOthers cannotStartPlaying cannotStartRecording "
          + "insufficientPriority resourceNotAvailable tooMany forbidden ioError"
      ),
      ("\n{\n0 /host/silent true\n", 2, "this { is never closed by a }"),
      ("{\n{\n", 2, "a bundle within a bundle: close the first by a } before"),
      ("0 /host/silent true\n}", 2, "this } closes nothing"),
      ("{\n0 ? /host/silent true\n}", 2, "between { and } stand sending lines only"),
      ("{\n0 <! /host/route\n}", 2, "between { and } stand sending lines only"),
      ("{\n0 /host/silent true\n1 /host/silent true\n}", 3, "a bundle is of one time: expected 0.0, got 1.0"),
      ("0 /session/open \"music", 1, "the quote \" is never closed"),
      ("0 /session/open 'music", 1, "the quote ' is never closed"),
      (#"0 /session/open "a\n""#, 1, "within \"…\" a \\ stands before \" or \\ only"),
    ])
  func errors(text: String, line: Int, problem: String) throws {
    let error = #expect(throws: ScriptError.self) { try Script(name: "test.osc", text: text) }
    #expect(error?.description == "test.osc:\(line): error: \(problem)")
  }
}
