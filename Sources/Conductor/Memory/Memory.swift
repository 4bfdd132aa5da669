import AddressSpace
import Foundation

/// What Eider remembers beyond its end: what people have set, where it is not as the preset says.
public struct Memory: Hashable, Sendable {
  /// The scene that was recalled last; empty if none was.
  public var scene = ""
  /// The output route that a person has chosen; empty if none is.
  public var route = ""
  /// Values as they are set.
  public var values: [Message] = []
  /// The sessions that play, or would after their interruption, in the order of their activation; none that hears a
  /// microphone.
  public var playing: [String] = []
  /// Whether Eider has ended in good order since.
  public var hasEnded = false

  public init() {}
}

/// Why a text is no memory.
public enum MemoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Of a format that only newer versions know.
  case newer(Int)
  case damaged(String)

  public var description: String {
    switch self {
    case .newer(let version): "it has format \(version), which takes a newer Eider"
    case .damaged(let reason): "it is damaged (\(reason))"
    }
  }
}

/// Memory as the text of a file: JSON.
extension Memory {
  /// The format that is written.
  static let version = 1

  private struct File: Codable {
    struct Value: Codable {
      let argument: Argument

      init(_ argument: Argument) { self.argument = argument }

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
          argument = .bool(value)
        } else if let value = try? container.decode(Double.self) {
          argument = .double(value)
        } else {
          argument = .string(try container.decode(String.self))
        }
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch argument {
        case .bool(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        // The shortest decimal that is read back as the same number.
        case .float(let value): try container.encode(Double(value.description) ?? Double(value))
        default: try container.encode(argument.number ?? 0)
        }
      }
    }

    struct Entry: Codable {
      let address: String
      let value: [Value]
    }

    let eiderState: Int
    let scene: String
    let route: String
    let values: [Entry]
    let playing: [String]
    let ended: Bool
  }

  private struct Head: Codable { let eiderState: Int }

  /// The memory as a text, a value a line.
  public var text: String {
    let file = File(
      eiderState: Self.version, scene: scene, route: route,
      values: values.map { File.Entry(address: $0.address, value: $0.arguments.map(File.Value.init)) },
      playing: playing, ended: hasEnded)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Nothing here can fail to be written as JSON: no value is infinite.
    guard let data = try? encoder.encode(file) else { return "" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// Reads what `text` has written.
  public init(text: String) throws(MemoryError) {
    let data = Data(text.utf8)
    let file: File
    do {
      let version = try JSONDecoder().decode(Head.self, from: data).eiderState
      guard version <= Self.version else { throw MemoryError.newer(version) }
      file = try JSONDecoder().decode(File.self, from: data)
    } catch let error as MemoryError {
      throw error
    } catch {
      throw .damaged(text.isEmpty ? "it is empty" : "it is not what was written")
    }
    scene = file.scene
    route = file.route
    values = file.values.map { Message($0.address, $0.value.map(\.argument)) }
    playing = file.playing
    hasEnded = file.ended
  }
}
