import AddressSpace
import Foundation
import Presets
import SessionPolicy
import Testing

@Suite("What the README shows")
struct ReadmeTests {
  private let text = Result { try PackageFiles.text("README.md") }

  /// The blocks of a language.
  private func blocks(_ language: String) throws -> [String] {
    try text.get().matches(of: try Regex("```\(language)\n((?:.|\n)*?)```")).map { String($0[1].substring ?? "") }
  }

  /// What stands in single backquotes.
  private func spans() throws -> [String] {
    try text.get().split(separator: "\n").flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.output.1) } }
  }

  private func mistakes(in preset: String) -> String {
    do {
      _ = try Preset(SourceText(preset, file: "README"))
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("The presets are right")
  func presets() throws {
    let presets = try blocks("json5")
    #expect(presets.count >= 1)
    for preset in presets { #expect(mistakes(in: preset) == "") }
  }

  /// What is right anywhere in a preset of two programs.
  @Test("The pieces of presets are right where they belong")
  func pieces() throws {
    var pieces = 0
    for span in try spans() {
      let key = span.prefix { $0.isLetter }
      let isRoute = span.hasPrefix("routes: [{")
      if span.hasPrefix("{ name:") {
        #expect(mistakes(in: "{ eider: 1, sessions: [\(span)] }") == "", "\(span)")
      } else if isRoute || span.hasPrefix("\(key): "), isRoute || ["scenes", "start", "safe", "osc"].contains(key) {
        let scenes = key == "scenes" ? "" : ", scenes: [{ name: \"evening\", set: {} }]"
        let sessions = "sessions: [{ name: \"music\" }, { name: \"voice\" }]"
        #expect(mistakes(in: "{ eider: 1, \(sessions)\(scenes), \(span) }") == "", "\(span)")
      } else if span.hasPrefix("\(key): "),
        ["options", "category", "sources", "duck", "priority", "routes"].contains(key)
      {
        let category = key == "category" ? "" : "category: \"playback\", "
        let routes = "routes: [{ name: \"monitors\", kind: \"speaker\" }]"
        #expect(
          mistakes(in: "{ eider: 1, \(routes), sessions: [{ name: \"x\", \(category)\(span) }] }") == "", "\(span)")
      } else {
        continue
      }
      pieces += 1
    }
    #expect(pieces > 20)
  }

  /// The kiosk, and a piece of the first preset in it, for what the tables are about.
  private func kiosk() throws -> ControlState {
    var preset = try ReadyMadeScript.preset("kiosk")
    preset.sessions.append(Preset.Session(name: "voice"))
    return ControlState(preset: preset.withoutJACK())
  }

  private func perform(_ message: Message, on state: inout ControlState) -> [String] {
    state.beginEvent(at: 0)
    defer { _ = state.endEvent() }
    return AddressTable.apply(message, to: &state).compactMap { reply in
      if case .refused(let address, let refusal) = reply { "\(address) \(refusal.code)" } else { nil }
    }
  }

  @Test("The lines of oscsend work as they stand, each on the kiosk")
  func oscsend() throws {
    let lines = try spans().filter { $0.hasPrefix("oscsend ") }
    #expect(lines.count == 10)
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      #expect(words[1...2] == ["localhost", "9770"])
      let types = words.count > 4 ? Array(words[4]) : []
      let values = types.filter { $0 != "T" && $0 != "F" }.count
      #expect(words.count == 4 + min(1, types.count) + values)
      let arguments = types.indices.map { index -> Argument in
        let value = 5 + types[..<index].filter { $0 != "T" && $0 != "F" }.count
        return switch types[index] {
        case "T": true
        case "F": false
        case "f": .float(Float(words[value]) ?? .nan)
        default: .string(words[value])
        }
      }
      var kiosk = try kiosk()
      #expect(perform(Message(words[3], arguments), on: &kiosk) == [], "\(line)")
    }
  }

  @Test("The first five minutes go as they are told")
  func firstMinutes() throws {
    var kiosk = try kiosk()
    #expect(perform(Message("/session/music/playing", true), on: &kiosk) == [])
    var lines = 0
    let block = try #require(try blocks("sh").first { $0.contains("eider watch") })
    for line in block.split(separator: "\n") {
      guard let message = Self.message(of: line) else { continue }
      let isWrong = line.contains("maybe")
      #expect(perform(message, on: &kiosk).isEmpty != isWrong, "\(line)")
      lines += 1
      // What is said of the music holds.
      if line.hasPrefix("eider get"), let said = line.firstMatch(of: /\((none|silentSwitch)\)/)?.output.1 {
        let values = AddressTable.read("/session/\(line.contains("bell") ? "bell" : "music")/silence", in: kiosk)
        #expect(values.first?.arguments == [.string(String(said))], "\(line)")
      }
    }
    #expect(lines > 15)
  }

  @Test("Every other line of eider send and get is understood")
  func commands() throws {
    var lines = 0
    for span in try spans() {
      guard let message = Self.message(of: span[...]), !message.address.contains("NAME") else { continue }
      var kiosk = try kiosk()
      #expect(perform(message, on: &kiosk) == [], "\(span)")
      lines += 1
    }
    #expect(lines > 8)
  }

  /// The message of a line `eider send ADDRESS ARGS` or `eider get ADDRESS`, up to its comment.
  private static func message(of line: Substring) -> Message? {
    let words = line.prefix { $0 != "#" }.split(separator: " ").map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: "'"))
    }
    guard words.count > 2, words[0] == "eider", ["send", "get"].contains(words[1]), words[2].hasPrefix("/") else {
      return nil
    }
    return Message(words[2], words.dropFirst(3).map { Argument(word: $0) })
  }

  @Test("Every address that is named exists")
  func addresses() throws {
    let kiosk = try kiosk()
    for span in try spans() where span.hasPrefix("/session/music/") || span.hasPrefix("/host/") {
      #expect(!AddressTable.read(span, in: kiosk).isEmpty, "\(span)")
    }
  }

  @Test("Every file that is linked or named is there, and no drawing is large")
  func files() throws {
    let links = try text.get().matches(of: /\]\(([^)]+)\)/).map { String($0.output.1) }
    #expect(links.count >= 18)
    for link in links {
      let file = PackageFiles.root.appendingPathComponent(link).path
      let size = try #require(FileManager.default.attributesOfItem(atPath: file)[.size] as? Int, "\(link)")
      #expect(size < 60_000, "\(link)")
    }
    for name in ReadyMadeScript.presets { #expect(links.contains("presets/pictures/\(name).svg"), "\(name)") }
    for span in try spans() where span.hasPrefix("scripts/") || span.hasPrefix("presets/") {
      let path = String(span.prefix { $0 != " " })
      #expect(FileManager.default.fileExists(atPath: PackageFiles.root.appendingPathComponent(path).path), "\(path)")
    }
  }
}
