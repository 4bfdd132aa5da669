import AddressSpace
import Conductor
import Dispatch
import Foundation
import Presets
import Synchronization

/// Reads and writes files beside the control thread, which waits for no disk. What has come of it is taken by `take`.
final class Scribe: Sendable {
  /// What has come of a job.
  enum News: Sendable {
    case sceneStored(String)
    case sceneNotStored(reader: ReaderID, reason: String)
    case stateNotWritten(reason: String)
    /// The preset file as it is now.
    case presetRead(Preset, text: String)
    /// It cannot be used: one line for each mistake, and all of it for people.
    case presetRefused(mistakes: [String], description: String, text: String)
    /// What was to be read again for the asking has been.
    case reloadEnded
  }

  private let queue = DispatchQueue(label: "eider.files")
  private let news = Mutex<[News]>([])
  /// The newest state that is not yet being written.
  private let nextState = Mutex<Memory?>(nil)

  /// Takes what has come of jobs since the last time, in their order.
  func take() -> [News] {
    news.withLock { list in
      defer { list.removeAll() }
      return list
    }
  }

  private func tell(_ item: News) { news.withLock { $0.append(item) } }

  /// Tells something once all that was asked for before is done.
  func note(_ item: News) { queue.async { [self] in tell(item) } }

  /// Waits until all is done.
  func finish() { queue.sync {} }

  /// Writes a scene into a preset file.
  func store(_ scene: Scene, in path: String, for reader: ReaderID) {
    queue.async { [self] in
      do {
        let text = try SceneWriter.text(SourceText(contentsOf: path), with: scene)
        try AtomicFile.write(text, to: path)
        tell(.sceneStored(scene.name))
      } catch {
        let reason = (error as? PresetMistakes).map { "\(path) has mistakes: \($0.diagnostics[0].message)" }
        tell(.sceneNotStored(reader: reader, reason: reason ?? "\(error)"))
      }
    }
  }

  /// Writes the state; of several in a row only the last.
  func writeState(_ memory: Memory, to path: String) {
    nextState.withLock { $0 = memory }
    queue.async { [self] in
      let memory = nextState.withLock { next in
        defer { next = nil }
        return next
      }
      guard let memory else { return }
      do {
        try StateFile.write(memory.text, to: path)
      } catch {
        tell(.stateNotWritten(reason: "\(error)"))
      }
    }
  }

  /// Reads a preset file.
  func readPreset(_ path: String) {
    queue.async { [self] in
      do {
        let source = try SourceText(contentsOf: path)
        let text = source.text(in: 0..<source.scalars.count)
        do throws(PresetMistakes) {
          tell(.presetRead(try Preset(source), text: text))
        } catch {
          tell(.presetRefused(mistakes: error.lines, description: "\(error)", text: text))
        }
      } catch let error as PresetMistakes {
        tell(.presetRefused(mistakes: error.lines, description: "\(error)", text: ""))
      } catch {
        tell(.presetRefused(mistakes: ["\(error)"], description: "\(error)", text: ""))
      }
    }
  }
}

extension PresetMistakes {
  /// Each mistake in one line.
  fileprivate var lines: [String] {
    diagnostics.map { mistake in
      let path = mistake.path.isEmpty ? "" : "\(mistake.path): "
      return "\(mistake.line):\(mistake.column): \(path)\(mistake.message)"
    }
  }
}
