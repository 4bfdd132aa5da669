import Foundation

/// A drawing of a run for people: loudness of voice and music above, the reduction below, over time.
struct MarginPlot {
  let title: String
  let run: MarginRun

  private let width = 1200.0
  private let left = 60.0
  private let right = 20.0
  private let upper = (top: 50.0, height: 330.0, range: -60.0...0.0)
  private let lower = (top: 430.0, height: 170.0, range: -30.0...0.0)

  private var seconds: Double { Double(run.reduction.count) / 100 }

  private func x(_ second: Double) -> Double { left + (width - left - right) * second / seconds }

  private func y(_ value: Double, _ panel: (top: Double, height: Double, range: ClosedRange<Double>)) -> Double {
    let range = panel.range
    let bounded = min(max(value, range.lowerBound), range.upperBound)
    return panel.top + panel.height * (range.upperBound - bounded) / (range.upperBound - range.lowerBound)
  }

  var svg: String {
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="1200" height="660" font-family="sans-serif" font-size="12">
      <rect width="1200" height="660" fill="white"/>
      <text x="60" y="24" font-size="16">\(title)</text>

      """
    text += grid(upper, step: 10, unit: "LUFS, 400 ms") + grid(lower, step: 5, unit: "reduction, dB")
    let hops = run.voice.indices.map { (Double($0) + 1) / 10 }
    text += curve(hops, run.music, upper, "#bbbbbb") + curve(hops, run.ducked, upper, "#d06000")
    text += curve(hops, run.voice, upper, "#0060c0")
    text += curve(hops, run.voice.map { $0 - Double(run.margin) }, upper, "#0060c0", dash: "3 4")
    text += curve(run.reduction.indices.map { (Double($0) + 1) / 100 }, run.reduction, lower, "#a00000")
    for second in stride(from: 0.0, through: seconds, by: 5) {
      text += "<text x=\"\(x(second))\" y=\"620\" text-anchor=\"middle\">\(Int(second)) s</text>\n"
    }
    let legend: [(name: String, color: String, x: Int)] = [
      ("voice", "#0060c0", 560), ("voice − margin (dashed)", "#0060c0", 640), ("music before", "#888888", 840),
      ("music as ducked", "#d06000", 980),
    ]
    for entry in legend {
      text += "<text x=\"\(entry.x)\" y=\"24\" fill=\"\(entry.color)\">\(entry.name)</text>\n"
    }
    return text + "</svg>\n"
  }

  private func grid(
    _ panel: (top: Double, height: Double, range: ClosedRange<Double>), step: Double, unit: String
  ) -> String {
    var text = "<text x=\"\(left)\" y=\"\(panel.top - 8)\">\(unit)</text>\n"
    for value in stride(from: panel.range.lowerBound, through: panel.range.upperBound, by: step) {
      let height = y(value, panel)
      text += "<line x1=\"\(left)\" x2=\"\(width - right)\" y1=\"\(height)\" y2=\"\(height)\" stroke=\"#e4e4e4\"/>"
      text += "<text x=\"\(left - 8)\" y=\"\(height + 4)\" text-anchor=\"end\">\(Int(value))</text>\n"
    }
    return text
  }

  private func curve(
    _ seconds: [Double], _ values: [Double], _ panel: (top: Double, height: Double, range: ClosedRange<Double>),
    _ color: String, dash: String = "none"
  ) -> String {
    let points = zip(seconds, values).map { String(format: "%.1f,%.1f", x($0), y($1, panel)) }
    return "<polyline fill=\"none\" stroke=\"\(color)\" stroke-width=\"1.3\" stroke-dasharray=\"\(dash)\" points=\""
      + points.joined(separator: " ") + "\"/>\n"
  }
}
