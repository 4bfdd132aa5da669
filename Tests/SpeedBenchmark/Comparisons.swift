/// One row of the table.
func row(_ what: String, _ own: String, _ other: String, _ ratio: String, _ spread: String, _ limit: String) -> String {
  "| \(what) | \(own) | \(other) | \(ratio) | \(spread) | \(limit) |"
}

/// The line of least cost over sizes, from the least disturbed slices.
func line(_ costs: [Int: [Double]]) -> Line {
  Line(through: costs.sorted { $0.key < $1.key }.map { (x: Double($0.key), y: percentile($0.value, 0.1)) })
}

/// What one more stereo strip costs, and what there is to pay without any, beside the others.
func compareStrips(in field: Field, rounds: Int) throws -> [String] {
  let sizes = [8, 32, 64, 128]
  var lines: [Contestant: [Line]] = [:]
  say(
    "CPU of the audio thread in a cycle, µs: least disturbed slices (10th percentile), of the rounds \(1)…\(rounds)")
  for round in 1...rounds {
    var costs: [Contestant: [Int: [Double]]] = [:]
    for size in sizes {
      // Each round begins with another one.
      let order = Contestant.allCases.indices.map { Contestant.allCases[($0 + round) % Contestant.allCases.count] }
      for contestant in order {
        costs[contestant, default: [:]][size] = try field.measurePatiently(contestant, strips: size, slices: 5)
      }
    }
    for contestant in Contestant.allCases {
      guard let own = costs[contestant] else { continue }
      let line = line(own)
      lines[contestant, default: []].append(line)
      let least = sizes.map { "\($0): \(format(percentile(own[$0] ?? [0], 0.1) / 1000, 1))" }.joined(separator: "  ")
      say(
        "round \(round)  \(contestant.rawValue): \(least); one more strip \(format(line.slope, 0)) ns, "
          + "fixed \(format(line.fixed / 1000, 1)) µs, r² \(format(line.determination, 3))")
    }
  }
  func slope(_ contestant: Contestant) -> Rounds { Rounds((lines[contestant] ?? []).map(\.slope)) }
  func fixed(_ contestant: Contestant) -> Rounds { Rounds((lines[contestant] ?? []).map { $0.fixed / 1000 }) }
  func compare(_ other: Contestant, _ limit: String) -> String {
    let ratio = slope(.eider).ratio(to: slope(other))
    return row(
      "one more stereo strip, beside \(other.rawValue)", slope(.eider).text(0) + " ns", slope(other).text(0) + " ns",
      ratio.text(2), ratio.spread(2), limit)
  }
  let ratio = fixed(.eider).ratio(to: fixed(.touch))
  return [
    compare(.mixBox, "0.10"), compare(.scsynth, "0.50"), compare(.sum, "1.50"),
    compare(.touch, "–"),
    row(
      "a cycle without strips, beside \(Contestant.touch.rawValue)", fixed(.eider).text(1) + " µs",
      fixed(.touch).text(1) + " µs", ratio.text(2), ratio.spread(2), "1.20"),
  ]
}

/// What sessions cost that do nothing, and how the cost grows from 1 session to 300.
func measureIdle(in field: Field, rounds: Int) throws -> [String] {
  let sizes = [1, 75, 150, 225, 300]
  var shares: [Double] = []
  var lines: [Line] = []
  for round in 1...rounds {
    let few = percentile(try field.measurePatiently(.eider, strips: 1, sounding: 0, slices: 5), 0.1)
    let many = percentile(try field.measurePatiently(.eider, strips: 500, sounding: 0, slices: 5), 0.1)
    shares.append((many - few) / Field.cycle * 100)
    say(
      "round \(round)  1 idle session \(format(few / 1000, 2)) µs, 500 idle sessions \(format(many / 1000, 2)) µs: "
        + "\(format(shares[round - 1], 2)) % of a period more")
    var costs: [Int: [Double]] = [:]
    for size in sizes { costs[size] = try field.measurePatiently(.eider, strips: size, slices: 5) }
    let line = line(costs)
    lines.append(line)
    let least = sizes.map { "\($0): \(format(percentile(costs[$0] ?? [0], 0.1) / 1000, 1))" }.joined(separator: "  ")
    say(
      "round \(round)  sessions that sound, µs: \(least); one more \(format(line.slope, 0)) ns, "
        + "r² \(format(line.determination, 3))")
  }
  let (share, slope) = (Rounds(shares), Rounds(lines.map(\.slope)))
  let determination = Rounds(lines.map(\.determination))
  return [
    row("500 idle sessions, of a period", share.text(2) + " %", "–", "–", share.spread(2) + " %", "5 %"),
    row(
      "1 … 300 sessions that sound: one more", slope.text(0) + " ns", "–", "–", slope.spread(0) + " ns",
      "a straight line: r² \(determination.text(3))"),
  ]
}
