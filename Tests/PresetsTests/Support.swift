import AddressSpace
import Testing

@testable import Presets

/// An address space in which everything exists.
struct AnyAddress: AddressChecker {
  func complaints(about messages: [Message], in preset: Preset) -> [AddressComplaint?] { messages.map { _ in nil } }
  func complaint(aboutPattern pattern: String) -> AddressComplaint? { nil }
}

/// A text in which `▸` marks where mistakes are expected.
struct MarkedText {
  let source: SourceText
  let marks: [SourcePosition]

  init(_ marked: String, file: String = "test.json5") {
    let pieces = marked.split(separator: "▸", omittingEmptySubsequences: false)
    source = SourceText(pieces.joined(), file: file)
    var offset = 0
    var marks: [SourcePosition] = []
    for piece in pieces.dropLast() {
      offset += piece.unicodeScalars.count
      marks.append(source.position(at: offset))
    }
    self.marks = marks
  }
}

func read(_ text: String, addresses: some AddressChecker = AnyAddress()) throws -> Preset {
  try Preset(SourceText(text, file: "test.json5"), addresses: addresses)
}

/// The mistakes of a preset, of which there must be one at each mark and none elsewhere.
func mistakes(
  _ marked: String, addresses: some AddressChecker = AnyAddress(), sourceLocation: SourceLocation = #_sourceLocation
) -> [PresetDiagnostic] {
  let text = MarkedText(marked)
  do {
    _ = try Preset(text.source, addresses: addresses)
    #expect(text.marks.isEmpty, "read without a mistake", sourceLocation: sourceLocation)
    return []
  } catch {
    #expect(
      error.diagnostics.map(\.start) == text.marks, "\(error)", sourceLocation: sourceLocation)
    return error.diagnostics
  }
}

/// A JSON5 value without its positions.
indirect enum Plain: Equatable {
  case null, bool(Bool), integer(Int64), decimal(Double), string(String), unreadable
  case array([Plain]), object([String], [Plain])

  init(_ node: JSON5Node) {
    switch node.value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .decimal(let value): self = .decimal(value)
    case .string(let value): self = .string(value)
    case .unreadable: self = .unreadable
    case .array(let nodes): self = .array(nodes.map(Plain.init))
    case .object(let object):
      self = .object(object.members.map(\.key), object.members.map { Plain($0.value) })
    }
  }
}

func json5(_ text: String) -> JSON5Document { JSON5Document(SourceText(text, file: "test.json5")) }
