import AddressSpace
import Foundation
import Testing

@testable import Presets

/// What becomes of the text of a preset when a scene is stored into it.
@Suite struct SceneWriterTests {
  private func scene(_ name: String, fade: Double = 0, _ messages: Message...) -> Scene {
    Scene(name: name, fade: fade, messages: messages)
  }

  private func stored(_ scene: Scene, into text: String) throws -> String {
    try SceneWriter.text(SourceText(text, file: "test.json5"), with: scene)
  }

  private static let text = """
    // A preset.
    {
      eider: 1, /* one */ sessions: [{ name: 'music' }, { name: "guide" }],
      scenes: [
        // by day
        { name: "day", fade: 1.50, set: { "/session/music/volume": .80 /* loud */, "/session/music/mute": false } }, // !
        {
          name: 'night', // by night
          set: {
            "/session/*/volume": 0.25, // all of them
            '/session/guide/mute': false,
          },
        },
      ], // that is all
      start: { scene: "day" },
    }

    """

  @Test func `only the values that have changed are other than before`() throws {
    let text = try stored(
      scene("day", Message("/session/music/volume", .float(0.8)), Message("/session/music/mute", true)), into: Self.text
    )
    #expect(text == Self.text.replacing("\"/session/music/mute\": false }", with: "\"/session/music/mute\": true }"))
    let louder = try stored(
      scene("day", Message("/session/music/volume", .float(0.3)), Message("/session/music/mute", false)),
      into: Self.text)
    #expect(louder == Self.text.replacing(".80 /* loud */", with: "0.3 /* loud */"))
  }

  @Test func `a pattern whose matches differ becomes a line for each`() throws {
    let text = try stored(
      scene(
        "night", Message("/session/music/volume", .float(0.5)), Message("/session/guide/volume", 1),
        Message("/session/guide/mute", true)), into: Self.text)
    #expect(
      text
        == Self.text.replacing(
          "\"/session/*/volume\": 0.25, // all",
          with: "\"/session/music/volume\": 0.5,\n        \"/session/guide/volume\": 1, // all"
        ).replacing("guide/mute': false", with: "guide/mute': true"))
  }

  @Test func `a new scene comes behind the others, and comments stay where they were`() throws {
    let new = scene(
      "dusk", fade: 2, Message("/session/music/volume", .float(0.5)), Message("/session/music/routes", "none"))
    let text = try stored(new, into: Self.text)
    #expect(
      text
        == Self.text.replacing(
          "    },\n  ], // that",
          with: """
                },
                {
                  name: "dusk",
                  fade: 2,
                  set: {
                    "/session/music/volume": 0.5,
                    "/session/music/routes": "none",
                  },
                },
              ], // that
            """))
  }

  @Test(
    "Wherever the first scenes go, the preset is still one",
    arguments: [
      "{ eider: 1, sessions: [{ name: 'music' }] }", "{eider:1,sessions:[{name:'music'}],scenes:[]}",
      "{ eider: 1, sessions: [{ name: 'music' }], scenes: [{ name: 'a' }] }",
      "{ eider: 1, sessions: [{ name: 'music' }], scenes: [{ name: 'a', }, ], }",
      "{ eider: 1, sessions: [{ name: 'music' }], scenes: [ // none\n ] /* yet */ } // end",
      "{ scenes: [\n  { name: 'a' } // last\n  ],\n  sessions: [{ name: 'music' }], eider: 1 // one\n}",
      "{ eider: 1, sessions: [{ name: 'music' }], scenes: [{ name: 'dusk' }] }",
      "{ eider: 1, sessions: [{ name: 'music' }], scenes: [{ name: 'dusk', set: {} }] }",
      "{ eider: 1,\r\n  sessions: [{ name: 'music' }], scenes: [{ name: 'dusk', set: { '/session/music/volume': 1 } }] }",
    ])
  func anywhere(text: String) throws {
    let new = scene("dusk", Message("/session/music/volume", .float(0.5)), Message("/session/music/mute", true))
    let written = try stored(new, into: text)
    let preset = try read(written)
    let before = try read(text)
    #expect(preset.scenes.last?.set.map(\.description) == new.messages.map(\.description))
    #expect(preset.scenes.map(\.name) == before.scenes.map(\.name).filter { $0 != "dusk" } + ["dusk"])
    var rest = preset
    rest.scenes = before.scenes
    #expect(rest == before)
    // Every comment is still there.
    for comment in ["// none", "/* yet */", "// end", "// last", "// one"] where text.contains(comment) {
      #expect(written.contains(comment))
    }
    #expect(try stored(new, into: written) == written)
  }

  @Test(arguments: [
    "{ name: 'a' }, // about a", "{ name: 'a' } /* about a */, // too", "{ name: 'a', }, /* about a */",
  ])
  func `a comment stays with the scene that it is about`(line: String) throws {
    let text = "{ eider: 1, scenes: [\n  \(line)\n] }"
    let written = try stored(scene("b"), into: text)
    #expect(written.split(separator: "\n").dropFirst().first == "  \(line)")
    #expect(try read(written).scenes.map(\.name) == ["a", "b"])
  }

  @Test func `a preset with mistakes is not written`() {
    #expect(throws: PresetMistakes.self) { try stored(scene("a"), into: "{ eider: 1, scenes: [{ nam: 'a' }] }") }
  }

  @Test func `a file is replaced whole, with its permissions, through a link`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("atomic-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, link) = (folder.appendingPathComponent("file"), folder.appendingPathComponent("link"))
    try "old".write(to: file, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    // Whoever has the old file open goes on reading the old text.
    let reader = try FileHandle(forReadingFrom: file)
    try AtomicFile.write("new", to: link.path)
    #expect(try reader.readToEnd() == Data("old".utf8))
    #expect(try String(contentsOf: file, encoding: .utf8) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["file", "link"])
    let error = #expect(throws: FileError.self) { try AtomicFile.write("x", to: folder.path + "/none/file") }
    #expect(error?.description.contains("No such file or directory") == true)
  }
}
