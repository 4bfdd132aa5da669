import Foundation

/// Files of the package that the tests were built from.
enum PackageFiles {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a file, by its path within the package.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The names of the files of a folder that end so, without their end.
  static func names(in folder: String, ending end: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
    return (names ?? []).filter { $0.hasSuffix(end) }.map { String($0.dropLast(end.count)) }.sorted()
  }
}
