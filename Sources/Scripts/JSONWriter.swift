/// Writes JSON text from left to right: `, ` between items, `: ` after keys. Keys come in the order given.
struct JSONWriter {
  private var bytes: [UInt8] = []
  /// Whether nothing stands before the next item that would have to be separated from it.
  private var isFirst = true

  init() { bytes.reserveCapacity(1 << 12) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func object(_ members: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    members(&self)
    close(UInt8(ascii: "}"))
  }

  mutating func array(_ items: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "["))
    items(&self)
    close(UInt8(ascii: "]"))
  }

  mutating func array(_ items: [String]) {
    array { for item in items { $0.value(item) } }
  }

  /// The key of the value that comes next.
  mutating func key(_ key: String) {
    value(key)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(UInt8(ascii: " "))
    isFirst = true
  }

  mutating func member(_ key: String, _ text: String) {
    self.key(key)
    value(text)
  }

  mutating func member(_ key: String, _ value: Bool) {
    self.key(key)
    self.value(value)
  }

  mutating func member(_ key: String, _ number: Double) {
    self.key(key)
    value(number)
  }

  mutating func value(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case UInt8(ascii: "\n"): bytes += Array(#"\n"#.utf8)
      case UInt8(ascii: "\r"): bytes += Array(#"\r"#.utf8)
      case UInt8(ascii: "\t"): bytes += Array(#"\t"#.utf8)
      case 0..<0x20: bytes += Array((byte < 0x10 ? #"\u000"# : #"\u00"#).utf8) + Array(String(byte, radix: 16).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func value(_ value: Bool) { literal(value ? "true" : "false") }

  /// Rounded to six decimals.
  mutating func value(_ number: Double) {
    let rounded = (number * 1e6).rounded() / 1e6
    let isWhole = rounded == rounded.rounded() && abs(rounded) < 1e15
    literal(isWhole ? String(Int64(rounded)) : String(rounded))
  }

  mutating func null() { literal("null") }

  private mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func separate() {
    if !isFirst {
      bytes.append(UInt8(ascii: ","))
      bytes.append(UInt8(ascii: " "))
    }
    isFirst = false
  }

  private mutating func open(_ brace: UInt8) {
    separate()
    bytes.append(brace)
    isFirst = true
  }

  private mutating func close(_ brace: UInt8) {
    bytes.append(brace)
    isFirst = false
  }
}
