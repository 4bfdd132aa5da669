import Foundation
import SessionPolicy

/// Draws what was recorded of a rendering, one lane under the other: sessions, routes, time, the lines of the script.
struct PlotDrawing {
  let record: PlotRecord
  /// The deepest reduction that the axis on the right reaches, dB.
  let deepest: Double
  var picture = SVGText()
  private var height = 0.0

  static let width = 1200.0
  static let left = 152.0
  static let right = 1136.0
  static let laneHeight = 84.0
  static let bandHeight = 15.0
  /// What is at the bottom of a lane, dBFS.
  static let floor = -60.0

  var svg: String { picture.document(width: Self.width, height: height, style: PlotColors.style) }

  init(_ record: PlotRecord) {
    self.record = record
    let reduction = record.sessions.flatMap(\.reduction).min() ?? 0
    deepest = [12, 24, 36, 60].first { $0 >= -Double(reduction) } ?? 60
    picture.text(record.title, x: 24, y: 34, class: "title")
    picture.text(record.subtitle, x: 24, y: 54, class: "subtitle")
    let top = drawLegend(y: 80) + 30
    var y = top + 8
    for session in record.sessions where session.wasOpen { y = draw(session, y: y) }
    for route in record.routes { y = draw(route, y: y) }
    drawMarks(flags: top - 16, bottom: y - 14)
    y = drawTime(y: y - 8)
    height = drawScript(y: y + 40) + 24
  }

  // MARK: Places

  func x(_ frame: Int) -> Double {
    Self.left + (Self.right - Self.left) * Double(frame) / Double(max(1, record.length))
  }

  /// Where a level stands in a lane that begins at `top`.
  static func y(level: Double, top: Double) -> Double {
    top + laneHeight * min(1, max(0, level / floor))
  }

  func y(reduction: Double, top: Double) -> Double {
    top + Self.laneHeight * min(1, max(0, -reduction / deepest))
  }

  static func decibels(_ amplitude: Double) -> Double { amplitude > 0 ? 20 * log10(amplitude) : -120 }

  // MARK: Around the lanes

  /// Says what the colours mean. Returns where it ends.
  private mutating func drawLegend(y top: Double) -> Double {
    var (x, y) = (24.0, top)
    func width(_ name: String) -> Double { 30 + 6.0 * Double(name.count) }
    func place(_ name: String) -> (x: Double, y: Double) {
      if x + width(name) > Self.right {
        (x, y) = (24, y + 18)
      }
      defer { x += width(name) }
      return (x, y)
    }
    let areas = [
      ("what the program plays (peak)", "played"), ("what is heard of it (peak)", "heard"),
      ("route: peak", "peak"), ("route: RMS", "rms"),
    ]
    for (name, style) in areas {
      let (x, y) = place(name)
      picture.rectangle(x: x, y: y - 9, width: 14, height: 10, class: style)
      picture.text(name, x: x + 19, y: y, class: "legend")
    }
    let lines = [
      ("turned down for others (dB, right)", "duck"), ("ceiling of the limiter", "limit"),
      ("line of the script", "mark"),
    ]
    for (name, style) in lines where style != "limit" || record.routes.contains(where: { $0.limit != nil }) {
      let (x, y) = place(name)
      picture.line(from: (x, y - 4), to: (x + 14, y - 4), class: style)
      picture.text(name, x: x + 19, y: y, class: "legend")
    }
    (x, y) = (24, y + 18)
    var bands = Silence.allCases.filter { silence in record.sessions.contains { $0.states.has(silence) } }
    // What one looks for first.
    if bands.last == Silence.none { bands.insert(bands.removeLast(), at: 0) }
    var named = bands.map(PlotColors.band)
    if record.sessions.contains(where: { $0.microphone.has(true) }) { named.append(PlotColors.microphone) }
    for (name, color) in named {
      let (x, y) = place(name)
      picture.rectangle(x: x, y: y - 9, width: 14, height: 10, class: "swatch", fill: color)
      picture.text(name, x: x + 19, y: y, class: "legend")
    }
    return y
  }

  /// A flag with a number over all lanes for each line of the script; those close together share one.
  private mutating func drawMarks(flags: Double, bottom: Double) {
    var groups: [(first: Int, last: Int, x: Double)] = []
    for (index, mark) in record.marks.enumerated() {
      let x = x(mark.frame)
      picture.line(from: (x, flags + 14), to: (x, bottom), class: "mark")
      if let group = groups.last, x - group.x < 44 {
        groups[groups.count - 1].last = index
      } else {
        groups.append((index, index, x))
      }
    }
    for group in groups {
      let label = group.first == group.last ? "\(group.first + 1)" : "\(group.first + 1)–\(group.last + 1)"
      let width = 8 + 6.6 * Double(label.count)
      let tip = record.marks[group.first...group.last].map(describe).joined(separator: "\n")
      picture.rectangle(x: group.x, y: flags, width: width, height: 14, class: "flag", tip: tip)
      picture.text(label, x: group.x + 4, y: flags + 11, class: "flagText")
    }
  }

  private func describe(_ mark: PlotRecord.Mark) -> String { "\(seconds(mark.frame)) s  \(mark.text)" }

  private func seconds(_ frame: Int) -> String { String(format: "%.3f", Double(frame) / Double(record.rate)) }

  /// Seconds between two ticks: 1, 2 or 5 of a power of ten, or whole minutes of long renderings.
  var tick: Double {
    let length = Double(max(record.length, 1)) / Double(record.rate)
    for step in [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600]
    where length / step <= 14 { return step }
    return length / 10
  }

  /// The places of the ticks, in seconds.
  var ticks: [Double] {
    let length = Double(record.length) / Double(record.rate)
    return (0...Int(length / tick + 1e-9)).map { Double($0) * tick }
  }

  private mutating func drawTime(y: Double) -> Double {
    picture.line(from: (Self.left, y), to: (Self.right, y), class: "axis")
    let digits = tick >= 1 ? 0 : max(1, Int((-log10(tick)).rounded(.up)))
    for time in ticks {
      let x = x(Int((time * Double(record.rate)).rounded()))
      picture.line(from: (x, y), to: (x, y + 5), class: "axis")
      picture.text(String(format: "%.\(digits)f", time), x: x, y: y + 17, class: "tick", anchor: .middle)
    }
    picture.text("time in seconds", x: (Self.left + Self.right) / 2, y: y + 33, class: "unit", anchor: .middle)
    return y + 33
  }

  /// The lines of the script that the flags stand for, in two columns. Returns where they end.
  private mutating func drawScript(y: Double) -> Double {
    guard !record.marks.isEmpty else { return y - 20 }
    let most = 120
    picture.text("Lines of the script", x: 24, y: y, class: "name")
    let shown = record.marks.prefix(most)
    let rows = shown.count > 8 ? (shown.count + 1) / 2 : shown.count
    for (index, mark) in shown.enumerated() {
      let (column, row) = (index / rows, index % rows)
      let room = rows == shown.count ? 150 : 62
      let x = 24 + 590 * Double(column)
      let y = y + 20 + 16 * Double(row)
      picture.text("\(index + 1)", x: x + 22, y: y, class: "mono", anchor: .end)
      picture.text("\(seconds(mark.frame)) s", x: x + 92, y: y, class: "mono", anchor: .end)
      let text = mark.text.count > room ? mark.text.prefix(room - 1) + "…" : mark.text[...]
      picture.text(String(text), x: x + 104, y: y, class: "mono")
    }
    var end = y + 20 + 16 * Double(rows)
    if record.marks.count > most {
      picture.text("… and \(record.marks.count - most) more", x: 24, y: end, class: "unit")
      end += 16
    }
    return end
  }
}
