import SessionPolicy

/// The endpoints by which a client listens.
extension Endpoint {
  static let clients: [Endpoint] = [
    Endpoint(
      "/subscribe", .one, .act, [.text, .subscriptionPeriod, .text], usage: "[PATTERN [MILLISECONDS [URL]]]",
      "Sends every value that PATTERN matches (`*`, the default: all), then `/subscribed PATTERN COUNT`; afterwards the "
        + "latest of what changes, at most once in MILLISECONDS (1…60000, default 50), and notices as they happen. "
        + "To URL (`osc.udp://HOST:PORT/`), if given. Ends 10 s after this client's last `/subscribe` or `/renew`, by "
        + "TCP when it hangs up. `/eider/alive SECONDS` comes once a second.",
      write: { _, words throws(Refusal) in
        var wish = SubscriptionWish()
        if !words.isAtEnd { wish.pattern = try SubscriptionWish.pattern(&words) }
        if !words.isAtEnd { wish.milliseconds = Int(try words.number(.subscriptionPeriod)) }
        if !words.isAtEnd { wish.url = try words.text("a URL, osc.udp://HOST:PORT/") }
        return .request(.subscribe(wish))
      }),
    Endpoint(
      "/unsubscribe", .one, .act, [.text], usage: "[PATTERN]",
      "Ends this client's subscription of PATTERN, or all that it has.",
      write: { _, words throws(Refusal) in
        .request(.unsubscribe(pattern: words.isAtEnd ? nil : try SubscriptionWish.pattern(&words)))
      }),
    Endpoint(
      "/renew", .one, .act, [],
      "Keeps all subscriptions of this client for another 10 s. Refused with `resourceNotAvailable` where there are "
        + "none, so that the client subscribes again.",
      write: { _, _ throws(Refusal) in .request(.renew) }),
    Endpoint(
      "/eider/time", .one, .act, [],
      "Answers with the daemon's clock: the time in seconds since 1970-01-01 00:00 UTC (`d`), by which time tags are "
        + "understood, and the audio frame of that time (`h`).",
      write: { _, _ throws(Refusal) in .request(.time) }),
  ]
}

extension ValueKind {
  static let subscriptionPeriod = ValueKind.integer(SubscriptionWish.periods)
}

/// What somebody wants to be told.
public struct SubscriptionWish: Hashable, Sendable {
  /// What stands for every address.
  public static let everything = "*"
  /// The periods that can be asked for, in milliseconds.
  public static let periods = 1...60_000
  /// The longest pattern, in bytes.
  private static let longestPattern = 256

  /// An address pattern, or `everything`.
  public var pattern = Self.everything
  /// At most one value of an address in so many milliseconds.
  public var milliseconds = 50
  /// Where to, if not to whoever asks.
  public var url: String?

  public init() {}

  /// The pattern that comes next, if it can be one.
  static func pattern(_ words: inout Words) throws(Refusal) -> String {
    let expectation = "an address pattern, which begins with /, or * for everything"
    let text = try words.text(expectation)
    guard text != everything else { return text }
    guard text.hasPrefix("/") else {
      throw Refusal(.badArguments, "argument 1: expected \(expectation), got \"\(text)\"")
    }
    guard text.utf8.count <= longestPattern else {
      throw Refusal(
        .badArguments, "argument 1: expected a pattern of at most \(longestPattern) bytes, got \(text.utf8.count)")
    }
    guard AddressPattern(text).canHearAnything else {
      throw Refusal(.badAddress, "nothing can ever match the pattern \(text)")
    }
    return text
  }
}
