import AddressSpace
import Presets
import Scripts
import Testing

/// A script that walks through a day with a ready-made preset: `PRESET.osc`, or `PRESET-MORE.osc`.
struct ReadyMadeScript: Sendable, CustomTestStringConvertible {
  let name: String

  var testDescription: String { name }
  /// The name of the preset that it is about.
  var preset: String { String(name.prefix { $0 != "-" }) }

  private static let folder = "Tests/ReadyMadeTests/Scripts"

  /// Those for one machine; the two of a network are walked through live, on two machines.
  static let presets = PackageFiles.names(in: "presets", ending: ".json5").filter { !$0.hasPrefix("network") }
  static let all = PackageFiles.names(in: folder, ending: ".osc").map(ReadyMadeScript.init)

  func text() throws -> String { try PackageFiles.text("\(Self.folder)/\(name).osc") }

  /// What it says.
  func script() throws -> Script { try Script(name: "\(name).osc", text: text()) }

  /// A preset as it is shipped.
  static func preset(_ name: String) throws -> Preset {
    try Preset(contentsOf: PackageFiles.root.appendingPathComponent("presets/\(name).json5").path)
  }

  /// The host that it begins with.
  func host() throws -> ControlState { ControlState(preset: try Self.preset(preset).withoutJACK()) }
}
