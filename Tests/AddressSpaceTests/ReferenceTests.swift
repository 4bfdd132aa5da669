import AddressSpace
import Foundation
import SessionPolicy
import Testing

@Suite("The reference of the address space")
struct ReferenceTests {
  /// The rows of the tables: an address each.
  private static let rows = AddressReference.markdown.components(separatedBy: "## What the daemon sends")[0]
    .split(separator: "\n").filter { $0.hasPrefix("| `/") }

  @Test("It has one row for every endpoint, in the order of the table")
  func everyRow() {
    let addresses = Self.rows.map { $0.split(separator: "`")[1] }
    #expect(addresses.map(String.init) == AddressTable.endpoints.map(\.address))
  }

  @Test("Every row says what the endpoint means, what may be done with it and what it takes", arguments: 0..<rows.count)
  func cells(row: Int) {
    let endpoint = AddressTable.endpoints[row]
    let text = Self.rows[row].replacing("\\|", with: "/")
    let cells = text.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { $0.split(separator: " ").joined(separator: " ") }
    #expect(cells.count == 6)
    #expect(cells[4] == endpoint.documentation)
    #expect(!endpoint.documentation.isEmpty && endpoint.documentation.last == ".")
    let accesses = ["read, set", "read only", "set only", "act"]
    #expect(accesses.contains(cells[3]))
    #expect((cells[3] == "act") == (endpoint.access == .act))
    #expect((cells[3].hasPrefix("read")) == endpoint.isReadable)
    let takesNothing = endpoint.access == .act && endpoint.kinds.isEmpty
    #expect(cells[1].isEmpty == takesNothing)
  }

  @Test("It names all that the daemon sends beside values, and every code of an error")
  func sent() {
    let rest = AddressReference.markdown.components(separatedBy: "## What the daemon sends").dropFirst().joined()
    for address in [
      "/error", "/synced", "/subscribed", "/eider/pong", "/eider/alive", "/session/NAME/interruption",
      "/session/NAME/paused", "/session/NAME/remote", "/host/route", "/session/opened", "/session/closed",
      "/scene/recalled",
    ] {
      #expect(rest.contains("| `\(address)` |"))
    }
    for code in Refusal.Code.allCases { #expect(rest.contains("| `\(code.rawValue)` |")) }
  }

  @Test("Ranges, units and words stand in it")
  func values() {
    func row(_ address: String) -> String { Self.rows.first { $0.hasPrefix("| `\(address)` ") }.map(String.init) ?? "" }
    #expect(row("/session/NAME/volume").contains("a number 0…1"))
    #expect(row("/session/NAME/duck/attack").contains("a number 1…5000 ms"))
    #expect(row("/session/NAME/priority").contains("a whole number -100…100"))
    #expect(row("/session/NAME/activation").contains("one of manual connected signal"))
    #expect(row("/session/NAME/remote").contains("any of play pause toggle stop next previous, or none"))
    #expect(row("/host/interruption").contains("begin SOURCE"))
    #expect(row("/session/NAME/active").contains("A1 A2 A3 A4 A5"))
  }
}
