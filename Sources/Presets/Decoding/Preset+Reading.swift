import Foundation

extension Preset {
  /// The largest file that is read, in bytes.
  static let largestFile = 16 << 20

  /// Reads a preset; every mistake in it is found in one pass.
  ///
  /// - Parameter addresses: who knows the addresses that scenes, `start` and `safe` may name.
  /// - Throws: all mistakes, in the order of the text.
  public init(_ source: SourceText, addresses: some AddressChecker = AddressTableChecker()) throws(PresetMistakes) {
    let document = JSON5Document(source)
    var decoding = Decoding(source)
    for mistake in document.mistakes {
      // Where there is nothing yet, it helps to say what a preset begins with.
      let isRoot = mistake.path.isEmpty && mistake.expected == "a value"
      let expected = isRoot ? "a preset, which begins with { eider: 1, … }" : mistake.expected
      decoding.report(mistake.range, expected: expected, found: mistake.found, path: mistake.path)
    }
    let preset = Form.object(.preset).read(document.root, &decoding)
    if let preset { decoding.checkAddresses(of: preset, by: addresses) }

    // What a newer format means by its other keys is not known.
    if let version = document.newerVersion(of: decoding) {
      throw PresetMistakes(source: source, diagnostics: [version])
    }
    guard let preset, decoding.diagnostics.isEmpty else {
      let sorted = decoding.diagnostics.enumerated().sorted {
        ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
      }
      throw PresetMistakes(source: source, diagnostics: sorted.map(\.element))
    }
    self = preset
  }

  /// Reads a preset file.
  ///
  /// - Throws: `PresetFileError` if there is no such file, `PresetMistakes` if it is no preset.
  public init(contentsOf path: String, addresses: some AddressChecker = AddressTableChecker()) throws {
    try self.init(SourceText(contentsOf: path), addresses: addresses)
  }
}

extension JSON5Document {
  /// What was said about the version of the format, if it is one of a newer Eider.
  fileprivate func newerVersion(of decoding: Decoding) -> PresetDiagnostic? {
    guard let node = node(at: [.key("eider")]), case .integer(2...) = node.value else { return nil }
    return decoding.diagnostics.last { $0.start == source.position(at: node.range.lowerBound) }
  }
}

/// A file that cannot be read at all.
public struct PresetFileError: Error, Hashable, Sendable, CustomStringConvertible {
  public let file: String
  public let reason: String

  public var description: String { "\(file): \(reason)" }
}

extension SourceText {
  /// Reads a file of UTF-8 text, at most 16 MiB.
  ///
  /// - Throws: `PresetFileError` if it cannot be read, `PresetMistakes` if it is not UTF-8.
  public init(contentsOf path: String) throws {
    let bytes: Data
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      bytes = try handle.read(upToCount: Preset.largestFile + 1) ?? Data()
    } catch {
      throw PresetFileError(file: path, reason: Self.reason(for: error))
    }
    guard bytes.count <= Preset.largestFile else {
      throw PresetFileError(file: path, reason: "is larger than \(Preset.largestFile >> 20) MiB: no preset is")
    }
    self.init(String(decoding: bytes, as: UTF8.self), file: path)
    if let offset = Self.firstInvalidOffset(in: bytes) {
      let diagnostic = PresetDiagnostic(
        file: path, start: position(at: offset), end: position(at: offset + 1), path: "",
        expected: "UTF-8 text", found: "bytes that are none", nearest: nil)
      throw PresetMistakes(source: self, diagnostics: [diagnostic])
    }
  }

  private static func reason(for error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
    guard underlying.domain == NSPOSIXErrorDomain else { return "cannot be read: \(error.localizedDescription)" }
    return "cannot be read: \(String(cString: strerror(Int32(underlying.code))))"
  }

  /// How many scalars stand before the first bytes that are not UTF-8.
  private static func firstInvalidOffset(in bytes: Data) -> Int? {
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    var count = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue: count += 1
      case .emptyInput: return nil
      case .error: return count
      }
    }
  }
}
