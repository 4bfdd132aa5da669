/// The names of clients and ports: cut at the server's limits, and unique.
public enum JACKNames {
  /// Bytes of the longest name of a client.
  public static var clientLimit: Int { Libjack.clientNameLimit }

  /// A text of at most `limit` bytes: cut, where it is longer, after a whole character (a Unicode scalar, so that the
  /// result is UTF-8 again).
  public static func cut(_ text: String, bytes limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var result = String.UnicodeScalarView()
    var room = limit
    for scalar in text.unicodeScalars {
      room -= UTF8.width(scalar)
      guard room >= 0 else { break }
      result.append(scalar)
    }
    return String(result)
  }

  /// A name of at most `limit` bytes for which `isTaken` is false: the name itself, or with `-2`, `-3` … at its end.
  public static func unique(_ name: String, bytes limit: Int, isTaken: (String) -> Bool) -> String {
    let first = cut(name, bytes: limit)
    guard isTaken(first) else { return first }
    var number = 2
    while true {
      let numbered = self.numbered(name, number, bytes: limit)
      if !isTaken(numbered) { return numbered }
      number += 1
    }
  }

  /// The name with a number at its end, of at most `limit` bytes.
  static func numbered(_ name: String, _ number: Int, bytes limit: Int) -> String {
    let end = "-\(number)"
    return cut(name, bytes: limit - end.utf8.count) + end
  }

  /// The client's part of a full port name: what stands before the first colon. A client whose own name has colons is
  /// not told so (`JACKPort.client`).
  public static func client(of port: String) -> String { String(port.prefix { $0 != ":" }) }

  /// All that can be the client's part of a full port name, the longest first: both parts may have colons.
  static func possibleClients(of port: String) -> [String] {
    port.indices.filter { port[$0] == ":" }.reversed().map { String(port[..<$0]) }
  }

  /// The ports of a session's inputs, `SESSION_in_1…n`.
  public static func sessionInputs(_ session: String, channels: Int) -> [String] {
    numbered(session + "_in_", channels)
  }

  /// The ports by which a session gets the microphone, `SESSION_mic_1…n`.
  public static func sessionMicrophones(_ session: String, channels: Int) -> [String] {
    numbered(session + "_mic_", channels)
  }

  /// The ports of an output route, `ROUTE_out_1…n`.
  public static func routeOutputs(_ route: String, channels: Int) -> [String] { numbered(route + "_out_", channels) }

  /// The ports of an input route, `INPUT_in_1…n`.
  public static func routeInputs(_ route: String, channels: Int) -> [String] { numbered(route + "_in_", channels) }

  private static func numbered(_ stem: String, _ count: Int) -> [String] { (0..<count).map { "\(stem)\($0 + 1)" } }
}
