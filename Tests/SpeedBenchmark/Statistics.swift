import Foundation

/// The value below which a part of some values lies, at least one of them.
func percentile(_ values: [Double], _ part: Double) -> Double {
  let sorted = values.sorted()
  return sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// A straight line through points, by least squares.
struct Line {
  /// Where it is at 0, and what one step adds.
  let fixed: Double
  let slope: Double
  /// How much of the differences it explains, at most 1.
  let determination: Double

  init(through points: [(x: Double, y: Double)]) {
    let count = Double(points.count)
    let meanX = points.map(\.x).reduce(0, +) / count
    let meanY = points.map(\.y).reduce(0, +) / count
    let squares = points.map { ($0.x - meanX) * ($0.x - meanX) }.reduce(0, +)
    slope = points.map { ($0.x - meanX) * ($0.y - meanY) }.reduce(0, +) / squares
    fixed = meanY - slope * meanX
    let (slope, fixed) = (slope, fixed)
    let missed = points.map { ($0.y - fixed - slope * $0.x) * ($0.y - fixed - slope * $0.x) }.reduce(0, +)
    let all = points.map { ($0.y - meanY) * ($0.y - meanY) }.reduce(0, +)
    determination = all > 0 ? 1 - missed / all : 1
  }
}

/// One number of each round: shown as their median, and from which to which they are.
struct Rounds {
  let values: [Double]
  init(_ values: [Double]) { self.values = values }

  var median: Double { SpeedBenchmark.median(values) }

  /// Each round's number divided by that of another in the same round.
  func ratio(to other: Rounds) -> Rounds { Rounds(zip(values, other.values).map { $0 / $1 }) }

  func text(_ digits: Int) -> String { format(median, digits) }
  func spread(_ digits: Int) -> String {
    "\(format(values.min() ?? 0, digits)) to \(format(values.max() ?? 0, digits))"
  }
}

func format(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

/// Prints a line at once, also into a file: rounds take minutes.
func say(_ line: Any) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
