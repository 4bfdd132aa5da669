import Foundation

/// Writes an SVG drawing, element by element. Lengths are pixels at the natural size.
struct SVGText {
  private var body = ""

  /// Where a text stands from its point.
  enum Anchor: String { case start, middle, end }

  /// The whole drawing.
  func document(width: Double, height: Double, style: String) -> String {
    let (width, height) = (Self.number(width), Self.number(height))
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
      <style>\(style)</style>
      <rect width="\(width)" height="\(height)" fill="#ffffff"/>
      \(body)</svg>

      """
  }

  /// - Parameter tip: what is shown where the pointer rests.
  mutating func rectangle(
    x: Double, y: Double, width: Double, height: Double, class name: String, fill: String? = nil, tip: String? = nil
  ) {
    let place = "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
    let size = "width=\"\(Self.number(max(width, 0)))\" height=\"\(Self.number(max(height, 0)))\""
    let fill = fill.map { " fill=\"\($0)\"" } ?? ""
    let inner = tip.map { "><title>\(Self.escaped($0))</title></rect>" } ?? "/>"
    body += "<rect class=\"\(name)\" \(place) \(size)\(fill)\(inner)\n"
  }

  mutating func line(from: (x: Double, y: Double), to: (x: Double, y: Double), class name: String) {
    let start = "x1=\"\(Self.number(from.x))\" y1=\"\(Self.number(from.y))\""
    body += "<line class=\"\(name)\" \(start) x2=\"\(Self.number(to.x))\" y2=\"\(Self.number(to.y))\"/>\n"
  }

  mutating func text(_ text: String, x: Double, y: Double, class name: String, anchor: Anchor = .start) {
    let place = "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" text-anchor=\"\(anchor.rawValue)\""
    body += "<text class=\"\(name)\" \(place)>\(Self.escaped(text))</text>\n"
  }

  /// Straight lines through points, to a tenth of a pixel. There are many of them, so each is told by how far it is from
  /// the one before.
  mutating func path(_ points: [(x: Double, y: Double)], isClosed: Bool = false, class name: String) {
    let places = points.map { (x: Int(($0.x * 10).rounded()), y: Int(($0.y * 10).rounded())) }
    guard let first = places.first else { return }
    var words = "M\(Self.tenths(first.x)) \(Self.tenths(first.y))"
    var (last, ahead) = (first, 0)
    for place in places.dropFirst() {
      let (x, y) = (place.x - last.x, place.y - last.y)
      last = place
      if y == 0 {
        ahead += x
        continue
      }
      if ahead != 0 { words += "h\(Self.tenths(ahead))" }
      ahead = 0
      words += x == 0 ? "v\(Self.tenths(y))" : "l\(Self.tenths(x))\(y < 0 ? "" : " ")\(Self.tenths(y))"
    }
    if ahead != 0 { words += "h\(Self.tenths(ahead))" }
    body += "<path class=\"\(name)\" d=\"\(words)\(isClosed ? "Z" : "")\"/>\n"
  }

  /// So many tenths, as short as SVG understands it.
  private static func tenths(_ value: Int) -> String {
    guard value % 10 != 0 else { return "\(value / 10)" }
    let whole = abs(value) / 10
    return "\(value < 0 ? "-" : "")\(whole == 0 ? "" : "\(whole)").\(abs(value) % 10)"
  }

  /// With at most two decimals.
  static func number(_ value: Double) -> String {
    let text = String(format: "%.2f", value)
    return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // XML knows no other control characters.
      case _ where scalar.value < 0x20 && scalar != "\t": result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
