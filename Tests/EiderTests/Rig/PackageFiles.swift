import Foundation

/// Files of the package that the tests were built from.
enum PackageFiles {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file by its path within the package.
  static func url(_ path: String) -> URL { root.appendingPathComponent(path) }

  /// The text of a file.
  static func text(_ path: String) throws -> String { try String(contentsOf: url(path), encoding: .utf8) }

  /// The conformance scripts, by name.
  static func conformanceScripts() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: url("Tests/ScriptsTests/Conformance"), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "osc" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  /// The scripts of the ready-made presets, `PRESET.osc`, by name; not those that pull ports out.
  static func readyMadeScripts() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: url("Tests/ReadyMadeTests/Scripts"), includingPropertiesForKeys: nil
    )
    .filter { $0.pathExtension == "osc" && !$0.lastPathComponent.contains("-") }
    .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}
