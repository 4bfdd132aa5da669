/// One row of the table.
func row(_ what: String, _ own: String, _ other: String, _ ratio: String, _ spread: String, _ limit: String) -> String {
  "| \(what) | \(own) | \(other) | \(ratio) | \(spread) | \(limit) |"
}

/// The line of least cost over sizes, from the least disturbed slices.
func line(_ costs: [Int: [Double]]) -> Line {
  Line(through: costs.sorted { $0.key < $1.key }.map { (x: Double($0.key), y: percentile($0.value, 0.1)) })
}

/// What one more stereo strip costs, and what there is to pay without any, beside the others: of the slices of all rounds
/// the least disturbed, and from which to which the rounds by themselves go.
func compareStrips(in field: Field, rounds: Int) throws -> [String] {
  let sizes = [8, 32, 64, 128]
  var lines: [Contestant: [Line]] = [:]
  var all: [Contestant: [Int: [Double]]] = [:]
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
      all[contestant, default: [:]].merge(own) { $0 + $1 }
      let least = sizes.map { "\($0): \(format(percentile(own[$0] ?? [0], 0.1) / 1000, 1))" }.joined(separator: "  ")
      say(
        "round \(round)  \(contestant.rawValue): \(least); one more strip \(format(line.slope, 0)) ns, "
          + "fixed \(format(line.fixed / 1000, 1)) µs, r² \(format(line.determination, 3))")
    }
  }
  let best = all.mapValues { line($0) }
  func compare(
    _ what: String, _ other: Contestant, _ limit: String, digits: Int, _ number: (Line) -> Double, unit: String
  ) -> String {
    func rounds(_ contestant: Contestant) -> Rounds { Rounds((lines[contestant] ?? []).map(number)) }
    let (own, others) = (best[.eider].map(number) ?? .nan, best[other].map(number) ?? .nan)
    return row(
      "\(what), beside \(other.rawValue)", format(own, digits) + unit, format(others, digits) + unit,
      format(own / others, 2), rounds(.eider).ratio(to: rounds(other)).spread(2), limit)
  }
  func compareSlope(_ other: Contestant, _ limit: String) -> String {
    compare("one more stereo strip", other, limit, digits: 0, \.slope, unit: " ns")
  }
  return [
    compareSlope(.mixBox, "0.10"), compareSlope(.scsynth, "0.50"), compareSlope(.sum, "1.50"),
    compareSlope(.touch, "–"),
    compare("a cycle without strips", .touch, "1.20", digits: 1, { $0.fixed / 1000 }, unit: " µs"),
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
