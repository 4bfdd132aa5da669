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
struct StripComparison {
  private static let sizes = [8, 32, 64, 128]

  let inputs: Inputs
  let contestants: [Contestant]
  private var lines: [Contestant: [Line]] = [:]
  private var all: [Contestant: [Int: [Double]]] = [:]

  init(inputs: Inputs, contestants: [Contestant]) {
    self.inputs = inputs
    self.contestants = contestants
  }

  /// Measures all of them at all sizes, in each round in another order.
  mutating func measure(in field: Field, round: Int) throws {
    var costs: [Contestant: [Int: [Double]]] = [:]
    let order = contestants.indices.map { contestants[($0 + round) % contestants.count] }
    for size in Self.sizes {
      let all = try field.measurePatiently(order, strips: size, inputs: inputs, slices: 20)
      for (contestant, own) in all { costs[contestant, default: [:]][size] = own }
    }
    for contestant in contestants {
      guard let own = costs[contestant] else { continue }
      let line = line(own)
      lines[contestant, default: []].append(line)
      all[contestant, default: [:]].merge(own) { $0 + $1 }
      say("round \(round)  \(contestant.rawValue): \(Self.text(own, line))")
    }
  }

  /// What all rounds together say.
  func sayAll() {
    for contestant in contestants {
      if let own = all[contestant] { say("all  \(contestant.rawValue): \(Self.text(own, line(own)))") }
    }
  }

  private static func text(_ costs: [Int: [Double]], _ line: Line) -> String {
    let least = sizes.map { "\($0): \(format(percentile(costs[$0] ?? [0], 0.1) / 1000, 1))" }.joined(separator: "  ")
    return "\(least); one more strip \(format(line.slope, 0)) ns, fixed \(format(line.fixed / 1000, 1)) µs, "
      + "r² \(format(line.determination, 3))"
  }

  /// A row of the table: what one more strip costs.
  func slope(beside other: Contestant, limit: String) -> String {
    let inputs = inputs == .own ? ", each with a sound of its own" : ""
    return compare("one more stereo strip" + inputs, other, limit, digits: 0, \.slope, unit: " ns")
  }

  /// A row of the table: what there is to pay without any strip.
  func fixed(beside other: Contestant, limit: String) -> String {
    compare("a cycle without strips", other, limit, digits: 1, { $0.fixed / 1000 }, unit: " µs")
  }

  private func compare(
    _ what: String, _ other: Contestant, _ limit: String, digits: Int, _ number: (Line) -> Double, unit: String
  ) -> String {
    func rounds(_ contestant: Contestant) -> Rounds { Rounds((lines[contestant] ?? []).map(number)) }
    func best(_ contestant: Contestant) -> Double { all[contestant].map { number(line($0)) } ?? .nan }
    let (own, others) = (best(.eider), best(other))
    return row(
      "\(what), beside \(other.rawValue)", format(own, digits) + unit, format(others, digits) + unit,
      format(own / others, 2), rounds(.eider).ratio(to: rounds(other)).spread(2), limit)
  }
}

/// The rows of strips that sound.
func compareStrips(in field: Field, rounds: Int) throws -> [String] {
  var shared = StripComparison(inputs: .shared, contestants: Contestant.allCases)
  var own = StripComparison(inputs: .own, contestants: [.eider, .scsynth, .sum])
  say("CPU of the audio thread in a cycle, µs: least disturbed slices (10th percentile)")
  for round in 1...rounds {
    say("all strips play the same")
    try shared.measure(in: field, round: round)
    say("each strip plays its own")
    try own.measure(in: field, round: round)
  }
  say("all strips play the same")
  shared.sayAll()
  say("each strip plays its own")
  own.sayAll()
  return [
    shared.slope(beside: .mixBox, limit: "0.10"), shared.slope(beside: .scsynth, limit: "0.50"),
    shared.slope(beside: .sum, limit: "1.50"), shared.slope(beside: .touch, limit: "–"),
    shared.fixed(beside: .sum, limit: "1.20"), shared.fixed(beside: .touch, limit: "–"),
    own.slope(beside: .scsynth, limit: "–"),
    own.slope(beside: .sum, limit: "–"),
  ]
}

/// What sessions cost that do nothing, and how the cost grows from 1 session to 300.
func measureIdle(in field: Field, rounds: Int) throws -> [String] {
  let sizes = [1, 75, 150, 225, 300]
  var shares: [Double] = []
  var lines: [Line] = []
  for round in 1...rounds {
    let few = percentile(try field.measureEider(strips: 1, sounding: 0, slices: 5), 0.1)
    let many = percentile(try field.measureEider(strips: 500, sounding: 0, slices: 5), 0.1)
    shares.append((many - few) / Field.cycle * 100)
    say(
      "round \(round)  1 idle session \(format(few / 1000, 2)) µs, 500 idle sessions \(format(many / 1000, 2)) µs: "
        + "\(format(shares[round - 1], 2)) % of a period more")
    var costs: [Int: [Double]] = [:]
    for size in sizes { costs[size] = try field.measureEider(strips: size, slices: 5) }
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
