/// The name of a JACK port, or a regular expression for the names of several.
///
/// It means a port whose name is the text itself, or as a whole fits the expression. So `system:playback_1` does not
/// mean `system:playback_10`, `mpv:.*` means every port of mpv, and `Browser (2):left` the port of just that name.
public struct PortExpression: Hashable, Sendable {
  public let text: String

  /// A text that is no regular expression.
  public struct Mistake: Error, Hashable, Sendable {
    /// What is wrong with it, for people.
    public let reason: String
  }

  /// Takes a text that compiles as `Regex` does it, which matches ports with it later.
  public init(_ text: String) throws(Mistake) {
    guard !text.isEmpty else { throw Mistake(reason: "it is empty") }
    // What people write who know shells; as an expression it would fit no port of any program.
    guard !text.hasSuffix(":*") else {
      throw Mistake(reason: "“:*” stands for colons; write “\(text.dropLast(1)).*” for every port of a program")
    }
    do {
      _ = try Regex(text)
    } catch {
      let hint = text.hasPrefix("*") ? "; write “.*” for anything" : ""
      throw Mistake(reason: "\(error)\(hint)")
    }
    self.text = text
  }
}
