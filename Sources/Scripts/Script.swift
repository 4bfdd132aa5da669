import AddressSpace

/// A timeline of messages and of what is expected of them: for policy tests, offline rendering and live replay.
public struct Script: Sendable {
  /// How the script is called in complaints.
  public let name: String
  public let steps: [Step]

  /// One line, or one bundle of lines.
  public struct Step: Sendable {
    /// Seconds.
    public let time: Double
    /// From 1; of a bundle, that of its brace.
    public let line: Int
    public let action: Action
  }

  public enum Action: Sendable {
    /// Messages that are one event: one, or those of a bundle.
    case send([Sending])
    /// `?`: reads and compares.
    case read(address: String, expected: [Word])
    /// `<`: a notice with exactly these arguments was sent since the last sending line.
    case notice(address: String, expected: [Word])
    /// `<!`: no notice with this address was.
    case noNotice(address: String)
  }

  /// A message that is sent.
  public struct Sending: Sendable {
    public let message: Message
    /// The message as it stands in the script.
    public let text: String
    public let line: Int
    /// `!`: the code of the error that it is expected to be refused with.
    public let expectedError: String?
  }

  /// A word of a line, with the value that it stands for.
  public struct Word: Hashable, Sendable {
    public let text: String
    public let value: Argument
  }
}

/// Why a script cannot be read.
public struct ScriptError: Error, CustomStringConvertible {
  public let script: String
  public let line: Int
  public let problem: String

  public var description: String { "\(script):\(line): error: \(problem)" }
}
