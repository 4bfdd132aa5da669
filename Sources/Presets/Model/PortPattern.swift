import Foundation
import _StringProcessing

/// The name of a JACK port, or a regular expression (ICU's syntax) for the names of several.
///
/// It matches a port whose name is the text itself, or as a whole fits the expression. So
/// `system:playback_1` does not match `system:playback_10`, `mpv:.*` matches every port of mpv, and
/// `Browser (2):left` means the port of just that name.
public struct PortPattern: Hashable, Sendable {
  public let text: String
  private let expression: NSRegularExpression

  /// A text that is no regular expression.
  public struct Mistake: Error, Hashable, Sendable {
    /// What is wrong with it, for people.
    public let reason: String
  }

  public init(_ text: String) throws(Mistake) {
    guard !text.isEmpty else { throw Mistake(reason: "it is empty") }
    // The text must stand on its own: in the parentheses below, `a)(b` would be balanced.
    guard (try? NSRegularExpression(pattern: text)) != nil,
      let expression = try? NSRegularExpression(pattern: "\\A(?:\(text))\\z")
    else { throw Mistake(reason: Self.reason(for: text)) }
    self.text = text
    self.expression = expression
  }

  /// Whether this is the port's name, or fits it as a whole.
  public func matches(_ portName: String) -> Bool {
    if portName == text { return true }
    let whole = NSRange(location: 0, length: portName.utf16.count)
    return expression.firstMatch(in: portName, range: whole) != nil
  }

  /// Foundation only says that an expression is wrong; the standard library's parser can say how.
  private static func reason(for text: String) -> String {
    if text.hasPrefix("*") { return "“*” repeats what stands before it, and nothing does: write “.*” for anything" }
    do {
      _ = try Regex(text)
      return "it is not written in ICU's syntax"
    } catch {
      return "\(error)"
    }
  }

  public static func == (left: PortPattern, right: PortPattern) -> Bool { left.text == right.text }

  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
