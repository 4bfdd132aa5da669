/// Why something was refused: a code for programs and a sentence for people.
///
/// The codes are those of the address space; each refused message is answered with one.
public struct Refusal: Error, Hashable, Sendable {
  public enum Code: String, CaseIterable, Sendable {
    case badAddress, badArguments, outOfRange, badName, nameTaken, noSuchSession, noSuchRoute, noSuchScene
    case incompatibleCategory, cannotInterruptOthers, cannotStartPlaying, cannotStartRecording
    case insufficientPriority, resourceNotAvailable, tooMany, forbidden, ioError
  }

  public let code: Code
  /// What was refused, what was expected and what came.
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
