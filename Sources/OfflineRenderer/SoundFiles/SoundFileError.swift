/// What is wrong with a sound file, for people.
public struct SoundFileError: Error, Hashable, CustomStringConvertible {
  public let path: String
  public let problem: String

  public var description: String { "\(path): \(problem)" }
}
