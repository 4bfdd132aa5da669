import AddressSpace
import Foundation
import OfflineRenderer
import Presets
import ScriptProbe
import Scripts
import SessionPolicy
import Testing

@Suite("The ready-made presets")
struct ScriptTests {
  @Test("There are six, and each has a script that walks through it and recalls each of its scenes")
  func everyPresetHasAScript() throws {
    #expect(ReadyMadeScript.presets == ["class", "evacuation", "hotel", "kiosk", "shop", "studio"])
    for name in ReadyMadeScript.presets {
      let preset = try ReadyMadeScript.preset(name)
      #expect(preset.title?.isEmpty == false && preset.scenes.count >= 3)
      #expect(preset.routes.allSatisfy { $0.title != nil } && preset.sessions.allSatisfy { $0.title != nil })
      let texts = try ReadyMadeScript.all.filter { $0.preset == name }.map { try $0.text() }
      for scene in preset.scenes {
        let recall = try Regex("/scene/recall \(scene.name)\\s")
        #expect(texts.contains { $0.contains(recall) }, "\(name): \(scene.name)")
      }
    }
    #expect(Set(ReadyMadeScript.all.map(\.preset)) == Set(ReadyMadeScript.presets))
  }

  @Test("Every expectation holds in virtual time", arguments: ReadyMadeScript.all)
  func simulated(_ script: ReadyMadeScript) throws {
    let result = Simulation.run(try script.script(), on: try script.host())
    #expect(result.failures.map(\.description) == [])
    #expect(result.refusals == [])
    #expect(result.passed >= 4)
  }

  @Test("Every expectation holds where there is sound, or could be", arguments: ReadyMadeScript.all)
  func rendered(_ script: ReadyMadeScript) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ready-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var request = RenderRequest(preset: try ReadyMadeScript.preset(script.preset), script: try script.script())
    // There is no sound that could differ.
    request.rate = 8000
    // What nobody owns is there at the start, as in virtual time.
    request.outputs = PolicyState(preset: request.preset).outputRoutes.filter { !$0.isPersonal }.map {
      RenderRequest.Binding(name: $0.name, path: folder.appendingPathComponent("\($0.name).wav").path)
    }
    let report = try Rendering(request, version: "test").run()
    #expect(report.judge.failures.map(\.description) == [])
    #expect(report.judge.refusals == [])
    #expect(report.judge.passed >= 4)
  }

  /// What cannot fail proves nothing: each expectation is turned into a false one, and must be found to be so.
  @Test("Every expectation can fail", arguments: ReadyMadeScript.all)
  func everyExpectationCanFail(of script: ReadyMadeScript) throws {
    let contradiction = try Contradiction(of: script.text(), name: script.name)
    #expect(try contradiction.failures(on: script.host()) == contradiction.expectations)
  }
}
