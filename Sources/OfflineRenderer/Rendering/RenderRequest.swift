import Presets
import Scripts

/// What is to be rendered.
public struct RenderRequest: Sendable {
  /// A sound file for a name on the command line, `NAME=FILE`.
  public struct Binding: Hashable, Sendable {
    public let name: String
    public let path: String

    public init(name: String, path: String) {
      self.name = name
      self.path = path
    }
  }

  public var preset: Preset
  public var script: Script
  /// What sessions play and input routes hear.
  public var inputs: [Binding] = []
  /// Where the sound of output routes goes.
  public var outputs: [Binding] = []
  /// The directory for each session's part of each route, and of the microphone; `nil`: nobody wants them.
  public var stems: String?
  /// Frames per second; `nil`: that of the inputs, or 48000 where there is none.
  public var rate: Int?
  /// The longest cycle in frames, 1…8192.
  public var period = 1024
  /// Whether the courses of levels, ducks and states are drawn.
  public var isPlotted = false

  public init(preset: Preset, script: Script) {
    self.preset = preset
    self.script = script
  }
}

/// Why something cannot be rendered, for people.
public struct RenderError: Error, Hashable, CustomStringConvertible {
  public let description: String
  init(_ description: String) { self.description = description }
}

/// What came of a rendering.
public struct RenderReport: Sendable {
  /// The expectations of the script.
  public let judge: ScriptJudge
  /// What went wrong on the way, for people; the files are written nevertheless.
  public let warnings: [String]
  /// How long it is.
  public let frames: Int
  public let rate: Int
  /// The drawing, where it was asked for.
  public let plot: String?
}
