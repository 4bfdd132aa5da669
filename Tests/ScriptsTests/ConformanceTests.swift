import AddressSpace
import Presets
import ScriptProbe
import Scripts
import Testing

@Suite("The conformance suite")
struct ConformanceTests {
  @Test("Every expectation of every script holds", arguments: ConformanceScript.all)
  func everyExpectationHolds(of script: ConformanceScript) throws {
    let result = try script.run()
    #expect(result.failures.map(\.description) == [])
    #expect(result.passed > 0)
  }

  @Test("Every rule of the policy has a script")
  func everyRuleHasAScript() {
    let covered = ConformanceScript.all.reduce(into: Set<String>()) { $0.formUnion($1.rules) }
    let missing = RuleID.ofPolicy.filter { !covered.contains($0) }
    #expect(missing.isEmpty, "these rules have no script: \(missing.joined(separator: " "))")
  }

  @Test("A script names its rules, and only such as exist", arguments: ConformanceScript.all)
  func rulesExist(of script: ConformanceScript) {
    #expect(!script.rules.isEmpty)
    #expect(script.rules.subtracting(RuleID.ofPolicy) == [])
  }

  @Test("The ids of rules are read from a header")
  func ruleIDs() {
    #expect(RuleID.all(in: "A3") == ["A3"])
    #expect(RuleID.all(in: "R2–R4, R6, C2.") == ["R2", "R3", "R4", "R6", "C2"])
    #expect(RuleID.all(in: "A2.1–A2.3") == ["A2.1", "A2.2", "A2.3"])
    #expect(RuleID.all(in: "§1 (Order), §2 (`auto`, launched)") == ["§1", "§1 Order", "§2", "§2 auto"])
    #expect(RuleID.all(in: "§9 (idleRelease), §7 (solo)") == ["§9", "§9 idleRelease", "§7"])
  }

  /// What cannot fail proves nothing: each expectation is turned into a false one, and must be found to be so.
  @Test("Every expectation of every script can fail", arguments: ConformanceScript.all)
  func everyExpectationCanFail(of script: ConformanceScript) throws {
    let contradiction = try Contradiction(of: script.text, name: script.name)
    #expect(try contradiction.failures(on: script.host()) == contradiction.expectations)
  }
}
