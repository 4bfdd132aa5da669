import SessionPolicy

// The lanes: levels that fill from the bottom, the duck that presses from the top, the state as a band below.
extension PlotDrawing {
  /// Draws a session's lane and returns where the next one begins.
  mutating func draw(_ session: PlotRecord.SessionTrack, y top: Double) -> Double {
    let band = top + Self.laneHeight + 2
    drawFrame(title: session.title, name: session.name, top: top)
    drawLevels(session.played.map { Self.decibels(Double($0)) }, top: top, class: "played")
    drawLevels(session.heard.map(Double.init), top: top, class: "heard")
    if session.reduction.contains(where: { $0 < 0 }) { drawReduction(session.reduction, top: top) }
    for span in session.states.spans(until: record.length) {
      guard let silence = span.value else { continue }
      let (name, color) = PlotColors.band(silence)
      drawBand(span.frames, name: name, color: color, y: band, height: Self.bandHeight)
    }
    var bottom = band + Self.bandHeight
    if session.microphone.has(true) {
      for span in session.microphone.spans(until: record.length) where span.value {
        let (name, color) = PlotColors.microphone
        drawBand(span.frames, name: name, color: color, y: bottom + 2, height: Self.bandHeight)
      }
      bottom += Self.bandHeight + 2
    }
    return bottom + 22
  }

  /// Draws a route's lane and returns where the next one begins.
  mutating func draw(_ route: PlotRecord.RouteTrack, y top: Double) -> Double {
    drawFrame(title: route.title, name: "route \(route.name)", top: top)
    drawLevels(route.peak.map { Self.decibels(Double($0)) }, top: top, class: "peak")
    let rms = route.energy.enumerated().map { column, energy in
      Self.decibels((energy / Double(record.frames(ofColumn: column))).squareRoot())
    }
    drawLevels(rms, top: top, class: "rms")
    if let limit = route.limit {
      let y = Self.y(level: limit, top: top)
      picture.line(from: (Self.left, y), to: (Self.right, y), class: "limit")
    }
    for span in route.availability.spans(until: record.length) where !span.value {
      let (start, end) = (x(span.frames.lowerBound), x(span.frames.upperBound))
      picture.rectangle(x: start, y: top, width: end - start, height: Self.laneHeight, class: "gone", tip: "not there")
      if end - start > 60 {
        let y = top + Self.laneHeight / 2 + 4
        picture.text("not there", x: (start + end) / 2, y: y, class: "unit", anchor: .middle)
      }
    }
    return top + Self.laneHeight + 26
  }

  /// The field of a lane with its names, its grid and the axis of levels.
  private mutating func drawFrame(title: String, name: String, top: Double) {
    let bottom = top + Self.laneHeight
    picture.rectangle(
      x: Self.left, y: top, width: Self.right - Self.left, height: Self.laneHeight, class: "lane")
    for time in ticks {
      let x = x(Int((time * Double(record.rate)).rounded()))
      picture.line(from: (x, top), to: (x, bottom), class: "grid")
    }
    for level in stride(from: 0, through: Self.floor, by: -20) {
      let y = Self.y(level: level, top: top)
      picture.line(from: (Self.left, y), to: (Self.right, y), class: "grid")
      let label = level == 0 ? "0 dBFS" : "−\(Int(-level))"
      picture.text(label, x: Self.left - 6, y: y + 4, class: "small", anchor: .end)
    }
    for (row, line) in Self.wrapped(title).enumerated() {
      picture.text(line, x: 24, y: top + 20 + 16 * Double(row), class: "name")
    }
    if title != name {
      let rows = Double(Self.wrapped(title).count)
      picture.text(Self.shortened(name, to: 16), x: 24, y: top + 20 + 16 * rows, class: "unit")
    }
  }

  /// A name in at most two lines that fit left of the axis.
  private static func wrapped(_ name: String) -> [String] {
    var lines: [String] = []
    for word in name.split(separator: " ").map(String.init) {
      if let last = lines.last, last.count + word.count < longestLine {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(word)
      }
    }
    let rest = lines.count > 2 ? [lines[0], lines[1...].joined(separator: " ")] : lines
    return rest.map { shortened($0, to: longestLine) }
  }

  /// The most characters of a name that fit left of the axis.
  private static let longestLine = 13

  private static func shortened(_ text: String, to count: Int) -> String {
    text.count > count ? text.prefix(count - 1) + "…" : text
  }

  /// One column for each value, in dBFS, from the bottom up.
  private mutating func drawLevels(_ levels: [Double], top: Double, class name: String) {
    let bottom = top + Self.laneHeight
    var points: [(x: Double, y: Double)] = []
    func close() {
      guard let first = points.first, let last = points.last else { return }
      picture.path([(first.x, bottom)] + points + [(last.x, bottom)], isClosed: true, class: name)
      points = []
    }
    for (column, level) in levels.enumerated() {
      guard level > Self.floor else {
        close()
        continue
      }
      let y = Self.y(level: level, top: top)
      points.append((x(column * record.step), y))
      points.append((x(min(record.length, (column + 1) * record.step)), y))
    }
    close()
  }

  /// The duck as a curve that comes down from 0 dB, with its axis on the right.
  private mutating func drawReduction(_ reduction: [Float], top: Double) {
    var points: [(x: Double, y: Double)] = [(Self.left, y(reduction: 0, top: top))]
    for (column, value) in reduction.enumerated() {
      // What was read at the end of the column.
      points.append((x(min(record.length, (column + 1) * record.step)), y(reduction: Double(value), top: top)))
    }
    picture.path([(Self.left, top)] + points + [(Self.right, top)], isClosed: true, class: "duckArea")
    picture.path(points, class: "duck")
    for step in 0...2 {
      let value = deepest * Double(step) / 2
      let y = y(reduction: -value, top: top)
      picture.text(
        value == 0 ? "0 dB" : "−\(SVGText.number(value)) dB", x: Self.right + 6, y: y + 4, class: "duckAxis")
    }
  }

  private mutating func drawBand(_ frames: Range<Int>, name: String, color: String, y: Double, height: Double) {
    let (start, end) = (x(frames.lowerBound), x(frames.upperBound))
    picture.rectangle(
      x: start, y: y, width: max(end - start, 1), height: height, class: "state", fill: color, tip: name)
    if end - start > 12 + 6.2 * Double(name.count) {
      picture.text(name, x: start + 5, y: y + height - 4, class: "band")
    }
  }
}
