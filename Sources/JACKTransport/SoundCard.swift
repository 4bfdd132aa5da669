/// A sound card as ALSA lists it.
public struct SoundCard: Hashable, Sendable {
  /// ALSA's word for the card, as `PCH`.
  public var id: String
  /// What it is called, as `HDA Intel PCH`.
  public var title: String
  /// The number of its first device that plays.
  public var device: Int
  /// Whether that device also records.
  public var records: Bool
  /// Whether it hangs on USB, where the driver needs three periods.
  public var isUSB: Bool

  public init(id: String, title: String, device: Int, records: Bool, isUSB: Bool) {
    self.id = id
    self.title = title
    self.device = device
    self.records = records
    self.isUSB = isUSB
  }

  /// The first card of this machine that can play, nil if there is none.
  public static func first() -> SoundCard? {
    first(cards: System.text(ofFile: "/proc/asound/cards"), devices: System.text(ofFile: "/proc/asound/pcm"))
  }

  /// The first card that can play, by the texts of `/proc/asound/cards` and `/proc/asound/pcm`.
  static func first(cards: String, devices: String) -> SoundCard? {
    // “00-03: HDMI 0 : HDMI 0 : playback 1”, in the order of cards and their devices.
    for line in devices.split(separator: "\n") where line.contains(": playback") {
      let numbers = line.prefix { $0 != ":" }.split(separator: "-").compactMap { Int($0) }
      guard numbers.count == 2, let card = named(numbers[0], in: cards) else { continue }
      return SoundCard(
        id: card.id, title: card.title, device: numbers[1], records: line.contains(": capture"), isUSB: card.isUSB)
    }
    return nil
  }

  /// Of “ 0 [PCH            ]: HDA-Intel - HDA Intel PCH” the parts, for the card of a number.
  private static func named(_ number: Int, in cards: String) -> (id: String, title: String, isUSB: Bool)? {
    for line in cards.split(separator: "\n") {
      guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"), open < close,
        Int(trimmed(line[..<open])) == number
      else { continue }
      let rest = line[close...].dropFirst(2)
      let title = rest.firstRange(of: " - ").map { rest[$0.upperBound...] } ?? rest
      return (trimmed(line[line.index(after: open)..<close]), trimmed(title), rest.contains("USB-Audio"))
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
