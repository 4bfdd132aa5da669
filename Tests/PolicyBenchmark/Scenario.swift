import AddressSpace

/// Two events that undo one another.
struct Scenario {
  let name: String
  let there: [Message]
  let back: [Message]

  init(_ name: String, _ there: Message..., back: Message...) {
    self.name = name
    self.there = there
    self.back = back
  }
}

private func session(_ number: Int, _ attribute: String, _ arguments: Argument...) -> Message {
  Message("/session/\(Crowd.name(number))/\(attribute)", arguments)
}

extension Scenario {
  /// Events that concern a session or a few, on a host with so many sessions.
  static func single(sessions count: Int) -> [Scenario] {
    let last = count - 8  // An exclusive one, opened late.
    return [
      Scenario("a volume", session(count / 2, "volume", 0.25), back: session(count / 2, "volume", 0.5)),
      Scenario("a mute", session(count / 2, "mute", true), back: session(count / 2, "mute", false)),
      Scenario("play and pause of one that mixes", session(5, "playing", false), back: session(5, "playing", true)),
      Scenario("play and pause of a ducker", session(10, "playing", false), back: session(10, "playing", true)),
      Scenario(
        "the floor is taken and given back", session(last, "playing", true),
        back: session(last, "active", false, "notifyOthers")),
      Scenario(
        "exclusive and mixable in turn", session(5, "options", .string("none")),
        back: session(5, "options", "mixWithOthers")),
      Scenario("the background", session(1, "foreground", false), back: session(1, "foreground", true)),
      Scenario("a hold", session(4, "interruption", "begin", "desk"), back: session(4, "interruption", "end", "desk")),
      Scenario("a remote command", Message("/host/remote", "pause"), back: Message("/host/remote", "play")),
      Scenario("the silent switch", Message("/host/silent", true), back: Message("/host/silent", false)),
      Scenario("the buttons", Message("/host/volumeDown"), back: Message("/host/volumeUp")),
      Scenario("a choice of route", Message("/host/route", "line"), back: Message("/host/route", "headphones")),
      Scenario("a refused message", session(7, "priority", 1000), back: session(7, "category", "banana")),
      Scenario(
        "open and close", Message("/session/open", "guest", "ambient"), back: Message("/session/close", "guest")),
    ]
  }

  /// Events that concern every session: what they cost grows with what they change and tell.
  static let everybody = [
    Scenario(
      "the cover, with a tenth at a microphone", Message("/host/cover", "closed"), back: Message("/host/cover", "open"),
      Message("/session/*/playing", true)),
    Scenario(
      "a host interruption of all", Message("/host/interruption", "begin", "fire"),
      back: Message("/host/interruption", "end", "fire", "resumable")),
  ]
}
